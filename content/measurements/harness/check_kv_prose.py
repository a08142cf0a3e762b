"""Recomputes the measured numbers of section 1.3 from the tables and looks for them in its text.

Run:  python3 check_kv_prose.py      (no GPU needed; exit status 1 when the text says something else)
"""
import csv
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
text = (here.parent.parent / "chapters/1-foundations/the-kv-cache.md").read_text()
plain = re.sub(r"\]\([^)]*\)", "]", text).replace("[", "").replace("]", "").replace("*", "").replace("\u00a0", " ")


def table(path):
    with open(path) as lines:
        return {(row["kernel"], row["params"]): float(row["median_us"]) for row in csv.DictReader(lines)}


book = table(here.parent / "h200.csv")
steps = table(here / "kv-cache-h200.csv")

BANDWIDTH, BF16 = 4.8e12, 989.4e12  # the H200 of devices.json
LAYERS = 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
HEAD, GAINS = 128256 * 4096, 65 * 4096
READ = 2 * (LAYERS + HEAD + GAINS)  # bytes of weights in a step
TOKEN, PAIR = 131072, 4 * 32 * 32 * 128
problems = 0


def expect(words):
    global problems
    if words not in plain:
        problems += 1
        print(f"not in the text: {words}")


def kept(batch, context, kernel=None):
    both = {name: steps[f"llama3_8b_step_{name}", f"cache=1;batch={batch};context={context}"] / 1e3 for name in ("cudnn", "flash")}
    best = book["llama3_8b_step", f"cache=1;batch={batch};context={context}"] / 1e3
    if best != min(both.values()):
        sys.exit(f"h200.csv does not hold the better kernel for batch {batch}, context {context}")
    return both[kernel] if kernel else best


def again(context):
    time = steps["llama3_8b_step_flash", f"cache=0;batch=1;context={context}"] / 1e3
    return time


weights = READ / BANDWIDTH * 1e3
for batch, context in ((1, 1024), (1, 8192), (1, 131072), (32, 1024), (32, 8192), (32, 16384), (128, 4096)):
    cache = batch * context * TOKEN / BANDWIDTH * 1e3
    took = kept(batch, context)
    expect(f"| {batch} | {context:,} | {weights:.2f} | {cache:.2f} | {weights + cache:.2f} | {took:.2f} | {(weights + cache) / took:.0%} |")
for context, places in ((1024, 2), (8192, 1)):
    floor = (2 * (LAYERS * context + HEAD) + PAIR * context * (context + 1) / 2) / BF16 * 1e3
    took = again(context)
    expect(f"| 1, no cache | {context:,} | | | {floor:.{places}f} | {took:.1f} | {floor / took:.0%} |")
for heads, batch, context in ((32, 1, 2048), (32, 32, 2048), (64, 16, 16384)):
    size = 4 * batch * context * 8 * 128
    us = book["attention_decode", f"batch={batch};heads={heads};kv_heads=8;seq={context};dim=128"]
    rate = size / us / 1e6
    shown = f"{size / 1e6:.1f}" if size < 1e7 else f"{size / 1e6:,.0f}"
    expect(f"| {heads} | {batch} | {context:,} | {shown} | {us:.1f} | {rate:.2f} | {rate / 4.8:.0%} |")
expect(f"the step becomes {kept(32, 1024) / kept(1, 1024) - 1:.0%} longer")
expect(f"takes {kept(32, 16384) / kept(32, 1024):.1f} times as long")
expect(f"a single sequence {again(8192) / kept(1, 8192):.0f} times as fast")
expect(f"without any context takes {again(1):.2f} ms")
expect(f"a batch of 1 takes {kept(1, 32768, 'cudnn'):.1f} ms and a batch of 8 takes {kept(8, 32768, 'cudnn'):.1f} ms")
expect(f"a single sequence takes {kept(1, 131072, 'cudnn'):.1f} ms where the bytes need {weights + 131072 * TOKEN / BANDWIDTH * 1e3:.1f} ms")
expect(f"proposed: {kept(1, 131072, 'flash'):.2f} ms")
expect(f"{kept(32, 16384, 'cudnn'):.1f} ms for cuDNN, {kept(32, 16384, 'flash'):.1f} ms for the other")
layer = LAYERS // 32
prompt, one = book["llama3_8b_layer_prefill", "tokens=4096"], book["llama3_8b_layer_decode", "batch=1;seq=1024"]
work = 2 * layer * 4096 + PAIR // 32 * 4096 * 4097 // 2
expect(f"4,096 tokens in {prompt:,.0f} µs, at {work / prompt / 1e6:.0f} TFLOP/s and {work / BF16 * 1e6 / prompt:.0%} of its floor")
expect(f"one sequence takes {one:.1f} µs for it. Per token that is {prompt / 4096:.2f} µs against {one:.1f} µs, {one / prompt * 4096:.0f} times as much")
expect("reports 150.1 billion bytes, 139.8 GiB")
if "runtime reports 150109880320 bytes" not in (here / "findings-h200.txt").read_text():
    sys.exit("findings-h200.txt does not hold the memory that the runtime reports")
print(f"{problems} numbers differ" if problems else "every measured number of section 1.3 follows from the tables")
sys.exit(1 if problems else 0)
