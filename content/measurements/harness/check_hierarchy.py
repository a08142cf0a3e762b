"""Recomputes the measured numbers of section 1.1 from its tables and looks for them in its text.

Run:  python3 check_hierarchy.py      (no GPU needed; exit status 1 when the text says something else)
"""
import collections
import csv
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
content = here.parent.parent
text = (content / "chapters/1-foundations/threads-blocks-and-warps.md").read_text()
plain = re.sub(r"\]\([^)]*\)", "]", text).replace("[", "").replace("]", "").replace("\u00a0", " ")

with open(here / "hierarchy-h200.csv") as lines:
    times = {(row["kernel"], row["params"]): float(row["median_us"]) for row in csv.DictReader(lines)}
with open(here / "placement-h200.csv") as lines:
    places = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]
found = (here / "hierarchy-findings-h200.txt").read_text()
bounds = (here / "findings-h200.txt").read_text()
problems = 0


def expect(words):
    global problems
    if words not in plain:
        problems += 1
        print(f"not in the text: {words}")


def number(name, where=found):
    """The number that follows these words in the findings; ".." stands for any words between."""
    return float(re.search(re.escape(name).replace(r"\.\.", ".*") + r" ([\d.]+)", where)[1])


def digits(v, places):
    return f"{v:,.{places}f}"


def strides(blocks, threads):
    return times["add_in_strides", f"blocks={blocks};threads={threads};n={2**20}"]


for blocks, threads in ((1, 1), (1, 32), (1, 256), (1, 1024), (132, 1024), (4096, 256)):
    us = strides(blocks, threads)
    expect(f"| `<<<{blocks}, {threads}>>>` | {blocks * threads:,} | {digits(us, 0 if us > 100 else 1)} |")
expect(f"One thread takes {strides(1, 1) / strides(132, 1024):,.0f} times as long")
expect(f"135,168 threads doing in {digits(strides(132, 1024), 1)} µs what a million do in {digits(strides(4096, 256), 1)}")


def branch(by, ways):
    return times["branch", f"by={by};ways={ways};iters=2048"]


for ways in (1, 2, 4, 8, 16, 32):
    expect(f"| {ways} | {digits(branch('lane', ways), 1)} | {digits(branch('warp', ways), 1)} |")
slower = branch("lane", 32) / branch("lane", 1)
expect(f"32 loops take {digits(slower, 1)} times as long as one; chosen by warp, {branch('warp', 32) / branch('warp', 1) - 1:.0%} longer")

# Every block size that was measured: the driver's count of resident blocks against the rule, then the rows of the table.
sizes = {int(m[1]): (int(m[2]), us) for (kernel, params), us in times.items() if kernel == "block_size" for m in [re.match(r"threads=(\d+);resident=(\d+)", params)]}
for threads, (resident, us) in sizes.items():
    warps = -(-threads // 32)
    assert resident == min(32, 64 // warps), (threads, resident)
    used = threads / (32 * warps)
    if threads in (16, 32, 33, 48, 65, 100, 256, 1000):
        against, expected = us / sizes[32][1], 1 / used
        shown = "1" if threads == 32 else digits(against, 2)
        expect(f"| {threads:,} | {warps} | {float(f'{used * 100:.3g}'):g}% | {digits(us, 1)} | {shown} | {float(f'{expected:.3g}'):g} |")
assert len(sizes) == 13


def wave(kernel, blocks):
    return times[kernel, f"blocks={blocks};threads=512;" + ("clocks=40000" if kernel == "wait" else "iters=4096")]


for blocks in (132, 133, 264, 528, 529, 600, 1056, 1057):
    expect(f"| {blocks:,} | {-(-blocks // 528)} | {-(-blocks // 132)} | {digits(wave('wait', blocks), 1)} | {digits(wave('multiply', blocks), 1)} |")
expect(f"makes it {wave('wait', 529) / wave('wait', 528) - 1:.0%} slower")
expect(f"{(wave('multiply', 1056) - wave('multiply', 132)) / 7:.0f} µs for each of its blocks")
expect(f"the 133rd adds {wave('multiply', 133) / wave('multiply', 132) - 1:.0%} of the time")
expect(f"take {wave('wait', 5281) / wave('wait', 5280) - 1:.1%} longer than the 5,280")
expect(f"{40_000 / 1980:.0f} µs each, to which launch and clock add {wave('wait', 132) - 40_000 / 1980:.0f} µs")

expect(f"255 per thread | {number('latency multiply_add clocks'):.0f} |")
expect(f"228 KiB per multiprocessor | {number('latency shared clocks'):.0f} |")
expect(f"256 KiB | {number('latency l1 clocks'):.0f} |")
expect(f"60 MiB | {number('latency l2 table_bytes 4194304 .. clocks_per_load', bounds):.0f} |")
expect(f"141 GB | {number('latency memory table_bytes 1073741824 .. clocks_per_load', bounds):.0f} |")
expect(f"up to {number('shared_per_block_optin', bounds) / 1024:.0f} KiB per block, {number('shared_per_sm', bounds) / 1024:.0f} KiB")
barriers = [number(f"barrier threads {n} clocks") for n in (32, 256, 1024)]
expect("it takes {:.0f} clocks on an H200, with 256 threads {:.0f}, with 1,024 threads {:.0f}".format(*barriers))
expect(f"barrier takes {number('grid_barrier blocks 132 us'):.1f} µs")
expect(f"against {number('launch stream_us', bounds):.1f} µs")
expect(f"returned after {number('launch returns_us'):.0f} µs, while the kernel that it had started ran for {number('done_us') / 1000:.1f} ms")


def host(kernel, more=""):
    return times[kernel, f"n={2**26}{more}"]


size = 4 * 2**26
for words, kernel, more, bytes_moved in (("one vector to the device, pageable", "copy_to_device", ";host=pageable", size), ("one vector to the device, pinned", "copy_to_device", ";host=pinned", size),
                                         ("the kernel", "vec_add", "", 3 * size), ("the sum to the host, pinned", "copy_to_host", ";host=pinned", size)):
    ms, rate = host(kernel, more) / 1000, bytes_moved / host(kernel, more) * 1e-3
    expect(f"| {words} | {float(f'{ms:.3g}'):g} | {rate:,.{0 if rate > 1000 else 1}f} |")
expect(f"all of it, pageable | {digits(host('add') / 1000, 1)} |")
expect(f"one thread of the CPU | {digits(host('add_on_host') / 1000, 1)} |")
expect(f"take {(2 * host('copy_to_device', ';host=pinned') + host('copy_to_host', ';host=pinned')) / host('vec_add'):.0f} times as long")

launches = collections.defaultdict(list)
for row in places:
    launches[row["launch"]].append(row)
first = {launch: [row["sm"] for row in rows[:8]] for launch, rows in launches.items()}
assert [128, 129, 130, 131, 124, 125, 126, 127] in first.values() and [124, 125, 126, 127, 128, 129, 130, 131] in first.values(), first
assert all(len({row["sm"] for row in rows[:132]}) == 124 for rows in launches.values() if len(rows) > 132)
late = [[row["sm"] for row in rows if row["start_ns"] > 10_000] for rows in launches.values() if len(rows) == 600]
assert len({len(sms) for sms in late}) == 1
expect(f"Of 600 blocks {len(late[0])} started after the others; they went to {len(set(late[0]))} multiprocessors in one launch and to {len(set(late[1]))} in the next")
for words in ("no error", "an illegal memory access was encountered"):
    assert words in found
    expect(words)

print("the text agrees with the tables" if problems == 0 else f"{problems} disagreements")
sys.exit(problems > 0)
