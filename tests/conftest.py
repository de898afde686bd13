"""Shared fixtures: the repository's paths, the `--approve` switch, a real server on loopback."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--approve", action="store_true", help="rewrite the golden files from this run")


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(autouse=True)
def no_machine_settings(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Keep the mirror and models of this machine out of tests that do not ask for them."""
    if request.node.get_closest_marker("mirror") is None and request.node.get_closest_marker("stanza") is None:
        for name in ("TEXTPARITY_MIRROR", "STANZA_RESOURCES_DIR", "NLTK_DATA"):
            monkeypatch.delenv(name, raising=False)
