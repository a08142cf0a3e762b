"""Section 1.3: one step of a model with the sizes of Llama 3.1 8B, with the KV cache and without it.

Run:  python3 kv_cache.py > results.csv      (needs a GPU with 100 GB of memory and PyTorch 2.5 or newer; two minutes)

Weights are random. All 32 layers and the output head run, as one CUDA graph. With the cache a step takes one token of each
sequence, stores its keys and values behind the others and attends to all of them; without it the whole sequence goes through
the model and only the last position through the head. Elementwise work is fused by torch.compile. Attention with the cache is
timed twice, by cuDNN and by FlashAttention-2, which cuts a long context into parts that run side by side.
"""
import statistics
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

LAYERS, HIDDEN, HEADS, KV_HEADS, DIM, FFN, VOCABULARY = 32, 4096, 32, 8, 128, 14336, 128256
device, kind = torch.device("cuda"), torch.bfloat16
torch.manual_seed(1)
backends = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


def weight(rows, columns):
    return torch.randn(rows, columns, device=device, dtype=kind) * columns**-0.5


layers = [
    (weight((HEADS + 2 * KV_HEADS) * DIM, HIDDEN), weight(HIDDEN, HEADS * DIM), weight(2 * FFN, HIDDEN), weight(HIDDEN, FFN))
    for _ in range(LAYERS)
]
head = weight(VOCABULARY, HIDDEN)
gain = torch.ones(HIDDEN, device=device, dtype=kind)
angles = torch.outer(torch.arange(131072, device=device), 500000.0 ** -(torch.arange(0, DIM, 2, device=device) / DIM))
cosines, sines = angles.cos().to(kind), angles.sin().to(kind)


def turn(x, cosine, sine):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cosine - b * sine, a * sine + b * cosine), -1)


@torch.compile(dynamic=False)
def before(x, qkv, cosine, sine):
    batch, tokens, _ = x.shape
    parts = (F.rms_norm(x, (HIDDEN,), gain) @ qkv.T).view(batch, tokens, HEADS + 2 * KV_HEADS, DIM).transpose(1, 2)
    q, k, v = parts.split((HEADS, KV_HEADS, KV_HEADS), 1)
    return turn(q, cosine, sine), turn(k, cosine, sine), v


@torch.compile(dynamic=False)
def after(x, attended, out, up, down):
    x = x + attended.transpose(1, 2).reshape(x.shape[0], x.shape[1], HEADS * DIM) @ out.T
    gate, value = (F.rms_norm(x, (HIDDEN,), gain) @ up.T).chunk(2, -1)
    return x + (F.silu(gate) * value) @ down.T


def cached(x, store, context, backend):
    cosine, sine = cosines[context - 1 : context], sines[context - 1 : context]
    for (qkv, out, up, down), (keys, values) in zip(layers, store):
        q, k, v = before(x, qkv, cosine, sine)
        keys[:, :, context - 1 : context].copy_(k)
        values[:, :, context - 1 : context].copy_(v)
        # The queries that share a key head stand in the place of positions, so that its keys are read once for all of them.
        grouped = q.reshape(x.shape[0], KV_HEADS, HEADS // KV_HEADS, DIM)
        with sdpa_kernel(backend):
            attended = F.scaled_dot_product_attention(grouped, keys, values)
        x = after(x, attended.reshape(x.shape[0], HEADS, 1, DIM), out, up, down)
    return F.rms_norm(x[:, -1], (HIDDEN,), gain) @ head.T


def recomputed(x):
    tokens = x.shape[1]
    for qkv, out, up, down in layers:
        q, k, v = before(x, qkv, cosines[:tokens], sines[:tokens])
        with sdpa_kernel(backends["flash"]):
            attended = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = after(x, attended, out, up, down)
    return F.rms_norm(x[:, -1], (HIDDEN,), gain) @ head.T


def same():
    """All ways to the last position's output agree."""
    tokens = 64
    x = torch.randn(2, tokens, HIDDEN, device=device, dtype=kind)
    store = [tuple(torch.zeros(2, KV_HEADS, tokens, DIM, device=device, dtype=kind) for _ in "kv") for _ in layers]
    for t in range(1, tokens):
        cached(x[:, t - 1 : t], [(k[:, :, :t], v[:, :, :t]) for k, v in store], t, backends["flash"])
    whole = recomputed(x)
    for name, backend in backends.items():
        error = (cached(x[:, -1:], store, tokens, backend) - whole).norm() / whole.norm()
        print(f"relative difference from the whole sequence, {name}: {error:.4f}", file=sys.stderr)
        assert error < 0.05


def time(work, rounds):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    times = []
    for _ in range(rounds + 2):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times[2:])


torch._dynamo.config.cache_size_limit = 100
print("kernel,params,median_us")
with torch.inference_mode():
    same()
    for batch, contexts in ((1, (1024, 8192, 32768, 131072)), (8, (1024, 8192, 32768)), (32, (1024, 4096, 8192, 16384)), (128, (1024, 4096))):
        for context in contexts:
            store = [tuple(torch.randn(batch, KV_HEADS, context, DIM, device=device, dtype=kind) for _ in "kv") for _ in layers]
            x = torch.randn(batch, 1, HIDDEN, device=device, dtype=kind)
            for name, backend in backends.items():
                took = time(lambda: cached(x, store, context, backend), 15)
                print(f"llama3_8b_step_{name},cache=1;batch={batch};context={context},{took:.1f}", flush=True)
            del store, x
            torch.cuda.empty_cache()
    for context in (1, 16, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768):
        x = torch.randn(1, context, HIDDEN, device=device, dtype=kind)
        print(f"llama3_8b_step_flash,cache=0;batch=1;context={context},{time(lambda: recomputed(x), 7):.1f}", flush=True)
        del x
        torch.cuda.empty_cache()
