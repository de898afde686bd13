"""Write envs/*.yaml from the requirements in pyproject.toml, so that there is one list of them.

python tools/write_envs.py           write the files
python tools/write_envs.py --check   fail if they differ
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
HEAD = """\
# Written by tools/write_envs.py from pyproject.toml; edit that and run `make envs`.
# Never created with conda or mamba: neither was at hand. Both would provide Python and pip, the index the rest, whose
# requirements were resolved (locks/).
name: textparity-{name}
channels:
  - conda-forge
dependencies:
  - python>=3.11
  - pip
  - pip:
"""
# The extras that each environment adds to the core. A rule names one environment. Rules that need PyTorch, spaCy or a
# language model use the second, which includes the first. The third also has the dependency group of its name.
EXTRAS = {
    "core": ["workflow", "morphology", "classify"],
    "ml": [
        "workflow",
        "stanza",
        "local-llm",
        "sentiment",
        "swapping",
        "bert-score",
        "encoder",
        "propagation",
        "train",
        "translation",
    ],
    "ner": ["workflow", "train"],
}


def environment(name: str, project: dict, groups: dict[str, list[str]]) -> str:
    """Format the text of one environment file."""
    requirements = [*project["dependencies"], *groups.get(name, [])]
    for extra in EXTRAS[name]:
        requirements += _requirements(extra, project["optional-dependencies"])
    return HEAD.format(name=name) + "".join(f'      - "{line}"\n' for line in sorted(set(requirements)))


def _requirements(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """Collect the requirements of an extra, including those of the extras that it includes."""
    found = []
    for line in extras[extra]:
        included = re.fullmatch(r"textparity\[([\w,-]+)\]", line)
        found += [one for name in included[1].split(",") for one in _requirements(name, extras)] if included else [line]
    return found


def main() -> int:
    """Write or check every environment file; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    project, groups = settings["project"], settings["dependency-groups"]
    stale = []
    for name in EXTRAS:
        path = REPOSITORY / "envs" / f"{name}.yaml"
        text = environment(name, project, groups)
        if check and (not path.is_file() or path.read_text("utf-8") != text):
            stale.append(path.name)
        elif not check:
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"envs/{', '.join(stale)}: not what pyproject.toml asks for; run `make envs`", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
