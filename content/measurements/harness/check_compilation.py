"""Recomputes the measured numbers of section 1.4 from the tables and looks for them in its text.

Run:  python3 check_compilation.py      (no GPU needed; exit status 1 when the text says something else)
"""
import csv
import json
import pathlib
import re
import statistics
import sys

here = pathlib.Path(__file__).resolve().parent
content = here.parent.parent
text = (content / "chapters/1-foundations/compilation-and-machine-code.md").read_text()
plain = re.sub(r"\]\([^)]*\)", "]", text).replace("[", "").replace("]", "").replace("*", "").replace("\u00a0", " ")
problems = 0


def expect(words):
    global problems
    if words not in plain:
        problems += 1
        print(f"not in the text: {words}")


times = {}
with open(here / "variants-h200.csv") as lines:
    for row in csv.DictReader(lines):
        times.setdefault(row["kernel"], []).append(float(row["median_us"]))
times = {kernel: statistics.median(runs) for kernel, runs in times.items()}
compiled = {v["id"]: v for v in json.loads((content / "compiled.json").read_text())["variants"]}
n, issue = 2**28, 132 * 4 * 1.98e9
names = {"plain": "plain pointers | 1", "restrict": "`__restrict__` | 1", "unrolled": "unrolled | 4",
         "unrolled_restrict": "unrolled, `__restrict__` | 4", "float4": "`float4`, `__restrict__` | 4"}
count = {}
for variant, label in names.items():
    code = next(c for c in compiled[variant]["sass"] if "sm_90" in c["for"])
    count[variant] = sum(line.endswith(";") for line in code["code"].split("\n"))
    us = times[f"add_{variant}"]
    expect(f"| {label} | {count[variant]} | {code['registers']} | {us:.1f} | {12 * n / us * 1e-6:.2f} |")
expect(f"takes {1 - times['add_unrolled_restrict'] / times['add_unrolled']:.0%} less time")
expect(f"and {1 - times['add_restrict'] / times['add_plain']:.1%} of the time")
expect(f"are {count['restrict'] * n / 32 / 1e6:.0f} million; 132 multiprocessors at 1.98 GHz issue them in {count['restrict'] * n / 32 / issue * 1e6:.0f} µs")
expect(f"it is {count['float4'] * n / 128 / 1e6:.0f} million and {count['float4'] * n / 128 / issue * 1e6:.0f} µs")

first = {"cubin": [], "off": [], "start": [], "later": []}
with open(here / "targets-h200.csv") as lines:
    next(lines)
    for line in lines:
        target, cache, run, status, output = line.strip().split(",", 4)
        if status != "0" or cache == "force_ptx_jit":
            continue
        small = float(output.split()[0].split(",")[1])
        kind = "cubin" if "compute" not in target else "off" if cache == "off" else "start" if run == "0" else "later"
        first[kind].append(small)
span = {kind: (min(all), max(all)) for kind, all in first.items()}
expect(f"| machine code that fits | | {span['cubin'][0]:.2f} to {span['cubin'][1]:.2f} ms |")
expect(f"| PTX | off | {round(span['off'][0], -1):.0f} to {round(span['off'][1], -1):.0f} ms |")
expect(f"| PTX | first start | {round(span['start'][0], -1):.0f} to {round(span['start'][1], -1):.0f} ms |")
expect(f"| PTX | later starts | {span['later'][0]:.1f} to {span['later'][1]:.1f} ms |")
sys.exit(1 if problems else 0)
