"""Library kernels: matrix products, attention and one layer of a model, as PyTorch launches them.

Run:  python3 library.py results.csv [more.csv]     (needs a GPU and PyTorch 2.5 or newer; two minutes)

Writes "kernel,params,median_us,low_us,high_us,launches,kernels,clock_mhz,power_w": median and middle half of the launches, the
names of the kernels that ran, and clock and power right after. 256 MiB are overwritten before each launch; the
device then waits, so that the host's part is not timed, but for the prefill of a layer, whose launches are part of it. The first part
repeats the rows of ../h200.csv; the second has sizes that were never used to fit a constant, drawn with a seed.
"""
import csv
import os
import random
import statistics
import subprocess
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

device = torch.device("cuda")
flush = torch.empty(256 << 20, dtype=torch.uint8, device=device)
backends = {"flash2": SDPBackend.FLASH_ATTENTION, "fused": SDPBackend.CUDNN_ATTENTION}
HERE = os.path.dirname(os.path.abspath(__file__))


def launches(work, rounds, eager=False):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        flush.fill_(0)
        if not eager:
            torch.cuda._sleep(400_000)  # 0.2 ms in which a slow host gets ahead of the device
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return sorted(times)


def names(work):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
        work()
        torch.cuda.synchronize()
    found = [e.name for e in seen.events() if e.device_type == torch.autograd.DeviceType.CUDA]
    short = [n.split("(")[0].removeprefix("void ")[:80].replace(",", ";").replace("\n", " ") for n in found]
    return " + ".join(short[:16])


def state():
    line = subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits"], capture_output=True, text=True).stdout
    return [x.strip() for x in line.split(",")]


def graphed(work):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def draw(*shape, kind=torch.bfloat16):
    return torch.randn(*shape, device=device).to(kind)


def gemm(name, m, n, k):
    if name == "gemm_fp8":
        a, b = (torch.randn(r, k, device=device).to(torch.float8_e4m3fn) for r in (m, n))
        one = torch.ones((), device=device)
        return lambda: torch._scaled_mm(a, b.T, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    if name == "gemm_bf16":
        a, b = draw(m, k), draw(n, k)
        return lambda: a @ b.T
    a, b = draw(m, k, kind=torch.float32), draw(k, n, kind=torch.float32)

    def work():
        torch.backends.cuda.matmul.allow_tf32 = name == "gemm_tf32"
        return a @ b

    return work


def attention(name, batch, heads, seq, dim, causal=0):
    q, k, v = (draw(batch, heads, seq, dim) for _ in "qkv")
    if name == "attention_standard":
        return lambda: torch.softmax((q @ k.transpose(-1, -2)) * dim**-0.5, -1) @ v

    def work():
        with sdpa_kernel(backends[name.removeprefix("attention_")]):
            return F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))

    return work


