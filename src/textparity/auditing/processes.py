"""Processes that work beside this one and end with it.

A `ProcessPoolExecutor` waits without end for a process that was killed while it sent a result, because all of them
write to one pipe, which stays open. Here each has a pipe of its own.
"""

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any

# What a process has next while this one is busy.
_TASKS_EACH = 2
# So many new objects between two looks of the garbage collector for cycles. Lexicons and the pieces of texts are many
# objects in no cycles; to look at them as often as Python does takes a tenth of an audit.
NEW_OBJECTS = 100_000


class ProcessEnded(Exception):
    """A process ended before it sent its result; the message says how."""


class _Worker:
    """One process, its end of the pipe, and the tasks that it was sent, in their order."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.tasks: deque[Future[Any]] = deque()

    def how_it_ended(self) -> str:
        """Wait for its end and say how it was."""
        self.process.join()
        code = self.process.exitcode or 0
        if code >= 0:
            return f"ended with exit code {code}"
        memory = ": out of memory? take fewer --jobs" if code == -signal.SIGKILL else ""
        return f"was killed by signal {-code}{memory}"


class Workers:
    """At most `number` processes, which are started when there is work for them.

    Use it as a context manager, in one thread. Functions, arguments and results are pickled.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        # Not forked: threads of Arrow do not survive that.
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        for worker in self._workers:
            if error:
                worker.process.kill()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join()

    def has_room(self) -> bool:
        """Say whether a process can take a task now."""
        self._receive(timeout=0)
        return len(self._workers) < self._number or any(len(one.tasks) < _TASKS_EACH for one in self._workers)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Let a process call the function; `ProcessEnded` if it is gone."""
        worker = min(self._workers, key=lambda one: len(one.tasks), default=None)
        if worker is None or (worker.tasks and len(self._workers) < self._number):
            worker = self._start()
        future = Future[Any]()
        worker.tasks.append(future)
        try:
            worker.pipe.send((function, arguments))
        except OSError:
            raise ProcessEnded(worker.how_it_ended()) from None
        return future

    def result(self, future: "Future[Any]") -> Any:
        """Wait for a result; raises what the function raised, and `ProcessEnded` if a process is gone."""
        while not future.done():
            self._receive(timeout=None)
        return future.result()

    def _start(self) -> _Worker:
        with _uninterrupted():
            ours, its = self._context.Pipe()
            process = self._context.Process(target=_work, args=(its,), daemon=True)
            process.start()
            # Its end is open there alone, so the pipe ends when the process does.
            its.close()
            self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _receive(self, timeout: float | None) -> None:
        """Take the results that are there, after waiting for the first one so many seconds (None: until it comes)."""
        by_pipe = {worker.pipe: worker for worker in self._workers if worker.tasks}
        for pipe in wait(list(by_pipe), timeout) if by_pipe else ():
            worker = by_pipe[pipe]  # type: ignore[index]
            try:
                result, error = worker.pipe.recv()
            except (EOFError, OSError):
                raise ProcessEnded(worker.how_it_ended()) from None
            future = worker.tasks.popleft()
            if error:
                future.set_exception(error)
            else:
                future.set_result(result)


def _work(pipe: Connection) -> None:
    """Do what comes, one task after the other, until the other end of the pipe is closed."""
    gc.set_threshold(NEW_OBJECTS)
    tasks: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        # Apart from the work: else both ends might wait for the other to read.
        try:
            while True:
                tasks.put(pipe.recv())
        except (EOFError, OSError):
            # What made this process is gone, or has all it wants.
            os._exit(0)

    threading.Thread(target=receive, daemon=True).start()
    while True:
        function, arguments = tasks.get()
        answer: tuple[Any, Exception | None]
        try:
            answer = function(*arguments), None
        except Exception as error:
            answer = None, error
        pipe.send(answer)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put signals off while a process starts: half started, nothing would know of it.

    The process is started with Ctrl+C blocked, which is for this one alone, also while the other still imports.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    signs = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {sign: handler for sign in signs if callable(handler := signal.getsignal(sign))}
    for sign in handlers:
        signal.signal(sign, lambda number, frame: came.append(number))
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        for sign, handler in handlers.items():
            signal.signal(sign, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        for number in came:
            signal.raise_signal(number)
