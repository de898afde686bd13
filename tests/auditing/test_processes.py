"""Processes that work beside this one: what they return or raise, and how their end is seen."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from textparity.auditing.processes import ProcessEnded, Workers
from textparity.errors import InputError


def double(number):
    return 2 * number


def on_invalid(name):
    raise InputError(f"{name}: no")


def leave(code):
    os._exit(code)


def die_while_sending():
    """Return more than a pipe holds, and be killed before it is read."""
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return bytes(50_000_000)


def processes_of(workers):
    return [worker.process for worker in workers._workers]


def test_results_come_in_any_order_they_are_asked_for():
    with Workers(2) as workers:
        assert workers.has_room()
        futures = []
        while workers.has_room() and len(futures) < 10:
            futures.append(workers.submit(double, len(futures)))
        assert len(futures) >= 4 and len(processes_of(workers)) == 2
        assert [workers.result(future) for future in reversed(futures)] == [
            2 * number for number in reversed(range(len(futures)))
        ]
        processes = processes_of(workers)
    assert not any(process.is_alive() for process in processes)


def test_no_process_is_started_without_work_for_it():
    with Workers(3) as workers:
        assert workers.result(workers.submit(double, 1)) == 2
        assert workers.result(workers.submit(double, 2)) == 4
        assert len(processes_of(workers)) == 1
    with Workers(0) as workers:
        assert not workers.has_room()


def test_an_error_of_a_task_is_raised_and_the_next_one_is_done():
    with Workers(1) as workers:
        failed, done = workers.submit(on_invalid, "a.txt"), workers.submit(double, 1)
        with pytest.raises(InputError, match=r"a\.txt: no"):
            workers.result(failed)
        assert workers.result(done) == 2


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        (leave, [3], "ended with exit code 3"),
        (die_while_sending, [], "was killed by signal 9: out of memory? use fewer --jobs"),
    ],
)
def test_a_process_that_is_gone_is_no_endless_wait(function, arguments, said):
    with pytest.raises(ProcessEnded, match=f"^{said.replace('?', '.')}$"), Workers(1) as workers:
        future = workers.submit(function, *arguments)
        (process,) = processes_of(workers)
        process.join()
        workers.result(future)


def test_after_an_error_what_is_under_way_is_not_waited_for():
    started = time.monotonic()
    with pytest.raises(InputError), Workers(1) as workers:
        workers.submit(time.sleep, 600)
        raise InputError("enough")
    assert time.monotonic() - started < 300


def test_ctrl_c_reaches_none_of_the_processes():
    # In a new interpreter, because its first process starts Python's resource tracker as well.
    code = """
import signal
from textparity.auditing.processes import Workers
with Workers(2) as workers:
    asked = [workers.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []) for _ in range(2)]
    print([signal.SIGINT in workers.result(one) for one in asked])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[True, True]\n"
