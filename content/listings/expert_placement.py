"""Which experts to copy, and which GPU gets which copy.  Run:  python3 expert_placement.py

The two greedy steps of EPLB, DeepSeek's load balancer, written anew, and its published example as the test.
"""


# [steps]
def copies(load, slots):
    """One slot for each expert; each spare one to the expert
    whose copies are the busiest."""
    experts = list(range(len(load)))
    count = [1] * len(load)
    while len(experts) < slots:
        hot = max(range(len(load)), key=lambda e: load[e] / count[e])
        experts.append(hot)
        count[hot] += 1
    return experts, count


def pack(weights, bins):
    """Heaviest first, each into the lightest bin with room."""
    room = len(weights) // bins
    held, total = [[] for _ in range(bins)], [0.0] * bins
    for i in sorted(range(len(weights)), key=lambda i: -weights[i]):
        b = min((b for b in range(bins) if len(held[b]) < room),
                key=lambda b: total[b])
        held[b].append(i)
        total[b] += weights[i]
    return held


def place(load, slots, groups, nodes, gpus):
    """The experts of each GPU, in order of its slots."""
    if groups % nodes:
        groups = nodes = 1  # global: groups and nodes do not count
    size = len(load) // groups
    sums = [sum(load[g * size:(g + 1) * size]) for g in range(groups)]
    plan = []
    for kept in pack(sums, nodes):
        local = [g * size + i for g in kept for i in range(size)]
        mine = [load[e] for e in local]
        experts, count = copies(mine, slots // nodes)
        share = [mine[e] / count[e] for e in experts]
        for held in pack(share, gpus // nodes):
            plan.append([local[experts[i]] for i in held])
    return plan
# [/steps]


def busiest(load, plan):
    """Load of the fullest GPU over the mean; the copies of an expert share its load evenly."""
    count = [sum(gpu.count(e) for gpu in plan) for e in range(len(load))]
    gpus = [sum(load[e] / count[e] for e in gpu) for gpu in plan]
    return max(gpus) / (sum(gpus) / len(gpus)), gpus


LAYERS = [[90, 132, 40, 61, 104, 165, 39, 4, 73, 56, 183, 86],
          [20, 107, 104, 64, 19, 197, 187, 157, 172, 86, 16, 27]]
PUBLISHED = [[5, 6, 5, 7, 8, 4, 3, 4, 10, 9, 10, 2, 0, 1, 11, 1],
             [7, 10, 6, 8, 6, 11, 8, 9, 2, 4, 5, 1, 5, 0, 3, 1]]

if __name__ == "__main__":
    for load, published in zip(LAYERS, PUBLISHED):
        plan = place(load, 16, 4, 2, 8)
        assert [e for gpu in plan for e in gpu] == published, plan
        assert sorted({e for gpu in plan for e in gpu}) == list(range(12))
        for name, p in (("hierarchical", plan), ("global", place(load, 16, 3, 2, 8)),
                        ("no copies, 4 GPUs", [list(range(g * 3, g * 3 + 3)) for g in range(4)])):
            ratio, gpus = busiest(load, p)
            print(f"{name:18} busiest / mean {ratio:.3f}", [round(x, 1) for x in gpus])
    print("right")
