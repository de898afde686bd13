"""Write locks/: exact versions, with the hashes of all their files, of what the core and each extra need.

python tools/write_locks.py             change only what pyproject.toml asks for
python tools/write_locks.py --upgrade   take the newest versions that it allows

All are of one resolution, so that extras can be combined; core.txt is installed first, and the file of an extra has
what comes on top of it. Markers choose between Python versions and platforms. ner.txt, on top of core.txt, and
supply.txt stand alone: they have environments of their own. So does paper-tokenizers.txt: its packages have a folder of
their own, and use what the others depend on. Needs uv and a package index.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

REPOSITORY = Path(__file__).parents[1]
LOCKS = REPOSITORY / "locks"
PROJECT = REPOSITORY / "pyproject.toml"
HEAD = "# Written by tools/write_locks.py from pyproject.toml; run `make lock` or `make update`.\n"
# The build of PyTorch depends on the machine (docs/install.md); the default one includes gigabytes of CUDA libraries.
# natasha is installed for its models alone; its code is never imported.
EXCLUDED = "torch\npymorphy2\nyargy\nipymarkup\n"
# Packages that spacy-transformers needs in older versions than the extras.
NER_APART = {"transformers", "tokenizers", "huggingface-hub"}
WITHOUT_TORCH = (
    "# PyTorch, and what only it needs, is not here: install torch==2.13.0 before, in the build for your machine.\n"
)


def resolve(output: Path, *arguments: str, upgrade: bool = False) -> dict[str, str]:
    """Resolve into `output`, keeping its versions if possible; return its entries by their first lines."""
    command = [
        "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes",
        "--no-emit-index-url", "--no-annotate", "--no-header", "--output-file", str(output), *arguments,
    ]  # fmt: skip
    subprocess.run([*command, *(["--upgrade"] if upgrade else [])], check=True, stdout=subprocess.DEVNULL)
    entries = re.findall(r"^\S.*\n(?:    .*\n)+", output.read_text("utf-8"), re.M)
    return {entry.partition(" \\\n")[0]: entry for entry in entries}


def main() -> int:
    """Write every lock; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true")
    upgrade = parser.parse_args().upgrade
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    locks: dict[str, str] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "excluded.txt").write_text(EXCLUDED, "utf-8")
        # The project's build also uses locked versions.
        (folder / "build.in").write_text("\n".join(project["build-system"]["requires"]) + "\n", "utf-8")
        (folder / "all.txt").write_text(
            "\n".join(sorted({line for path in LOCKS.glob("*.txt") for line in pinned(path)})) + "\n", "utf-8"
        )
        sources = [str(PROJECT), str(folder / "build.in"), "--excludes", str(folder / "excluded.txt")]
        resolve(folder / "all.txt", *sources, "--all-extras", upgrade=upgrade)
        sources += ["--constraints", str(folder / "all.txt")]
        core = resolve(folder / "core.txt", *sources)
        locks["core"] = HEAD + "".join(core.values())
        for extra in sorted(extras.keys() - {"all"}):
            entries = resolve(folder / f"{extra}.txt", *sources, "--extra", extra)
            needs_torch = {"torch", "stanza"} & names_of(extra, extras)
            head = HEAD + (WITHOUT_TORCH if needs_torch else "")
            locks[extra] = head + "".join(entry for line, entry in entries.items() if core.get(line) != entry)
        locks["ner"] = HEAD + WITHOUT_TORCH + "".join(_resolve_ner(folder, core, upgrade).values())
        if (LOCKS / "supply.txt").is_file():
            (folder / "supply.txt").write_text("\n".join(pinned(LOCKS / "supply.txt")) + "\n", "utf-8")
        tools = resolve(folder / "supply.txt", "--group", f"{PROJECT}:supply", upgrade=upgrade)
        locks["supply"] = HEAD + "".join(tools.values())
        tokenizers = resolve(folder / "paper-tokenizers.txt", "--no-deps", "--group", f"{PROJECT}:paper-tokenizers")
        locks["paper-tokenizers"] = HEAD + "".join(tokenizers.values())
    if named := [name for name, text in locks.items() if "://" in text or "--index" in text]:
        print(f"locks/{', '.join(named)}: would name a package index; nothing was written", file=sys.stderr)
        return 1
    LOCKS.mkdir(exist_ok=True)
    for path in LOCKS.glob("*.txt"):
        if path.stem not in locks:
            path.unlink()
    for name, text in locks.items():
        (LOCKS / f"{name}.txt").write_text(text, encoding="utf-8")
    return 0


def _resolve_ner(folder: Path, core: dict[str, str], upgrade: bool) -> dict[str, str]:
    """Resolve the requirements of the group `ner` on top of the core, changing other versions only if necessary."""
    kept = [line for line in pinned(folder / "all.txt") if line.partition("==")[0] not in NER_APART]
    (folder / "apart.txt").write_text("\n".join(kept) + "\n", "utf-8")
    entries = resolve(
        folder / "ner.txt", str(PROJECT), "--extra", "workflow", "--extra", "train", "--group", f"{PROJECT}:ner",
        "--excludes", str(folder / "excluded.txt"), "--constraints", str(folder / "apart.txt"), upgrade=upgrade,
    )  # fmt: skip
    return {line: entry for line, entry in entries.items() if core.get(line) != entry}


def pinned(path: Path) -> list[str]:
    """List a lock's pinned packages, without hashes."""
    return re.findall(r"^(\w\S*==.*?) \\$", path.read_text("utf-8"), re.M)


def names_of(extra: str, extras: dict[str, list[str]]) -> set[str]:
    """List the packages that an extra names, including those of the extras that it includes."""
    found = set()
    for line in extras[extra]:
        if included := re.fullmatch(r"textparity\[([\w,-]+)\]", line):
            found |= {name for one in included[1].split(",") for name in names_of(one, extras)}
        else:
            found.add(re.match(r"[\w.-]+", line)[0])
    return found


if __name__ == "__main__":
    sys.exit(main())
