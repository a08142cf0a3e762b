"""Softmax of each row of a matrix in Triton, with the row held in registers.

Run:  python3 softmax_triton.py      (needs PyTorch, Triton and a GPU)
"""
import torch
import triton
import triton.language as tl


# [kernel]
@triton.jit
def softmax_row(x, y, columns, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    j = tl.arange(0, WIDTH)  # a power of two, at least columns
    inside = j < columns
    v = tl.load(x + row + j, mask=inside, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row + j, e / tl.sum(e, axis=0), mask=inside)
# [/kernel]


# [launch]
def softmax(x, warps=8):
    rows, columns = x.shape
    y = torch.empty_like(x)
    width = triton.next_power_of_2(columns)
    softmax_row[(rows,)](x, y, columns, WIDTH=width, num_warps=warps)
    return y
# [/launch]


def main():
    for rows, columns in ((1, 1), (3, 1000), (64, 8192)):
        x = torch.randn(rows, columns, device="cuda")
        assert torch.allclose(softmax(x), torch.softmax(x, dim=1), rtol=1e-5, atol=1e-7), (rows, columns)
    print("rows of 1, 1000 and 8192 columns agree with PyTorch")


if __name__ == "__main__":
    main()
