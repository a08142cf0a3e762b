"""Vector addition in Triton: a program adds a block of elements.

Run:  python3 vec_add_triton.py      (needs PyTorch, Triton and a GPU)
"""
import torch
import triton
import triton.language as tl


# [kernel]
@triton.jit
def add_blocks(a, b, c, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    i = first + tl.arange(0, BLOCK)  # BLOCK numbers
    inside = i < n                   # BLOCK bits
    x = tl.load(a + i, mask=inside)
    y = tl.load(b + i, mask=inside)
    tl.store(c + i, x + y, mask=inside)
# [/kernel]


# [launch]
def vector_sum(a, b, block=1024):
    c = torch.empty_like(a)
    n = a.numel()
    grid = (triton.cdiv(n, block),)
    add_blocks[grid](a, b, c, n, BLOCK=block)
    return c
# [/launch]


def main():
    for n in (1, 1023, 1024, 1_000_000):
        a = torch.randn(n, device="cuda")
        b = torch.randn(n, device="cuda")
        assert torch.equal(vector_sum(a, b), a + b), n
    print("sums of 1, 1023, 1024 and 1,000,000 elements are right")


if __name__ == "__main__":
    main()
