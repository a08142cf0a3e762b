"""A matrix product in Triton: C = A B with bf16 inputs, sums in fp32.

Run:  python3 matmul_triton.py      (needs PyTorch, Triton and a GPU)
"""
import torch
import triton
import triton.language as tl


# [kernel]
@triton.jit
def product(a, b, c, M, N, K,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TALL: tl.constexpr):
    # Which tile: TALL tiles of one column, then the next column, so that neighbors share B.
    across = tl.cdiv(N, BN)
    band = tl.program_id(0) // (TALL * across)
    place = tl.program_id(0) % (TALL * across)
    height = tl.minimum(tl.cdiv(M, BM) - band * TALL, TALL)
    i = (band * TALL + place % height) * BM + tl.arange(0, BM)
    j = (place // height) * BN + tl.arange(0, BN)

    k = tl.arange(0, BK)
    at_a = a + i[:, None] * K + k[None, :]  # BM x BK pointers
    at_b = b + k[:, None] * N + j[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        at_a += BK
        at_b += BK * N
    tl.store(c + i[:, None] * N + j[None, :], total.to(tl.bfloat16))
# [/kernel]


# [launch]
def matmul(a, b, BM=128, BN=256, BK=64, warps=8, stages=3):
    (M, K), (_, N) = a.shape, b.shape
    assert M % BM == 0 and N % BN == 0 and K % BK == 0  # no masks
    c = torch.empty(M, N, device=a.device, dtype=a.dtype)
    grid = ((M // BM) * (N // BN),)
    product[grid](a, b, c, M, N, K, BM, BN, BK, TALL=8,
                  num_warps=warps, num_stages=stages)
    return c
# [/launch]


def main():
    for m, n, k in ((128, 256, 64), (1408, 768, 640)):
        a = torch.randn(m, k, device="cuda").bfloat16()
        b = torch.randn(k, n, device="cuda").bfloat16()
        exact = a.double() @ b.double()
        assert (matmul(a, b).double() - exact).abs().max() <= exact.abs().max() / 256, (m, n, k)
    print("products of two shapes are right to the precision of bf16")


if __name__ == "__main__":
    main()
