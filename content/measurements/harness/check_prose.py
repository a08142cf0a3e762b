"""Recomputes the measured numbers of section 1.2 from the tables and looks for them in its text.

Run:  python3 check_prose.py      (no GPU needed; exit status 1 when the text says something else)
"""
import csv
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
content = here.parent.parent
text = (content / "chapters/1-foundations/compute-bound-and-memory-bound.md").read_text()
plain = re.sub(r"\]\([^)]*\)", "]", text).replace("[", "").replace("]", "").replace("*", "").replace("\u00a0", " ")


def table(path):
    with open(path) as lines:
        return {(row["kernel"], row["params"]): float(row["median_us"]) for row in csv.DictReader(lines)}


book = table(here.parent / "h200.csv")
bounds = table(here / "bounds-h200.csv")
products = table(here / "products-h200.csv")
conditions = table(here / "conditions-h200.csv")
with open(here / "counters-h200.csv") as lines:
    counters = {(int(row["stride"]), int(row["offset"])): row for row in csv.DictReader(lines)}
found = (here / "findings-h200.txt").read_text()

BANDWIDTH, FP32, BF16 = 4.8e12, 66.9e12, 989.4e12  # the H200 of devices.json
problems = 0


def expect(words):
    global problems
    if words not in plain:
        problems += 1
        print(f"not in the text: {words}")


def digits(v, places):
    return f"{v:,.{places}f}"


def bound_row(name, flop, size, peak, us):
    math, memory = flop / peak * 1e6, size / BANDWIDTH * 1e6
    expect(f"| {name} | {flop:,} | {size:,} | {digits(math, 1)} | {digits(memory, 1)} | {digits(us, 1)} | {max(math, memory) / us:.0%} |")


n = 2**28
bound_row("vector addition, n = 2²⁸", n, 12 * n, FP32, book["vec_add", f"n={n}"])
expect(f"reach {digits(12 * n / book['vec_add', f'n={n}'] * 1e-3, 1)} GB/s")
us = products["gemm_bf16", "m=4096;n=4096;k=4096"]
bound_row("product, m = n = k = 4,096", 2 * 4096**3, 6 * 4096**2, BF16, us)
expect(f"{digits(2 * 4096**3 / us * 1e-6, 1)} TFLOP/s and")
us, size = book["gemm_bf16", "m=1;n=8192;k=28672"], 2 * (28672 + 8192 * 28672 + 8192)
bound_row("token, k = 28,672, n = 8,192", 2 * 8192 * 28672, size, BF16, us)
expect(f"and {digits(size / us * 1e-3, 1)} GB/s")


def three(v):
    return digits(v, 0) if v >= 100 else digits(v, 1)


for m in (1, 16, 64, 128, 256, 512, 1024, 4096):
    us = products["gemm_bf16", f"m={m};n=8192;k=8192"]
    flop, size = 2 * m * 8192**2, 2 * (2 * m * 8192 + 8192**2)
    expect(f"| {m:,} | {three(flop / size)} | {three(us)} | {three(flop / us * 1e-6)} | {digits(size / us * 1e-6, 2)} |")
times = {m: products["gemm_bf16", f"m={m};n=8192;k=8192"] for m in (1, 128, 512, 4096)}
expect(f"the time by {times[128] / times[1] - 1:.1%}")
expect(f"in {digits(times[4096] / times[512], 1)} times the time")
ridge = BF16 / BANDWIDTH
expect(f"meet at {ridge / (1 - 2 * ridge / 8192):.0f} tokens")
expect(f"Up to n = {int(3 * ridge)} ")

for stride in (1, 2, 4, 8, 16, 32):
    row = counters[stride, 0]
    extra = round(float(row["dram_bytes_read_per_request"]) / 128)
    us = bounds["read_strided", f"n={2**24};stride={stride}"]
    expect(f"| {stride} | {row['sectors_per_request']} | {extra} | {digits(us, 1)} | {digits(4 * (extra + 1) * 2**24 / us * 1e-6, 2)} |")
offset = [bounds["read_offset", f"n={2**26};offset={k}"] for k in (0, 1)]
expect(f"{digits(offset[1], 1)} µs in place of {digits(offset[0], 1)} µs, {offset[1] / offset[0] - 1:.0%} more")
assert counters[1, 0]["dram_bytes_read_per_request"] == counters[1, 1]["dram_bytes_read_per_request"] and counters[1, 1]["sectors_per_request"] == "5"

latency = float(re.search(r"latency memory table_bytes 1073741824 ns_per_load ([\d.]+)", found)[1])
expect(f"takes {latency:.0f} ns")
expect(f"{BANDWIDTH * latency * 1e-15:.2f} MB must")
expect(f"comes to {BANDWIDTH * latency * 1e-9 / 132 / 1024:.1f} KiB each")
for threads in (256, 512, 1024, 2048):
    rates = [4 * 2**28 / bounds["read_in_flight", f"n={2**28};threads_per_sm={threads};loads={k}"] * 1e-6 for k in (1, 2, 4)]
    expect(f"| {threads:,} | {threads / 2048 * 100:g}% | " + " | ".join(digits(r, 2) for r in rates) + " |")
