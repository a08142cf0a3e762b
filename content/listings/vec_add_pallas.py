"""Vector addition in Pallas: the grid and the blocks stand outside the kernel.

Run:  python3 vec_add_pallas.py      (needs JAX; interpreted, so no accelerator)
"""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


# [kernel]
def add_block(a, b, c):  # three references, each to one block
    c[...] = a[...] + b[...]
# [/kernel]


# [call]
def vector_sum(a, b, block=1024, interpret=False):
    one = pl.BlockSpec((block,), lambda i: (i,))  # step i: block i
    add = pl.pallas_call(
        add_block,
        grid=(pl.cdiv(a.size, block),),
        in_specs=[one, one], out_specs=one,
        out_shape=jax.ShapeDtypeStruct(a.shape, a.dtype),
        interpret=interpret)
    return add(a, b)
# [/call]


def main():
    for n in (1024, 4096, 1_000_000):
        a = jax.random.normal(jax.random.key(1), (n,))
        b = jax.random.normal(jax.random.key(2), (n,))
        assert jnp.array_equal(vector_sum(a, b, interpret=True), a + b), n
    print("sums of 1024, 4096 and 1,000,000 elements are right")


if __name__ == "__main__":
    main()
