"""Shared fixtures: the repository's paths, the `--approve` switch, the rounds of faults, a browser."""

import os
import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples wherever they run, however slow the machine is.
examples = int(os.environ.get("HYPOTHESIS_MAX_EXAMPLES", "100"))
settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=examples)
settings.load_profile("same")

REPOSITORY = Path(__file__).parents[1]
OFFLINE = REPOSITORY / "tests" / "support" / "offline"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--approve", action="store_true", help="rewrite the golden files from this run")
    parser.addoption("--fault-rounds", type=int, default=1, help="rounds of each kind of fault")
    parser.addoption("--fault-seed", type=int, default=1, help="what the rounds of faults follow from")


def pytest_configure(config: pytest.Config) -> None:
    config.fault_outcomes = {}
    runpy.run_path(str(OFFLINE / "sitecustomize.py"))
    # What the tests start has the same rule, and this code.
    paths = [str(OFFLINE), str(REPOSITORY / "src"), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which faults were run, and how often the results were not those of an undisturbed run."""
    outcomes = config.fault_outcomes
    if not outcomes:
        return
    for kind, outcome in sorted(outcomes.items()):
        skipped = f", skipped: {outcome['skipped']}" if outcome["skipped"] else ""
        terminalreporter.write_line(f"{kind}: {outcome['rounds']} rounds, {outcome['failed']} failed{skipped}")
    rounds, failed, mismatches, jobs = (
        sum(outcome[name] for outcome in outcomes.values()) for name in ("rounds", "failed", "mismatches", "jobs")
    )
    terminalreporter.write_line(
        f"faults: {rounds} rounds of {sum(outcome['rounds'] > 0 for outcome in outcomes.values())} kinds "
        f"(seed {config.getoption('--fault-seed')}), {failed} failed, {mismatches} mismatches, "
        f"{jobs} jobs ran again, each because it had to"
    )


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session", autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Start without the downloads of this machine. What comes from a mirror is kept until the end."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("from_mirror"))


@pytest.fixture(autouse=True)
def no_machine_settings(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep what this machine has out of tests that do not ask for it: a mirror, models, results of the checkout."""
    needs_mirror = request.node.get_closest_marker("mirror") is not None
    if needs_mirror and not os.environ.get("TEXTPARITY_MIRROR"):
        pytest.skip("TEXTPARITY_MIRROR is not set")
    if not needs_mirror and request.node.get_closest_marker("stanza") is None:
        for name in ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA"):
            monkeypatch.delenv(name, raising=False)
        # Plans look for results in the working folder.
        folder = tmp_path_factory.mktemp("here")
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder.with_name(f"{folder.name}-cache")))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, where there is one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (extra dev)")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("there is no Chromium here (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as started:
        # Chromium's own sandbox refuses to run as root, as in containers.
        running = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open an address in a new window; `errors` of the page are those of its scripts and of its policy."""
    contexts = []

    def open_page(url: str, **options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda said: page.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
