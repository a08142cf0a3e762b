"""First come, first served against the virtual token counter.  Run:  python3 fair_queue.py

One engine with a fixed number of places. A step gives one token to each request that runs; a request that is admitted
has its prompt read at once. Two clients send requests of their own size and pace.
"""
from collections import deque
from dataclasses import dataclass

PLACES, STEPS = 8, 4000
PROMPT_WEIGHT, TOKEN_WEIGHT = 1, 2


@dataclass
class Request:
    client: str
    prompt: int
    answer: int
    written: int = 0


class ArrivalOrder:
    def __init__(self):
        self.waiting = deque()

    def arrive(self, request):
        self.waiting.append(request)

    def next(self):
        return self.waiting.popleft() if self.waiting else None

    def token(self, request):
        pass


# [counter]
class TokenCounter:
    def __init__(self):
        self.waiting, self.count = {}, {}

    def arrive(self, request):
        queue = self.waiting.setdefault(request.client, deque())
        if not queue:  # back after a pause: no credit for the time away
            others = [self.count[c] for c, q in self.waiting.items() if q]
            own = self.count.get(request.client, 0)
            self.count[request.client] = max(own, min(others)) if others else own
        queue.append(request)

    def next(self):
        clients = [c for c, q in self.waiting.items() if q]
        if not clients:
            return None
        client = min(clients, key=self.count.get)
        request = self.waiting[client].popleft()
        self.count[client] += PROMPT_WEIGHT * request.prompt
        return request

    def token(self, request):
        self.count[request.client] += TOKEN_WEIGHT
# [/counter]


class WithoutLift(TokenCounter):
    def arrive(self, request):
        self.waiting.setdefault(request.client, deque()).append(request)
        self.count.setdefault(request.client, 0)


def serve(policy, sizes):
    """sizes: client -> (prompt, answer, steps between two requests, first step). Returns service by client and the widest gap."""
    running, service, widest = [], {c: 0 for c in sizes}, 0
    start = None
    for step in range(STEPS):
        for client, (prompt, answer, every, first) in sizes.items():
            if step >= first and (step - first) % every == 0:
                policy.arrive(Request(client, prompt, answer))
        while len(running) < PLACES and (request := policy.next()):
            running.append(request)
            service[request.client] += PROMPT_WEIGHT * request.prompt
        for request in running:
            request.written += 1
            service[request.client] += TOKEN_WEIGHT
            policy.token(request)
        running = [r for r in running if r.written < r.answer]
        if step == max(first for *_, first in sizes.values()):
            start = dict(service)
        if start:
            gained = [service[c] - start[c] for c in sizes]
            widest = max(widest, max(gained) - min(gained))
    return {c: service[c] - start[c] for c in sizes}, widest


def main():
    # Both send more than the engine can serve; the second sends four times as often, and both have the same sizes.
    even = {"quiet": (100, 50, 8, 0), "loud": (100, 50, 2, 0)}
    # The second asks for long answers.
    long = {"short": (20, 20, 2, 0), "long": (400, 200, 20, 0)}
    # The second comes when the first has been served alone for a thousand steps.
    late = {"early": (100, 50, 4, 0), "late": (100, 50, 4, 1000)}
    for name, sizes in (("four times as many", even), ("long against short", long), ("a late client", late)):
        for policy in (ArrivalOrder(), TokenCounter()):
            service, widest = serve(policy, sizes)
            print(f"{name:20} {type(policy).__name__:13}", service, "widest", widest)
    print("a late client, without the lift:", serve(WithoutLift(), late))
    longest, most = 400, PLACES * (400 + 200)
    print("bound of the counter, long against short:", 2 * max(PROMPT_WEIGHT * longest, TOKEN_WEIGHT * most))


main()
