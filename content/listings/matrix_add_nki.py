"""The sum of two matrices in NKI, for one core of AWS Trainium.

Written from the documentation of Neuron 2.33; neither compiled nor run.
"""
import nki
import nki.isa as nisa
import nki.language as nl


# [kernel]
@nki.jit
def matrix_sum(a, b):
    rows, columns = a.shape
    P = nl.tile_size.pmax                  # 128 partitions
    assert a.shape == b.shape and rows % P == 0
    c = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for r in range(rows // P):             # unrolled before compilation
        at = nl.ndarray((P, columns), dtype=a.dtype, buffer=nl.sbuf)
        bt = nl.ndarray((P, columns), dtype=a.dtype, buffer=nl.sbuf)
        ct = nl.ndarray((P, columns), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=at, src=a[r * P:(r + 1) * P, 0:columns])
        nisa.dma_copy(dst=bt, src=b[r * P:(r + 1) * P, 0:columns])
        nisa.tensor_tensor(dst=ct, data1=at, data2=bt, op=nl.add)
        nisa.dma_copy(dst=c[r * P:(r + 1) * P, 0:columns], src=ct)
    return c
# [/kernel]
