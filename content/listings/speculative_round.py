"""Does a round of speculative sampling leave the distribution of the target alone?  Run:  python3 speculative_round.py

Every way that a round can go is enumerated with its probability, in fractions, and compared with the target.
"""
from fractions import Fraction
from itertools import product

TOKENS, DRAFTED = 3, 2


def normalized(weights):
    total = sum(weights)
    return [Fraction(w, total) for w in weights]


def target(prefix):
    return normalized([1 + (3 * t + 5 * sum(prefix) + len(prefix)) % 7 for t in range(TOKENS)])


def draft(prefix):
    return normalized([1 + (2 * t + 3 * sum(prefix)) % 5 for t in range(TOKENS)])


# [round]
def residual(p, q):
    left = [max(a - b, 0) for a, b in zip(p, q)]
    return [x / sum(left) for x in left]


def round_of(prefix, drafted):
    """Yields (tokens, probability): what one round appends to the prefix, and how likely."""

    def check(kept, chance):
        here = prefix + kept
        p, q = target(here), draft(here)
        if len(kept) == drafted:  # all kept: the target's own token comes on top
            yield from ((kept + (t,), chance * p[t]) for t in range(TOKENS))
            return
        for t in range(TOKENS):
            keep = min(1, p[t] / q[t])
            yield from check(kept + (t,), chance * q[t] * keep)
            if keep < 1:  # rejected: one token of the rest, and the round is over
                for u, r in enumerate(residual(p, q)):
                    yield kept + (u,), chance * q[t] * (1 - keep) * r

    yield from check((), Fraction(1))
# [/round]


def under_target(tokens, prefix=()):
    chance = Fraction(1)
    for i, t in enumerate(tokens):
        chance *= target(prefix + tokens[:i])[t]
    return chance


def main():
    rounds = [(tokens, chance) for tokens, chance in round_of((), DRAFTED) if chance]
    assert sum(chance for _, chance in rounds) == 1
    for sequence in product(range(TOKENS), repeat=DRAFTED + 1):
        # What a round did not produce, the target goes on to write.
        chance = sum(c * under_target(sequence[len(t) :], t) for t, c in rounds if sequence[: len(t)] == t)
        assert chance == under_target(sequence), sequence
    lengths = [sum(c for t, c in rounds if len(t) == n) for n in range(1, DRAFTED + 2)]
    print("every sequence has exactly the target's probability")
    print("probability of 1, 2, 3 tokens:", *lengths, "mean", float(sum(n * c for n, c in enumerate(lengths, 1))))


main()
