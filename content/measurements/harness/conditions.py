"""BF16 products of section 1.2 under other conditions: an L2 without lines to write back, a second operand stored k x n, a hot card.

Run:  python3 conditions.py >> results.csv      (needs a GPU and PyTorch; half a minute)
"""
import statistics
import time

import torch

device = torch.device("cuda")
overwritten = torch.empty(256 << 20, dtype=torch.uint8, device=device)
only_read = torch.ones(256 << 20, dtype=torch.uint8, device=device)


def row(params, work, clean=False, rounds=15):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        overwritten.fill_(0)
        if clean:
            only_read.sum(dtype=torch.int64)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    print(f"gemm_bf16,{params};l2={'clean' if clean else 'dirty'},{statistics.median(times):.3f}")


def matrices(m, n, k):
    return torch.randn(m, k, device=device).bfloat16(), torch.randn(n, k, device=device).bfloat16().T


for m in (1, 128, 1024, 4096):
    a, b = matrices(m, 8192, 8192)
    for clean in (False, True):
        row(f"m={m};n=8192;k=8192", lambda: a @ b, clean)
    time.sleep(2)
a, b = matrices(1024, 8192, 8192)
straight = b.contiguous()
row("m=1024;n=8192;k=8192;second=kxn", lambda: a @ straight)
x, y = matrices(8192, 8192, 8192)
until = time.time() + 6
while time.time() < until:
    for _ in range(20):
        x @ y
    torch.cuda.synchronize()
row("m=1024;n=8192;k=8192;after=6s", lambda: a @ b)
