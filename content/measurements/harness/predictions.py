#!/usr/bin/env python3
"""Puts predicted times beside measured ones: content/predictions/<device>.csv and the numbers of the page "How good is the model".

usage: predictions.py [--write] [--lk FILE]

Without --write it recomputes the table and fails when a number has moved by more than rounding, or when the page prints other
numbers; --write replaces the table and the numbers of the page. Predictions come from

  lk predict --csv content/measurements/h200.csv --device h200 --json

The samples beside them come from both runs of scripts/calibrate (listings-h200-*.json) and from library-h200.csv.
"""
import argparse
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONTENT = HERE.parent.parent
DEVICE = "h200"
HEAD = ["kernel", "params", "family", "group", "measured_us", "predicted_us", "datasheet_us", "calibrated_us", "limit",
        "launches", "median_us", "low_us", "high_us", "least_us", "most_us"]
ROUNDING = 1e-3  # numbers have four digits, and compilers differ in the last bits


def short(v):
    return f"{float(f'{v:.4g}'):f}".rstrip("0").rstrip(".") if v else ""


def measured():
    with open(HERE.parent / f"{DEVICE}.csv") as lines:
        return {(r["kernel"], r["params"]): r["median_us"] for r in csv.DictReader(lines)}


def samples():
    """For each row: launches, median, the bounds of the middle half, least and most."""
    out = {}
    with open(HERE / f"library-{DEVICE}.csv") as lines:
        for r in csv.DictReader(lines):
            out[r["kernel"], r["params"]] = [int(r["launches"]), *(float(r[k]) for k in ("median_us", "low_us", "high_us")), 0, 0]
    for key, us in listings().items():
        low, _, high = statistics.quantiles(us, n=4, method="inclusive")
        out[key] = [len(us), statistics.median(us), low, high, min(us), max(us)]
    return out


def runs():
    for path in sorted(HERE.glob(f"listings-{DEVICE}-*.json")):
        yield {(r["kernel"], r["params"]): r["us"] for r in json.loads(path.read_text())["rows"]}


def listings():
    out = {}
    for run in runs():
        for key, us in run.items():
            out.setdefault(key, []).extend(us)
    return out


def report(lk, table):
    command = [lk, "predict", "--content", str(CONTENT), "--csv", str(table), "--device", DEVICE, "--json"]
    done = subprocess.run(command, text=True, capture_output=True)  # status 1: whole steps of a model have no prediction
    if not done.stdout.startswith("{"):
        sys.exit(f"predictions: lk says: {done.stderr or done.stdout}")
    return json.loads(done.stdout)


def predicted(answer):
    times, more, rows = measured(), samples(), []
    for r in answer["rows"]:
        p = r.get("prediction")
        if not p:
            continue
        key = r["kernel"], r["params"]
        group = "layers" if p["family"] == "layer" else "library" if p["library"] else "hand-written"
        rows.append([*key, p["family"], group, times[key], *(short(p[k]) for k in ("predicted_us", "roofline_datasheet_us", "roofline_calibrated_us")),
                     p.get("binding", ""), *(short(v) for v in more.get(key, [0] * 6))])
    return rows


def moved(old, new):
    """What of two tables differs by more than rounding."""
    then = {(r["kernel"], r["params"]): list(r.values()) for r in old}
    for row in new:
        was = then.pop((row[0], row[1]), None)
        if was is None:
            yield f"{row[0]} {row[1]}: the table lacks this row"
            continue
        for name, a, b in zip(HEAD, was, row):
            same = a == b
            if name.endswith("_us") and a and b:
                same = abs(float(a) / float(b) - 1) <= ROUNDING
            if not same:
                yield f"{row[0]} {row[1]}: {name} is {b}, the table says {a}"
    for key in then:
        yield f"{key[0]} {key[1]}: the table has a row too many"


def family_table(families):
    for f in families:
        yield "| " + " | ".join([f["family"], str(f["rows"]), *(f"{f[k]:.1%}" for k in ("mean", "median", "worst", "roofline_datasheet_mean", "roofline_calibrated_mean"))]) + " |"


