"""A pool of cache blocks that finds common beginnings.  Run:  python3 prefix_blocks.py"""
import hashlib
from collections import OrderedDict

SIZE = 16  # tokens of a block


def names(tokens):
    """One name for each full block; it stands for the block and all before it."""
    name, out = b"", []
    for i in range(0, len(tokens) - len(tokens) % SIZE, SIZE):
        name = hashlib.sha256(name + repr(tokens[i : i + SIZE]).encode()).digest()
        out.append(name)
    return out


# [pool]
class Pool:
    def __init__(self, blocks):
        self.free = OrderedDict.fromkeys(range(blocks))  # the next to be given away comes first
        self.users = [0] * blocks
        self.block_of = {}  # name to block
        self.name_of = {}  # block to name

    def begin(self, tokens):
        """The blocks of a new request, and how many of its tokens they already hold."""
        found = []
        for name in names(tokens[:-1]):  # the last token is computed in any case
            if name not in self.block_of:
                break
            found.append(self.block_of[name])
        for b in found:  # in use again: out of the free list
            self.users[b] += 1
            self.free.pop(b, None)
        need = -(-len(tokens) // SIZE) - len(found)
        if need > len(self.free):
            self.end(found)
            return None
        table = found + [self.take() for _ in range(need)]
        for b, name in zip(table, names(tokens)):
            if name not in self.block_of:  # full blocks can be found by others
                self.block_of[name], self.name_of[b] = b, name
        return table, len(found) * SIZE

    def take(self):
        b, _ = self.free.popitem(last=False)
        self.block_of.pop(self.name_of.pop(b, None), None)  # forget what it held
        self.users[b] = 1
        return b

    def end(self, table):
        for b in reversed(table):  # tails are given away before beginnings
            self.users[b] -= 1
            if self.users[b] == 0:
                self.free[b] = None
# [/pool]


if __name__ == "__main__":
    pool = Pool(12)
    first = list(range(70))  # 5 blocks, the last with 6 tokens
    second = first[:40] + list(range(500, 530))  # agrees for 40 tokens
    one, held = pool.begin(first)
    print(one, held)
    assert held == 0 and len(one) == 5
    two, held = pool.begin(second)
    print(two, held)
    assert held == 32 and two[:2] == one[:2] and pool.users[one[0]] == 2
    pool.end(one)
    pool.end(two)
    print(list(pool.free))
    assert len(pool.free) == 12  # all are free, and still known
    again, held = pool.begin(first)
    print(again, held)
    assert held == 64
    pool.end(again)
    exact, held = pool.begin(first[:64])  # the same 64 tokens and no more
    print(exact, held)
    assert held == 48
    pool.end(exact)
    assert pool.begin(list(range(1000, 1000 + 13 * SIZE))) is None  # 13 blocks do not fit
    big, held = pool.begin(list(range(1000, 1000 + 12 * SIZE)))
    assert held == 0 and len(big) == 12
    pool.end(big)
    assert pool.begin(first)[1] == 0  # all of it was given away
    print("right")
