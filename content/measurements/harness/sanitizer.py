"""What compute-sanitizer says of the kernels of content/listings/faulty.cu.

usage: python3 sanitizer.py > sanitizer-h200.json

Builds the listing with line numbers, runs each kernel under each of the four tools, and prints for both what was found: the tool's words for the
kind, and the lines of the listing.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

LISTING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "listings", "faulty.cu")
KERNELS = {1: "beyond_the_end", 2: "no_barrier", 3: "count", 4: "some_wait", 5: "some_leave", 6: "odd_quads", 7: "no_syncwarp"}


def run(command, timeout=120):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)


def findings(text):
    """(what, lines) of each finding, equal ones once."""
    found = []
    what, lines = None, []
    for line in text.splitlines():
        line = line.removeprefix("=========").strip()
        if re.match(r"(Invalid|Uninitialized|Misaligned|Barrier error|(Error|Warning|Info): Race)", line):
            what = re.sub(r" between.*| at .*|\[.*", "", line).strip()
            lines = [int(n) for n in re.findall(r"faulty\.cu:(\d+)", line)]
        elif what and re.search(r"faulty\.cu:\d+", line):
            lines += [int(n) for n in re.findall(r"faulty\.cu:(\d+)", line)]
        elif what and line.startswith("Address") or what and "misaligned" in line:
            if "misaligned" in line:
                what += ", misaligned"
        elif what and not line:
            found.append({"what": what, "lines": sorted(set(lines))})
            what, lines = None, []
    out = []
    for one in found:
        if one not in out:
            out.append(one)
    return out


def main():
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "faulty")
        built = run(["nvcc", "-O3", "-lineinfo", "-arch=native", LISTING, "-o", binary])
        if built.returncode:
            sys.exit(built.stdout)
        version = re.search(r"Version (\S+)", run(["compute-sanitizer", "--version"]).stdout)
        rows = []
        for number, name in KERNELS.items():
            for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
                done = run(["compute-sanitizer", "--tool", tool, binary, str(number)])
                summary = re.search(r"(ERROR SUMMARY|RACECHECK SUMMARY): (.*)", done.stdout)
                rows.append({"kernel": name, "tool": tool, "summary": summary.group(2) if summary else "", "findings": findings(done.stdout)})
        json.dump({"version": version.group(1) if version else "", "rows": rows}, sys.stdout, indent=1)
        print()


main()