for kernel, size, words in (("copy_scalar", 8, "one float per thread reaches"), ("vec_add", 12, "two loads per thread"), ("copy_vec4", 8, "16 B per load")):
    expect(f"{words} {digits(size * 2**28 / book[kernel, f'n={2**28}'] * 1e-6, 2)} TB/s")

for fmas in (1, 512, 56):
    us, flop, size = bounds["fma_stream", f"n={2**28};fmas={fmas}"], 2 * fmas * 2**28, 8 * 2**28
    share = max(flop / FP32, size / BANDWIDTH) / us * 1e6
    expect(f"{share:.0%}: {digits(flop / us * 1e-6, 1)} TFLOP/s, while the memory delivers {digits(size / us * 1e-6, 2)} TB/s" if fmas == 56 else f"{share:.0%} ")
expect(f"It takes {digits(book['vec_add', 'n=4096'], 1)} µs; a kernel that does nothing takes {digits(bounds['empty', 'blocks=1'], 1)} µs")
stream, node = (float(re.search(f"launch {name} ([\\d.]+)", found)[1]) for name in ("stream_us", "graph_node_us"))
expect(f"cost {digits(stream, 1)} µs each")
expect(f"graph {digits(node, 1)} µs")
expect(f"takes {digits(bounds['vec_add', 'n=2097152'], 1)} µs when they come from memory and {digits(bounds['vec_add_warm', 'n=2097152'], 1)} µs when")
naive = 2 * 2048**3 / book["sgemm_naive", "n=2048"] * 1e-6
expect(f"runs at {digits(naive, 2)} TFLOP/s, {naive * 1e12 / FP32:.1%} of that")
cliffs = {k: products["gemm_bf16", f"m={k};n={k};k={k}"] for k in (4096, 4092, 4097, 4088)}
expect(f"takes {digits(cliffs[4096], 1)} µs. At 4,092, with less work, it takes {digits(cliffs[4092], 1)} µs, and at 4,097 it takes {digits(cliffs[4097], 0)} µs")
expect(f"back at {digits(cliffs[4088], 1)} µs")
runs = {fill: [float(v) for v in re.search(f"sustained {fill} us [\\d.]+ tflop_s ([\\d.]+) clock_mhz (\\d+) power_w (\\d+)", found).groups()] for fill in ("random", "zeros")}
expect(f"draws {runs['random'][2]:.0f} W of the 700 W that the board allows, and the clock falls to {runs['random'][1]:,.0f} MHz: {runs['random'][0]:.0f} TFLOP/s")
expect(f"draws {runs['zeros'][2]:.0f} W, keeps {runs['zeros'][1]:,.0f} MHz and runs at {runs['zeros'][0]:.0f} TFLOP/s")

small, shape = "n=16777216", "n=8192;k=8192"
for kernel, params, words in (("empty_grid", small + ";l2=dirty", "do nothing takes {} µs by"), ("copy_resident", small + ";l2=dirty", "same floats in {} µs"),
                              ("read_strided", small + ";stride=16;fetch=32;l2=dirty", "stride 16 takes {} µs"), ("read_strided", small + ";stride=16;fetch=64;l2=dirty", "instead of {} µs"),
                              ("vec_add", "n=2097152;l2=clean", "addition takes {} µs from memory"), ("gemm_bf16", f"m=1;{shape};l2=clean", "1 token takes {} µs"),
                              ("gemm_bf16", f"m=1;{shape};l2=dirty", "in place of {} µs, which is"), ("gemm_bf16", f"m=128;{shape};l2=clean", "128 tokens take {} µs"),
                              ("gemm_bf16", f"m=128;{shape};l2=dirty", "in place of {} µs. From"), ("gemm_bf16", f"m=1024;{shape};l2=dirty", "takes {} µs on a card that was at rest"),
                              ("gemm_bf16", f"m=1024;{shape};after=6s;l2=dirty", "and {} µs after six seconds")):
    expect(words.format(digits(conditions[kernel, params], 1)))
expect(f"of them at {digits(8 * 2**28 / conditions['copy_resident', 'n=268435456;l2=dirty'] * 1e-6, 2)} TB/s")
expect(f"which is {digits(2 * (2 * 8192 + 8192**2) / conditions['gemm_bf16', f'm=1;{shape};l2=clean'] * 1e-6, 2)} TB/s")
expect(f"lower, at {digits(book['gemm_bf16', f'm=1024;{shape}'], 1)} µs")

print("the text agrees with the tables" if problems == 0 else f"{problems} disagreements")
sys.exit(problems > 0)
