"""Matrix products of section 1.2 through PyTorch: shapes, alignment, and what the numbers in them do to the clock.

Run:  python3 products.py results.csv      (needs a GPU and PyTorch; about a minute)
Writes "kernel,params,median_us"; the clock and power seen in a longer run go to standard output.
"""
import statistics
import subprocess
import sys
import threading
import time

import torch

device = torch.device("cuda")
flush = torch.empty(256 << 20, dtype=torch.uint8, device=device)


def median_us(work, rounds=15):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        flush.fill_(0)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def matrices(m, n, k, fill, dtype=torch.bfloat16):
    make = {"random": torch.randn, "zeros": torch.zeros}[fill]
    return make(m, k, device=device).to(dtype), make(n, k, device=device).to(dtype).T


def check():
    a, b = matrices(512, 384, 640, "random")
    exact = a.double() @ b.double()
    error = ((a @ b).double() - exact).norm() / exact.norm()
    assert error < 1e-2, error
    print(f"relative_error {error:.2e}")


def watch(seconds, work):
    """Runs `work` for a while and reads clock and power every 50 ms."""
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            line = subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits"],
                                  capture_output=True, text=True).stdout.strip()
            seen.append([float(x) for x in line.split(",")])
            time.sleep(0.05)

    reader = threading.Thread(target=read)
    until = time.time() + seconds
    reader.start()
    launches, begin = 0, torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    begin.record()
    while time.time() < until:
        for _ in range(20):
            work()
        torch.cuda.synchronize()
        launches += 20
    end.record()
    end.synchronize()
    stop.set()
    reader.join()
    half = seen[len(seen) // 2:]
    return (begin.elapsed_time(end) * 1e3 / launches, statistics.median(s[0] for s in half), statistics.median(s[1] for s in half))


def main():
    check()
    with open(sys.argv[1], "w") as out:
        out.write("kernel,params,median_us\n")
        for n in (4088, 4092, 4094, 4096, 4097, 4100, 4104):
            a, b = matrices(n, n, n, "random")
            out.write(f"gemm_bf16,m={n};n={n};k={n},{median_us(lambda: a @ b):.3f}\n")
        for m in (1, 2, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 1024, 2048, 4096, 8192):
            a, b = matrices(m, 8192, 8192, "random")
            out.write(f"gemm_bf16,m={m};n=8192;k=8192,{median_us(lambda: a @ b):.3f}\n")
        for fill in ("random", "zeros"):
            a, b = matrices(8192, 8192, 8192, fill)
            name = "gemm_bf16" if fill == "random" else "gemm_bf16_zeros"
            out.write(f"{name},m=8192;n=8192;k=8192,{median_us(lambda: a @ b):.3f}\n")
            us, clock, power = watch(4, lambda: a @ b)
            print(f"sustained {fill} us {us:.1f} tflop_s {2 * 8192**3 / us * 1e-6:.1f} clock_mhz {clock:.0f} power_w {power:.0f}")
        x = torch.randn(1 << 28, device=device)
        y = torch.empty_like(x)
        us, clock, power = watch(2, lambda: y.copy_(x))
        print(f"sustained copy us {us:.1f} gb_s {8 * x.numel() / us * 1e-3:.0f} clock_mhz {clock:.0f} power_w {power:.0f}")


main()
