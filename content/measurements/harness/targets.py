"""Compiles for many targets and runs the result on the GPU at hand: what runs, what is compiled by the driver, what is refused,
how long the first launch takes, and how fast the variants of vector addition are.

Run on a machine with a GPU and the CUDA toolkit:  python3 targets.py OUT_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
listings = here.parent.parent / "listings"
out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
nvcc = os.environ.get("NVCC", "nvcc")

TARGETS = [  # (name, virtual architecture, what the program carries)
    ("sm_80", "compute_80", "sm_80"),
    ("sm_90", "compute_90", "sm_90"),
    ("sm_90a", "compute_90a", "sm_90a"),
    ("sm_100", "compute_100", "sm_100"),
    ("sm_100f", "compute_100f", "sm_100f"),
    ("sm_120", "compute_120", "sm_120"),
    ("compute_75", "compute_75", "compute_75"),
    ("compute_80", "compute_80", "compute_80"),
    ("compute_90", "compute_90", "compute_90"),
    ("compute_90a", "compute_90a", "compute_90a"),
    ("compute_100", "compute_100", "compute_100"),
    ("sm_80+compute_80", "compute_80", "[sm_80,compute_80]"),
]


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    return done.returncode, (done.stdout + done.stderr).strip()


with tempfile.TemporaryDirectory() as scratch, open(out / "targets.csv", "w") as rows:
    rows.write("target,cache,run,exit,output\n")
    for name, arch, code in TARGETS:
        program = f"{scratch}/{name}"
        status, text = run([nvcc, "-O3", "-std=c++17", "-gencode", f"arch={arch},code={code}", str(here / "first_launch.cu"), "-o", program])
        if status != 0:
            rows.write(f"{name},,,{status},does not compile: {text!r}\n")
            continue
        for attempt in range(5):
            status, text = run([program], CUDA_CACHE_DISABLE="1")
            rows.write(f"{name},off,{attempt},{status},{' '.join(text.split(chr(10)))}\n")
        for attempt in range(5):
            status, text = run([program], CUDA_CACHE_DISABLE="0", CUDA_CACHE_PATH=f"{scratch}/cache-{name}")
            rows.write(f"{name},on,{attempt},{status},{' '.join(text.split(chr(10)))}\n")
        status, text = run([program], CUDA_FORCE_PTX_JIT="1", CUDA_CACHE_DISABLE="1")
        rows.write(f"{name},force_ptx_jit,0,{status},{' '.join(text.split(chr(10)))}\n")
        rows.flush()

    program = f"{scratch}/variants"
    status, text = run([nvcc, "-O3", "-std=c++17", "-arch=native", str(listings / "vec_add_variants.cu"), "-o", program])
    for attempt in range(3):
        status, text = run([program])
        (out / f"variants-{attempt}.csv").write_text(text + "\n")

(out / "versions.txt").write_text(run([nvcc, "--version"])[1] + "\n" + run(["nvidia-smi"])[1] + "\n")