def with_table(page, families):
    """The page with its table of families as it should be."""
    before, rule, rest = page.partition("| :-- | --: | --: | --: | --: | --: | --: |\n")
    return before + rule + "\n".join(family_table(families)) + "\n" + rest[rest.index("\n\n") + 1 if rest.startswith("|") else 0:]


def sentences(lk):
    """What the text says beyond what the figure computes."""
    known = measured()
    with open(HERE / f"library-{DEVICE}.csv") as lines, tempfile.NamedTemporaryFile("w", suffix=".csv") as table:
        unseen = [r for r in csv.DictReader(lines) if (r["kernel"], r["params"]) not in known]
        table.write("".join(f"{r['kernel']},{r['params']},{r['median_us']}\n" for r in unseen))
        table.flush()
        new = {f["family"]: f for f in report(lk, table.name)["families"]}
    yield f"The {len(unseen)} rows of library kernels and layers that the fit never saw"
    yield f"{new['library']['mean']:.1%} on average over library kernels, {new['library']['worst']:.0%} at worst, and {new['layers']['mean']:.0%} over layers"
    first, second = runs()
    apart = sorted(abs(statistics.median(us) / statistics.median(second[key]) - 1) for key, us in first.items())
    yield f"every sample is kept: {len(first)} cases, {len(first['vec_add', 'n=4096'])} samples each"
    yield f"differ by {statistics.median(apart):.1%} in the median and by {apart[-1]:.1%} at most; in 90% of the cases by less than {apart[int(0.9 * len(apart))]:.1%}"
    spans = []
    for us in listings().values():
        low, _, high = statistics.quantiles(us, n=4, method="inclusive")
        spans.append((high - low) / statistics.median(us))
    yield f"the middle half of the {2 * len(first['vec_add', 'n=4096'])} samples spans {statistics.median(spans):.1%} of its median"
    said = re.search(r"by ([\d.]+%) in the median \(90% of the rows by less than ([\d.]+%)\), the library rows by ([\d.]+%) \(([\d.]+%)\)",
                     json.loads((HERE.parent / f"{DEVICE}.json").read_text())["repeatability"])
    yield f"differ by {said[1]} in the median for hand-written kernels (90% of the rows by less than {said[2]}) and by {said[3]} ({said[4]}) for library rows"
    with open(HERE / f"stalls-{DEVICE}.csv") as lines:
        stalls = {(r["kernel"], r["params"]): r for r in csv.DictReader(lines)}
    one = stalls["sgemm_2d_64", "n=512"]
    yield f"{float(one['long_scoreboard']) / float(one['cycles_between_issues']):.0%} of the time between two instructions of a warp"


def plain(markdown):
    return re.sub(r"\]\([^)]*\)", "]", markdown).replace("[", "").replace("]", "").replace("*", "").replace("\u00a0", " ")


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--lk", default=str(CONTENT.parent / "build" / "native" / "lk"))
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return
    answer = report(options.lk, HERE.parent / f"{DEVICE}.csv")
    new, path, page = predicted(answer), CONTENT / "predictions" / f"{DEVICE}.csv", CONTENT / "pages" / "model.md"
    if options.write:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(",".join(row) for row in [HEAD, *new]) + "\n")
        page.write_text(with_table(page.read_text(), answer["families"]))
    with open(path) as lines:
        problems = list(moved(csv.DictReader(lines), new))
    text = page.read_text()
    if not problems:  # else the table of the page may be as old as that of the figure
        problems = [f"pages/model.md lacks: {line}" for line in family_table(answer["families"]) if line not in text]
        problems += [f"pages/model.md does not say: {words}" for words in sentences(options.lk) if words not in plain(text)]
    for problem in problems:
        print(problem)
    print("the predictions are current, and the page agrees with them" if not problems else f"{len(problems)} disagreements; predictions.py --write takes over the tables, the sentences are yours")
    sys.exit(bool(problems))


main()
