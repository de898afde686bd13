"""locks/ holds what pyproject.toml asks for, on every Python, and nothing that a machine must choose."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
# What is in environments of its own: the tools of the supply chain, and recognizers with a transformer.
GROUPS = PROJECT["dependency-groups"]
LOCKS = {path.stem: path.read_text("utf-8") for path in (REPOSITORY / "locks").glob("*.txt")}
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"))
MACHINES = [(python, *platform) for python in PYTHONS for platform in PLATFORMS]


def pins(lock: str, python: str, system: str, machine: str) -> dict[str, str]:
    """Return the version of each package that a lock has for such a machine."""
    here = {
        "python_version": python, "python_full_version": f"{python}.5", "sys_platform": system, "os_name": "posix",
        "platform_machine": machine, "platform_system": system.capitalize(), "implementation_name": "cpython",
        "platform_python_implementation": "CPython", "extra": "",
    }  # fmt: skip
    found: dict[str, str] = {}
    for line in re.findall(r"^(\w.*) \\$", LOCKS[lock], re.M):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(here):
            name = canonicalize_name(requirement.name)
            assert name not in found, f"locks/{lock}.txt: {name} stands twice for {python}, {system} {machine}"
            found[name] = str(requirement.specifier).removeprefix("==")
    return found


def asked_for(lines: list[str]) -> Iterator[Requirement]:
    """Yield requirements with those of the extras that they include."""
    for requirement in map(Requirement, lines):
        if requirement.name == "textparity":
            for extra in sorted(requirement.extras):
                yield from asked_for(EXTRAS[extra])
        else:
            yield requirement


def test_there_is_a_lock_for_the_core_and_for_each_extra():
    assert set(LOCKS) == {"core", *GROUPS} | EXTRAS.keys() - {"all"}


@pytest.mark.parametrize(("python", "system", "machine"), MACHINES, ids=map(" ".join, MACHINES))
def test_locks_are_in_the_ranges_of_pyproject(python, system, machine):
    core = pins("core", python, system, machine)
    wanted = {
        "core": [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]],
        **GROUPS,
    } | {extra: EXTRAS[extra] for extra in LOCKS.keys() - {"core", *GROUPS}}
    for lock, lines in wanted.items():
        installed = ({} if lock == "supply" else core) | pins(lock, python, system, machine)
        for requirement in asked_for(lines):
            # Which build of PyTorch, the machine chooses.
            if requirement.name != "torch":
                version = installed.get(canonicalize_name(requirement.name), "none")
                assert version != "none" and requirement.specifier.contains(version), (
                    f"locks/{lock}.txt has {requirement.name} {version}, not {requirement}; run `make lock`"
                )


@pytest.mark.parametrize(("python", "system", "machine"), MACHINES, ids=map(" ".join, MACHINES))
def test_extras_can_be_combined(python, system, machine):
    seen: dict[str, str] = {}
    for lock in LOCKS.keys() - GROUPS.keys():
        for name, version in pins(lock, python, system, machine).items():
            assert seen.setdefault(name, version) == version, f"locks/{lock}.txt: another {name} than elsewhere"


@pytest.mark.parametrize("lock", sorted(LOCKS))
def test_a_lock_has_hashes_and_names_no_place(lock):
    text = LOCKS[lock]
    assert "://" not in text and not re.search(r"^-", text, re.M)
    entries = re.findall(r"^\w.*\n(?:    .*\n)*", text, re.M)
    assert entries
    for entry in entries:
        first, *hashes = entry.replace(" \\\n", "\n").splitlines()
        assert re.fullmatch(r"[\w.-]+==[\w.+!]+( ; .+)?", first)
        assert hashes and all(re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}", line) for line in hashes), first
    # Nothing that chooses a build of PyTorch, or comes with one.
    assert not re.search(r"^(torch|triton|nvidia|cuda)[\w-]*==", text, re.M)


def test_make_installs_from_the_locks(repository):
    text = (repository / "Makefile").read_text("utf-8")
    installs = [line for line in re.findall(r"^\t.*", text, re.M) if "pip install" in line or "$(PIP)" in line]
    loose = [line.strip() for line in installs if "--require-hashes" not in line]
    # The project itself, without what it needs; and PyTorch.
    assert [line.split()[-1] for line in loose] == [".", "'torch==2.13.0'"]
    assert "--no-deps" in re.search(r"^PIP := (.*)$", text, re.M)[1]
