"""Is it worth to give prompts and answers machines of their own?  Run:  python3 pool_split.py

A decode step takes A + C * batch. Both constants, and the time of a prompt, were measured on an H200 with a model
of the sizes of Llama 3.1 8B, at 4,096 tokens. Times in ms, rates in requests a second for each GPU.
"""

A = 4.481  # a step without sequences
C = 0.14102  # what each sequence adds
PROMPT = 110.28  # prefill of 4,096 tokens


# [model]
def colocated(tpot, answer):
    # each sequence with its prompts
    batch = (tpot - A) / (C + PROMPT / answer)
    return 1000 * batch / (answer * tpot)


def decode_pool(tpot, answer):
    batch = (tpot - A) / C
    return 1000 * batch / (answer * tpot)


def split(tpot, answer, p=None, d=1):
    one = 1000 / PROMPT
    other = decode_pool(tpot, answer)
    if p is None:  # any ratio
        return 1 / (1 / one + 1 / other)
    rate = min(p * one, d * other)
    return rate / (p + d)
# [/model]


if __name__ == "__main__":
    print("tpot answer colocated split gain 1P1D 2P1D 3P1D")
    for tpot, answer in [(6, 256), (8, 256), (12, 256), (20, 256), (50, 256), (12, 64), (12, 512), (12, 1024)]:
        both, apart = colocated(tpot, answer), split(tpot, answer)
        fixed = [split(tpot, answer, p) for p in (1, 2, 3)]
        print(tpot, answer, *(f"{x:.2f}" for x in [both, apart, apart / both, *fixed]))
