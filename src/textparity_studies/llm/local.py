"""Serve a local model file by llama.cpp on a free port of the loopback address while a job uses it.

The port is not part of an answer's identity: a local row's `base_url` is the word `local`.
"""

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import LanguageModelError, how_to_install
from textparity_studies.llm.models import ModelRow
from textparity_studies.measures.encoders import GGUF, find_gguf, is_package

log = logging.getLogger(__name__)

# The limit for prompt and answer of one request; few-shot prompts of this project take about 700 tokens.
CONTEXT_TOKENS = 4096
STOP_SECONDS = 10
UNLINK = "--unlink"
HOW_TO_INSTALL = how_to_install("local-llm")


def missing_local_model(row: ModelRow) -> str:
    """Explain why a local row cannot be served here, or return an empty string."""
    if find_spec("xllamacpp") is None:
        return f"the package xllamacpp is not installed ({HOW_TO_INSTALL})"
    if row.model.endswith(GGUF):
        return "" if Path(row.model).is_file() else f"the model file {row.model} does not exist"
    if is_package(row.model):
        return ""
    return f"{row.model} is neither a .gguf file nor an installed model package ({HOW_TO_INSTALL})"


@contextmanager
def serving(row: ModelRow) -> Iterator[str]:
    """Provide the address of the row's server up to /v1; a local model is served until the block ends.

    Its server also ends with this process, however that ends. Raises `LanguageModelError` if it cannot be served.
    """
    if not row.is_local:
        yield row.base_url
        return
    if reason := missing_local_model(row):
        raise LanguageModelError(f"model {row.name}: {reason}; or remove the row from the configuration")
    with tempfile.TemporaryDirectory(prefix="textparity-") as folder, tempfile.TemporaryFile("w+") as errors:
        file = find_gguf(row.model, Path(folder))
        if file is None:
            raise LanguageModelError(
                f"model {row.name}: the package {row.model} contains no model; name another one, or a .gguf file"
            )
        command = [sys.executable, "-m", __name__, str(file), str(row.requests_at_once)]
        # The user's own file must not be deleted.
        command += [] if row.model.endswith(GGUF) else [UNLINK]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert server.stdin and server.stdout
        try:
            address = server.stdout.readline().strip()
            if not address:
                server.wait(STOP_SECONDS)
                errors.seek(0)
                reason = " / ".join(errors.read().strip().splitlines()[-3:]) or "it gave no reason"
                raise LanguageModelError(f"model {row.name}: {file} cannot be served: {reason}")
            log.info("%s: %s at %s", row.name, row.model, address)
            yield f"{address}/v1"
        finally:
            server.stdin.close()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            server.stdout.close()


def _serve(file: str, slots: int, unlink: bool) -> None:
    """Serve `file`, print the address on standard output, and stop when standard input is closed."""
    # llama.cpp also writes to file descriptor 1, which must only carry the address.
    answer_to = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = file
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = slots
    parameters.n_ctx = CONTEXT_TOKENS * slots
    # Leave one core free: if one thread is held up, all others wait for it, which costs more than the core gains.
    parameters.cpuparams.n_threads = max(1, _cores() - 1)
    # Otherwise, models with sliding windows forget the shared prompt, and read all examples again each time.
    parameters.swa_full = True
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        sys.exit(str(error))
    if unlink:
        # The file is mapped by now. Its name would outlive a killed job.
        Path(file).unlink()
    print(server.listening_address, file=answer_to, flush=True)
    sys.stdin.read()
    # Exit at once: there is nothing to save, and an orderly shutdown of llama.cpp can take many seconds.
    os._exit(0)


def _cores() -> int:
    # Not every system has this function.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), UNLINK in sys.argv)
