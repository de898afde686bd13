"""Worker processes that end together with this process.

`ProcessPoolExecutor` waits forever if a process is killed while it sends a result, because all processes write to one
pipe, which stays open. Here each process has its own pipe.
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
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any

# Each process has another task waiting, so that it does not idle while this one is busy.
_TASKS_EACH = 2
# The garbage collector searches for cycles after this many new objects. Lexicons and parts of texts are many objects
# without cycles; at Python's default, the search takes a tenth of an audit's time.
NEW_OBJECTS = 100_000
# The signals that ask a process to end. Windows has no SIGHUP.
ENDING_SIGNALS = [signal.SIGTERM]
if hasattr(signal, "SIGHUP"):
    ENDING_SIGNALS.append(signal.SIGHUP)


class ProcessEnded(Exception):
    """A process ended before it sent its result. The message describes how it ended."""


@dataclass
class _Worker:
    """One process, our end of its pipe, and the tasks that were sent to it, in order."""

    process: BaseProcess
    pipe: Connection
    tasks: deque[Future[Any]] = field(default_factory=deque)

    def how_it_ended(self) -> str:
        """Wait for the process to end, and describe how it did."""
        self.process.join()
        code = self.process.exitcode or 0
        if code >= 0:
            return f"ended with exit code {code}"
        # Windows has no SIGKILL.
        may_lack_memory = hasattr(signal, "SIGKILL") and code == -signal.SIGKILL
        return f"was killed by signal {-code}" + ": out of memory? use fewer --jobs" * may_lack_memory


class Workers:
    """A pool of at most `number` processes, started when there is work. Functions, arguments and results are pickled.

    Use it as a context manager, in one thread.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        # Processes are spawned rather than forked, because Arrow's threads do not survive a fork.
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
        """Check whether a process can take a task now."""
        self._receive(timeout=0)
        return len(self._workers) < self._number or any(len(one.tasks) < _TASKS_EACH for one in self._workers)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a process call the function. Raises `ProcessEnded` if the process has ended."""
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
        """Wait for a result. Raises the function's exception, or `ProcessEnded` if the process has ended."""
        while not future.done():
            self._receive(timeout=None)
        return future.result()

    def _start(self) -> _Worker:
        # A process's first start would start this tracker, which unblocks Ctrl+C when it is there. Windows has none.
        if os.name == "posix":
            resource_tracker.ensure_running()
        with _uninterrupted():
            ours, its = self._context.Pipe()
            process = self._context.Process(target=_work, args=(its,), daemon=True)
            process.start()
            # The other end must be open only in that process, so that the pipe closes when the process ends.
            its.close()
            self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _receive(self, timeout: float | None) -> None:
        """Take the results that have arrived, waiting up to `timeout` seconds (None: no limit) for the first one."""
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
    """Run tasks one after the other until the other end of the pipe is closed."""
    gc.set_threshold(NEW_OBJECTS)
    tasks: SimpleQueue[Any] = SimpleQueue()

    def receive() -> None:
        # Tasks are received in a thread. Otherwise both processes might wait for each other to read.
        try:
            while True:
                tasks.put(pipe.recv())
        except (EOFError, OSError):
            # The parent process has ended, or needs no more results.
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
    """Delay signals while a process starts, because a signal in between would leave a process that nothing tracks."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    signs = (signal.SIGINT, *ENDING_SIGNALS)
    handlers = {sign: handler for sign in signs if callable(handler := signal.getsignal(sign))}
    for sign in handlers:
        signal.signal(sign, lambda number, frame: came.append(number))
    # The child inherits that Ctrl+C is blocked, even during its imports, because only the parent handles it. Windows
    # cannot block it.
    can_block = hasattr(signal, "pthread_sigmask")
    if can_block:
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        for sign, handler in handlers.items():
            signal.signal(sign, handler)
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        for number in came:
            signal.raise_signal(number)
