"""The order of an adaptive session, worked out apart from the page, from the documented rules alone."""


def xorshift32(state):
    """Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (2003) 14: the triple 13, 17, 5."""
    while True:
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        yield state


def session(participant, answers):
    """The trials as (id, level, order, kind), each followed by the next of `answers` (True: right)."""
    answers = iter(answers)
    chooser = xorshift32(participant["seed"])
    blocks = sorted({part["block"] for part in participant["trials"] + participant["tracks"]})
    for block in blocks:
        extra = [t for t in participant["trials"] if t["block"] == block]
        for t in extra:
            if t["kind"] == "practice":
                yield t["id"], t["level_deg"], t["order"], t["kind"]
                next(answers)
        catches = [t for t in extra if t["kind"] == "catch"]
        states = [
            {"track": t, "level": t["start_step"], "run": 0, "moves": [], "trials": 0, "bits": xorshift32(t["seed"])}
            for t in participant["tracks"]
            if t["block"] == block
        ]
        done = 0
        while unfinished := [
            s
            for s in states
            if reversals(s["moves"]) < s["track"]["stop_reversals"] and s["trials"] < s["track"]["max_trials"]
        ]:
            state = unfinished[(next(chooser) >> 8) % len(unfinished)]
            track = state["track"]
            state["trials"] += 1
            order = "minus-plus" if next(state["bits"]) % 2 else "plus-minus"
            yield f"{track['id']}-{state['trials']}", track["steps"][state["level"]]["level_deg"], order, "test"
            if next(answers):
                state["run"] += 1
                if state["run"] == int(track["rule"][0]):
                    move(state, -1)
            else:
                move(state, +1)
            done += 1
            if done % 10 == 0 and catches:
                t = catches.pop(0)
                yield t["id"], t["level_deg"], t["order"], t["kind"]
                next(answers)


def reversals(moves):
    return sum(1 for before, after in zip(moves, moves[1:]) if before != after)


def move(state, direction):
    state["run"] = 0
    state["moves"].append(direction)
    sizes = state["track"]["step_change"]
    size = sizes[min(reversals(state["moves"]), len(sizes) - 1)]
    state["level"] = min(max(state["level"] + direction * size, 0), len(state["track"]["steps"]) - 1)
