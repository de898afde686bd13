"""Faults of servers: of downloads and of language models; whatever they send, it is refused, or asked for again."""

import json
import os
import signal

import pytest
from fault_folder import Folder, wait_for
from fault_round import ATTEMPTS, Round, exactly
from fault_server import (
    body,
    cut_answer,
    cut_body,
    endless,
    immense,
    other_bytes,
    packed,
    redirect,
    reset,
    status,
    wrong_rest,
)
from made_folders import ANSWERS, AT_ONCE, SENTENCES

FILES = [f"results/sources/texts/{lang}.txt" for lang in ("eng", "spa")]
# Asked again, and then all is well: what is sent, and how often the file is asked for.
PASSING = {
    "503, then well": ([status(503)], 2),
    "a reset connection": ([reset], 2),
    "a cut body, then the rest": ([cut_body(0.4)], 2),
    "a cut body, then the rest from another place": ([cut_body(0.4), wrong_rest], 3),
}
# The run ends with this message.
FINAL = {
    "other bytes": (other_bytes, "has sha256"),
    "a packed body": (packed, "packed (gzip)"),
    "a body longer than any disk": (immense, "are free at"),
    "404": (status(404), "answered 404"),
    "a wait of a day": (status(503, headers={"Retry-After": 86400}), "asks to wait 86,400 seconds"),
    "a rest that nobody asked for": (wrong_rest, "though asked for the whole file"),
}


def hostile_server(this: Round) -> Folder:
    """A server that sends what it should not: what can be mended is, all else is a message; then it behaves."""
    fetched = this.rng.choice(FILES)
    name = f"/{fetched.rpartition('/')[2]}"
    folder = this.start(this.reference.after(fetched))
    what = [*PASSING, *FINAL, "killed during a download"][this.turn % (len(PASSING) + len(FINAL) + 1)]
    if what in PASSING:
        faults, times = PASSING[what]
        this.server.script = {name: list(faults)}
        before = folder.logs()
        run = folder.run()
        assert run.code == 0, run.said
        asked = [place for path, place in this.server.asked if path == name]
        assert len(asked) == times and asked[0] == "", asked
        if "rest" in what:
            share = int(0.4 * len(this.reference.files[fetched]))
            assert asked[1] == f"bytes={share}-", asked
        assert folder.jobs_since(before) == sorted(this.reference.jobs(this.lost)), run.said
        this.must_run = set()
    elif what in FINAL:
        fault, said = FINAL[what]
        this.server.script = {name: [fault]}
        this.refused(folder, said, f"{this.server.url}{name}")
        assert list(folder.results.rglob("*.part*")) == []
    else:
        half = len(this.reference.files[fetched]) // 2
        waiting = []

        def stall(handler, whole):
            handler.send(200, whole, tag=f'"{len(whole)}-{hash(whole)}"', cut=len(whole) - half)
            waiting.append(True)
            handler.server.owner.closing.wait(30)

        this.server.script = {name: [stall]}
        part = folder.path / f"{fetched}.part"
        for _ in range(ATTEMPTS):
            with folder.running() as process:
                assert wait_for(lambda: waiting and part.exists() and part.stat().st_size == half, process), (
                    folder.said()
                )
                os.killpg(process.pid, signal.SIGKILL)
                if process.wait() == -signal.SIGKILL:
                    break
        this.server.asked.clear()
    this.say(f"{name}: {what}")
    return folder


def endless_download(this: Round) -> Folder:
    """A body without end fills the disk: a message, and the disk is as free as before."""
    fetched = this.rng.choice(FILES)
    folder = this.start(this.reference.after(fetched))
    this.server.script = {f"/{fetched.rpartition('/')[2]}": [endless]}
    run = this.refused(folder, "No space left on device", "free some space and run again")
    assert list(folder.results.rglob("*.part*")) == [], run.said
    this.say("filled the disk, and was given up")
    return folder


# Each is asked again within the run.
REPEATED = {
    "500": status(500),
    "503": status(503),
    "429": status(429, "slow down", {"Retry-After": "0.1"}),
    "reset": reset,
    "cut": cut_answer,
    "nested": body(b'{"choices":' * 5000),
    "html": body(b"<html>Welcome to the proxy</html>"),
    "empty": body(b""),
    "no choices": body(json.dumps({"choices": []}).encode()),
    "half an emoji": body(json.dumps({"choices": [{"text": "\ud83d", "finish_reason": "stop"}]}).encode()),
}
# Each stops the run.
STOPPING = {
    "401": (status(401), "HTTP 401"),
    "quota": (status(429, "insufficient_quota"), "insufficient_quota"),
    "redirect": (redirect, "redirect"),
}


def hostile_model(this: Round) -> Folder:
    """A language model's server that misbehaves, or a kill while it answers: no answer is paid for twice."""
    folder = this.start(this.reference.after(ANSWERS))
    (folder.path / "answers.sqlite").unlink()
    # The first seed, that of CI, kills.
    what = ("repeated", "killed", "stopping")[this.turn % 3]
    if what == "repeated":
        chosen = this.rng.sample(SENTENCES, 4)
        faults = [this.rng.choice(sorted(REPEATED)) for _ in chosen]
        this.server.script = {sentence: [REPEATED[fault]] for sentence, fault in zip(chosen, faults, strict=True)}
        run = folder.run()
        assert run.code == 0, run.said
        paid, refused = this.server.paid, this.server.refused
        assert len(paid) == len(SENTENCES) and set(paid.values()) == {1}, paid
        assert len(refused) == len(chosen) and set(refused.values()) == {1}, refused
        assert run.jobs == sorted(this.reference.jobs(this.lost)), run.jobs
        this.say(f"{', '.join(faults)}: {sum(paid.values())} requests paid, {sum(refused.values())} asked again")
        this.must_run, this.cost = set(), exactly(0)
    elif what == "stopping":
        fault = this.rng.choice(sorted(STOPPING))
        answer, said = STOPPING[fault]
        this.server.script = {this.rng.choice(SENTENCES): [answer] * AT_ONCE}
        this.refused(folder, said)
        paid = sum(this.server.paid.values())
        this.say(f"{fault} after {paid} answers")
        this.cost = exactly(len(SENTENCES) - paid)
    else:
        this.server.latency = 0.2
        enough = this.rng.randrange(1, len(SENTENCES) - AT_ONCE)
        with folder.running() as process:
            assert wait_for(lambda: sum(this.server.paid.values()) >= enough, process), folder.said()
            os.killpg(process.pid, signal.SIGKILL)
            if process.wait() != -signal.SIGKILL:
                pytest.fail("it ended before it was killed")
        this.server.closing.wait(0.5)
        this.server.latency = 0
        paid = sum(this.server.paid.values())
        this.say(f"killed after {paid} of {len(SENTENCES)} answers")
        # What was under way when it was killed is asked again, and no more.
        this.cost = range(len(SENTENCES) - paid, len(SENTENCES) - paid + AT_ONCE + 1)
    return folder