def decode(batch, heads, kv_heads, seq, dim):
    # The queries that share a key head stand in the place of positions, so that its keys are read once for all of them.
    q, k, v = draw(batch, kv_heads, heads // kv_heads, dim), draw(batch, kv_heads, seq, dim), draw(batch, kv_heads, seq, dim)

    def work():
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            return F.scaled_dot_product_attention(q, k, v)

    return work


WIDTH, INNER, HEADS, KV, DIM = 4096, 14336, 32, 8, 128


def layer(tokens, seq=None):
    qkv, out, up, down = (draw(r, c) * c**-0.5 for r, c in (((HEADS + 2 * KV) * DIM, WIDTH), (WIDTH, HEADS * DIM), (2 * INNER, WIDTH), (WIDTH, INNER)))
    x = draw(tokens, WIDTH)
    keys, values = (draw(tokens, KV, seq, DIM) for _ in "kv") if seq else (None, None)

    def work():
        q, k, v = (x @ qkv.T).split((HEADS * DIM, KV * DIM, KV * DIM), -1)
        if seq:
            with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
                a = F.scaled_dot_product_attention(q.view(tokens, KV, HEADS // KV, DIM), keys, values)
            a = a.reshape(tokens, HEADS * DIM)
        else:
            heads = (t.view(1, tokens, -1, DIM).transpose(1, 2) for t in (q, k, v))
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                a = F.scaled_dot_product_attention(*heads, is_causal=True, enable_gqa=True)
            a = a.transpose(1, 2).reshape(tokens, HEADS * DIM)
        y = x + a @ out.T
        gate, value = (y @ up.T).chunk(2, -1)
        return y + (F.silu(gate) * value) @ down.T

    return graphed(work) if seq else work


def build(kernel, p):
    if kernel.startswith("gemm_"):
        return gemm(kernel, p["m"], p["n"], p["k"])
    if kernel == "attention_decode":
        return decode(**p)
    if kernel.startswith("attention_"):
        return attention(kernel, **p)
    if kernel == "llama3_8b_layer_decode":
        return layer(p["batch"], p["seq"])
    if kernel == "llama3_8b_layer_prefill":
        return layer(p["tokens"])
    return None


def known():
    for row in csv.DictReader(open(os.path.join(HERE, "..", "h200.csv"))):
        yield row["kernel"], {a: int(float(b)) for a, b in (x.split("=") for x in row["params"].split(";"))}


def unseen():
    pick = random.Random(20261130)
    sizes = [1024, 1280, 2048, 2560, 3584, 4096, 5120, 6144, 7168, 8192, 11008, 14336, 16384]
    rows = [1, 2, 4, 12, 24, 48, 64, 96, 160, 200, 256, 384, 500, 768, 1000, 1024, 1500, 2048, 3000, 4096, 6000, 8192]
    for m in rows:
        yield "gemm_bf16", dict(m=m, n=pick.choice(sizes), k=pick.choice(sizes))
    for n in (1000, 2044, 3002, 4098, 4100, 5000):
        yield "gemm_bf16", dict(m=n, n=n, k=n)
    for m in (8, 32, 128, 512, 1024, 2048, 3072, 4096, 8192):
        yield "gemm_fp8", dict(m=m, n=pick.choice(sizes), k=pick.choice(sizes))
    for kind in ("gemm_tf32", "gemm_fp32"):
        for n in (512, 1536, 2048, 3072, 6144):
            yield kind, dict(m=n, n=n, k=n)
    for kind in ("attention_fused", "attention_flash2"):
        for batch, heads, seq, dim in ((1, 32, 1024, 128), (2, 16, 3000, 128), (8, 32, 512, 128), (1, 8, 8192, 128), (2, 32, 4096, 128), (8, 16, 1024, 64), (1, 32, 16384, 64), (4, 40, 2048, 128)):
            for causal in (0, 1):
                yield kind, dict(batch=batch, heads=heads, seq=seq, dim=dim, causal=causal)
    for batch, heads, seq, dim in ((1, 32, 1024, 128), (2, 16, 2048, 64), (1, 32, 4096, 128)):
        yield "attention_standard", dict(batch=batch, heads=heads, seq=seq, dim=dim, causal=0)
    for batch, heads, kv, seq in ((1, 32, 8, 16384), (4, 32, 8, 8192), (8, 64, 8, 4096), (16, 32, 8, 1024), (64, 32, 8, 4096), (128, 32, 8, 2048), (8, 128, 16, 32768), (2, 40, 10, 131072)):
        yield "attention_decode", dict(batch=batch, heads=heads, kv_heads=kv, seq=seq, dim=128)
    for batch, seq in ((1, 8192), (2, 1024), (4, 4096), (8, 1024), (8, 8192), (24, 2048), (32, 1024), (32, 4096), (64, 1024), (96, 2048), (128, 4096), (256, 1024)):
        yield "llama3_8b_layer_decode", dict(batch=batch, seq=seq)
    for tokens in (64, 256, 512, 768, 1536, 2048, 3000, 6144, 8192, 16384):
        yield "llama3_8b_layer_prefill", dict(tokens=tokens)


def check():
    for kernel, p, tolerance in (("gemm_bf16", dict(m=512, n=384, k=640), 1e-2), ("gemm_tf32", dict(m=512, n=384, k=640), 1e-3)):
        a = torch.randn(p["m"], p["k"], device=device)
        b = torch.randn(p["n"], p["k"], device=device)
        kind = torch.bfloat16 if kernel == "gemm_bf16" else torch.float32
        torch.backends.cuda.matmul.allow_tf32 = True
        error = ((a.to(kind) @ b.to(kind).T).double() - a.double() @ b.double().T).norm() / (a.double() @ b.double().T).norm()
        assert error < tolerance, (kernel, error)
    q, k, v = (draw(1, 4, 300, 64) for _ in "qkv")
    exact = torch.softmax(q.double() @ k.double().transpose(-1, -2) / 8, -1) @ v.double()
    for name, backend in backends.items():
        with sdpa_kernel(backend):
            error = (F.scaled_dot_product_attention(q, k, v).double() - exact).norm() / exact.norm()
        assert error < 1e-2, (name, error)


def measure(cases, path):
    with open(path, "w") as out:
        out.write("kernel,params,median_us,low_us,high_us,launches,kernels,clock_mhz,power_w\n")
        for kernel, p in cases:
            try:
                work = build(kernel, p)
                if work is None:
                    continue
                times = launches(work, 21, kernel.endswith("_prefill"))
                quarter = len(times) // 4
                clock, power = state()
                out.write(f"{kernel},{';'.join(f'{a}={b}' for a, b in p.items())},{statistics.median(times):.3f},{times[quarter]:.3f},{times[-1 - quarter]:.3f},{len(times)},"
                          f"{names(work)},{clock},{power}\n")
                out.flush()
            except Exception as error:  # a size that the library refuses is worth a line, not the end
                print(kernel, p, type(error).__name__, str(error)[:200], file=sys.stderr)
            work = None
            torch.cuda.empty_cache()


torch.manual_seed(1)
with torch.inference_mode():
    check()
    print(torch.__version__, torch.version.cuda, torch.backends.cudnn.version(), torch.cuda.get_device_name(), file=sys.stderr)
    measure(known(), sys.argv[1])
    if len(sys.argv) > 2:
        measure(unseen(), sys.argv[2])
