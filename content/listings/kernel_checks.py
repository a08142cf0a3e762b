"""Which tests catch which wrong kernels?  Run:  python3 kernel_checks.py

Stand-ins for generated kernels, four wrong and one right, against references in float64.
"""
import math
import random
import struct


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


# [kernels]
def relu(x, w):
    return [max(v, 0.0) for v in x]


def relu_returns_input(x, w):  # right for every x >= 0
    return x


def scale(x, w):
    return [v * w for v in x]


def scale_forgets_weight(x, w):  # right while the weight is 1
    return x


def project(x, w):  # outputs near 1e-4
    return [1e-4 * (a - b) for a, b in zip(x, reversed(x))]


def project_returns_zeros(x, w):
    return [0.0] * len(x)


def normalize(x, w):
    mean = math.fsum(x) / len(x)
    variance = math.fsum((v - mean) ** 2 for v in x) / len(x)
    return [(v - mean) / math.sqrt(variance + 1e-5) for v in x]


def normalize_two_passes(x, w):  # right, in float32
    total = squares = 0.0
    for v in x:
        total = f32(total + v)
    mean = f32(total / len(x))
    for v in x:
        squares = f32(squares + f32(f32(v - mean) * f32(v - mean)))
    variance = f32(squares / len(x))
    return [f32((v - mean) / math.sqrt(variance + 1e-5)) for v in x]


def normalize_one_pass(x, w):  # E[x^2] - E[x]^2 in float32
    total = squares = 0.0
    for v in x:
        total, squares = f32(total + v), f32(squares + f32(v * v))
    mean = f32(total / len(x))
    variance = max(f32(f32(squares / len(x)) - f32(mean * mean)), 0.0)
    return [f32((v - mean) / math.sqrt(variance + 1e-5)) for v in x]
# [/kernels]


# [tests]
def worst(got, want, absolute, relative):
    """The largest error as a multiple of what is allowed: passes up to 1."""
    return max(abs(g - w) / (absolute + relative * abs(w)) for g, w in zip(got, want))


def judge(kernel, reference, x, w=1.0, tolerance=1e-3, by_scale=False):
    want = reference(x, w)
    size = math.sqrt(math.fsum(v * v for v in want) / len(want)) if by_scale else 1.0
    return worst(kernel(x, w), want, tolerance * size, tolerance)


def suite(kernel, reference, n=4096, seed=7):
    draw = random.Random(seed)
    x = [f32(draw.random()) for _ in range(n)]  # torch.rand: [0, 1)
    return {
        "as is": judge(kernel, reference, x),
        "x 3": judge(kernel, reference, [f32(3 * v) for v in x]),
        "x 0.01": judge(kernel, reference, [f32(0.01 * v) for v in x]),
        "x -1": judge(kernel, reference, [-v for v in x]),
        "weight drawn": judge(kernel, reference, x, w=f32(draw.gauss(0, 1))),
        "shifted by 100": judge(kernel, reference, [f32(v + 100) for v in x]),
        "by scale": judge(kernel, reference, x, by_scale=True),
    }
# [/tests]


CASES = [
    ("ReLU returns its input", relu_returns_input, relu),
    ("scale forgets its weight", scale_forgets_weight, scale),
    ("projection returns zeros", project_returns_zeros, project),
    ("variance in one pass", normalize_one_pass, normalize),
    ("variance in two passes", normalize_two_passes, normalize),
]

if __name__ == "__main__":
    for name, kernel, reference in CASES:
        print(name)
        for test, error in suite(kernel, reference).items():
            print(f"  {test:15} {'pass' if error <= 1 else 'FAIL'}  {error:10.4g} of what is allowed")
