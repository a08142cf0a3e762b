"""What four measures make of the same answer.  Run:  python3 token_times.py

A request arrives at 0; `times` says when each token reached the client. All in ms.
"""


# [measures]
def measures(times, first=500, between=50):
    slack, met, before = 0, 0, 0
    gaps = []
    for i, time in enumerate(times):
        # saved time may be spent
        due = (between if i else first) + slack
        took = time - before
        met += took <= due
        slack = max(due - took, 0)
        if i:
            gaps.append(took)
        before = time
    return {
        "ttft": times[0],
        "tpot": sum(gaps) / len(gaps),
        "longest gap": max(gaps),
        "in time": met / len(times),
    }
# [/measures]


def answer(first, gaps):
    times = [first]
    for gap in gaps:
        times.append(times[-1] + gap)
    return times


if __name__ == "__main__":
    print("late stall ", measures(answer(300, [20] * 4 + [270] + [20] * 5)))
    print("early stall", measures(answer(490, [270] + [20] * 9)))
    print("even       ", measures(answer(490, [45] * 10)))
    print("end to end ", answer(300, [20] * 4 + [270] + [20] * 5)[-1], answer(490, [270] + [20] * 9)[-1])
