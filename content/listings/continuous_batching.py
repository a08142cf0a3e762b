"""Requests in batches that drain and in batches that change at each step.  Run:  python3 continuous_batching.py"""
from collections import deque


class Request:
    def __init__(self, name, prompt, answer):
        self.name, self.prompt, self.answer = name, prompt, answer
        self.cached = 0  # tokens of the prompt that have been computed
        self.written = 0  # tokens of the answer

    def left(self):
        return self.prompt - self.cached


# [plan]
def plan(running, waiting, budget, places):
    """How many tokens each request puts into the next step."""
    share = {}
    for r in running:  # whoever writes takes one token
        if r.left() == 0:
            share[r] = 1
            budget -= 1
    for r in running:  # a prompt that has begun goes on
        if r.left() > 0 and budget > 0:
            share[r] = min(r.left(), budget)
            budget -= share[r]
    while waiting and budget > 0 and len(running) < places:
        r = waiting.popleft()  # a newcomer takes what is left
        running.append(r)
        share[r] = min(r.left(), budget)
        budget -= share[r]
    return share


def step(running, share):
    for r, tokens in share.items():
        r.cached = min(r.prompt, r.cached + tokens)
        r.written += r.left() == 0  # the last piece of a prompt gives the first token
    running[:] = [r for r in running if r.written < r.answer]
# [/plan]


def run(requests, budget, places, drain=False):
    waiting, running, steps = deque(requests), [], []
    while waiting or running:
        door = waiting if not (drain and running) else deque()
        share = plan(running, door, budget, places)
        steps.append({r.name: n for r, n in share.items()})
        step(running, share)
    return steps


def example():
    lengths = dict(A=9, B=3, C=4, D=2, E=6, F=3)
    return [Request(name, 8, n) for name, n in lengths.items()]


if __name__ == "__main__":
    for drain in True, False:
        steps = run(example(), 1024, 4, drain)
        used = sum(len(s) for s in steps)
        print("drain" if drain else "continuous", len(steps), "steps", used, "of", 4 * len(steps), "places")
        for name in "ABCDEF":
            print(" ", name, "".join("#" if name in s else "." for s in steps))
    assert [len(run(example(), 1024, 4, d)) for d in (True, False)] == [15, 9]
    # Two requests write while a prompt of 20 tokens is cut by a budget of 8.
    a, b = Request("a", 4, 9), Request("b", 4, 9)
    steps = run([a, b, Request("c", 20, 2)], 8, 4)
    for s in steps:
        print(s, sum(s.values()))
    assert [s.get("c", 0) for s in steps[:6]] == [0, 6, 6, 6, 2, 1]
    assert max(sum(s.values()) for s in steps) == 8
