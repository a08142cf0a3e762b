"""Triton's kernels of section 3.1: times, what the compiler made of them, and what a launch costs.

Run:  python3 triton_kernels.py results.csv > findings.txt      (needs a GPU, PyTorch and Triton; about two minutes)
Imports the listings from ../../listings, checks their results first, and writes "kernel,params,median_us".
"""
import pathlib
import re
import statistics
import sys
import time

import torch
import triton

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "listings"))
import matmul_triton as mm
import softmax_triton as sm
import vec_add_triton as va

out = open(sys.argv[1], "w")
print("kernel,params,median_us", file=out)
flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")


def median_us(work, rounds=15, clear=True):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        if clear:
            flush.fill_(0)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def row(kernel, params, us):
    print(f"{kernel},{params},{us:.3f}", file=out, flush=True)


def describe(name, compiled):
    """What the compiler made: registers, spills, shared memory, and the memory instructions of the PTX."""
    ptx = compiled.asm["ptx"]
    access = {}
    for word in re.findall(r"(?:ld\.global|st\.global|cp\.async|wgmma\.mma_async|mbarrier|bar\.sync|shfl)[\w.:]*", ptx):
        access[word] = access.get(word, 0) + 1
    layouts = sorted(set(re.findall(r"#ttg\.\w+<\{[^}]*\}>", compiled.asm["ttgir"])))
    print(f"{name}: registers {compiled.n_regs}, spilled {compiled.n_spills}, shared {compiled.metadata.shared} B, warps {compiled.metadata.num_warps}")
    print("   ", access)
    for text in layouts:
        print("   ", text)


print(torch.__version__, triton.__version__, torch.cuda.get_device_name())
a, b = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
begin = time.perf_counter()
va.vector_sum(a, b)
torch.cuda.synchronize()
first = time.perf_counter() - begin
begin = time.perf_counter()
va.vector_sum(a, b, 512)
torch.cuda.synchronize()
print(f"first call {first * 1e3:.0f} ms, another block size {(time.perf_counter() - begin) * 1e3:.0f} ms")
va.main(), sm.main(), mm.main()

c = torch.empty_like(a)
for name, work in {
    "empty grid": lambda: None,
    "triton": lambda: va.add_blocks[(1,)](a, b, c, 1000, BLOCK=1024),
    "torch add": lambda: torch.add(a, b, out=c),
}.items():
    for _ in range(100):
        work()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(10000):
        work()
    torch.cuda.synchronize()
    print(f"10,000 calls, {name}: {(time.perf_counter() - begin) * 100:.2f} us each")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    for _ in range(100):
        va.add_blocks[(1,)](a, b, c, 1000, BLOCK=1024)
for _ in range(10):
    graph.replay()
torch.cuda.synchronize()
begin = time.perf_counter()
for _ in range(100):
    graph.replay()
torch.cuda.synchronize()
print(f"in a graph of 100: {(time.perf_counter() - begin) * 100:.2f} us each")

for n in (1 << 20, 1 << 28):
    a, b = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    c = torch.empty_like(a)
    for block, warps in ((128, 4), (256, 4), (512, 4), (1024, 4), (2048, 4), (4096, 4), (8192, 4), (1024, 1), (1024, 8), (4096, 8)):
        compiled = va.add_blocks[(triton.cdiv(n, block),)](a, b, c, n, BLOCK=block, num_warps=warps)
        row("add_blocks", f"n={n};block={block};warps={warps}", median_us(lambda: va.add_blocks[(triton.cdiv(n, block),)](a, b, c, n, BLOCK=block, num_warps=warps)))
        if n == 1 << 28:
            describe(f"add_blocks {block} {warps}", compiled)
    row("torch_add", f"n={n}", median_us(lambda: torch.add(a, b, out=c)))
# The same with a length that is no multiple of 16, and with pointers that are not.
n = (1 << 28) - 1
compiled = va.add_blocks[(triton.cdiv(n, 1024),)](a, b, c, n, BLOCK=1024)
describe("add_blocks, n odd", compiled)
row("add_blocks", f"n={n};block=1024;warps=4", median_us(lambda: va.add_blocks[(triton.cdiv(n, 1024),)](a, b, c, n, BLOCK=1024)))
compiled = va.add_blocks[(triton.cdiv(n, 1024),)](a[1:], b[1:], c[1:], n, BLOCK=1024)
describe("add_blocks, pointers of 4 B", compiled)
row("add_blocks_unaligned", f"n={n};block=1024;warps=4", median_us(lambda: va.add_blocks[(triton.cdiv(n, 1024),)](a[1:], b[1:], c[1:], n, BLOCK=1024)))
print(va.add_blocks[(triton.cdiv(n, 1024),)](a, b, c, 1 << 28, BLOCK=1024).asm["ttgir"])
del a, b, c

for rows, columns in ((1024, 1024), (8192, 8192), (8192, 8193), (256, 131072)):
    x = torch.randn(rows, columns, device="cuda")
    y = torch.empty_like(x)
    width = triton.next_power_of_2(columns)
    for warps in (1, 4, 8, 16, 32):
        if width // (32 * warps) > 1024:
            continue
        compiled = sm.softmax_row[(rows,)](x, y, columns, WIDTH=width, num_warps=warps)
        row("softmax_row", f"rows={rows};cols={columns};warps={warps}", median_us(lambda: sm.softmax_row[(rows,)](x, y, columns, WIDTH=width, num_warps=warps)))
        describe(f"softmax_row {rows} {columns} {warps}", compiled)
    row("torch_softmax", f"rows={rows};cols={columns}", median_us(lambda: torch.softmax(x, 1)))
del x, y

for n in (2048, 4096, 8192):
    p = torch.randn(n, n, device="cuda").bfloat16()
    q = torch.randn(n, n, device="cuda").bfloat16()
    for bm, bn, bk, warps, stages in ((64, 64, 32, 4, 1), (64, 64, 32, 4, 3), (128, 128, 64, 4, 1), (128, 128, 64, 4, 3), (128, 128, 64, 8, 3), (128, 256, 64, 8, 1),
                                      (128, 256, 64, 8, 2), (128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3)):
        shape = f"n={n};tile={bm}x{bn}x{bk};warps={warps};stages={stages}"
        try:
            mm.matmul(p, q, bm, bn, bk, warps, stages)
            row("matmul_triton", shape, median_us(lambda: mm.matmul(p, q, bm, bn, bk, warps, stages)))
            if n == 8192:
                c = torch.empty_like(p)
                describe(shape, mm.product[((n // bm) * (n // bn),)](p, q, c, n, n, n, bm, bn, bk, TALL=8, num_warps=warps, num_stages=stages))
        except Exception as e:
            print(shape, type(e).__name__, str(e)[:200])
    row("torch_matmul", f"n={n}", median_us(lambda: p @ q))
