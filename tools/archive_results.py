"""Pack a run's results as an RO-Crate, or make each result of such an archive again and compare.

  python tools/archive_results.py write FOLDER ARCHIVE.zip [PATTERN ...]     FOLDER: where `snakemake all` ran
  python tools/archive_results.py verify ARCHIVE.zip

The archive holds all final files (tables, figures, pages, the ledger), the files of the run that they were made from,
the tables of the repository that were read, how each was made (`calls.jsonl`), and the record of the run. Not in it are
upstream data, corpora whose licence does not let anyone pass them on, and files that match a PATTERN (for results that
quote texts, as `results/newsroom/*/balanced/*`): what is made directly of them is not made again, and listed.
`verify` needs no download, no model and no plan of jobs: it calls the functions that made the files, in a new folder.
It calls only functions that rules of this repository declare as steps, and these reach no server and no other folder.
"""

import csv
import json
import logging
import mimetypes
import os
import re
import shutil
import sys
import zipfile
from contextlib import redirect_stderr
from fnmatch import fnmatch
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import textparity
from textparity.errors import InputError, TextparityError
from textparity.files import atomic_path, escapes_folder, read_lines, sha256_of
from textparity.registry import Source
from textparity.sources.archives import read_members
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.runner import CALLS, run

ROOT = Path(__file__).resolve().parents[1]
METADATA, CALL_FILE = "ro-crate-metadata.json", "calls.jsonl"
# Licences that allow passing texts on; those with NC do not.
OPEN = re.compile(r"CC BY(-SA)? \d|CC0|MIT|Apache-2")
# The record of a run belongs to that run, and is not made again.
RUN = "results/run/"
# How a rule declares its step (`textparity_studies.workflow.run_record.step`).
STEP = re.compile(r'\bstep\(\s*"([\w.]+:\w+)"')
# Programs that Matplotlib runs to list the machine's fonts.
FONT_LISTS = ("fc-list", "system_profiler")
# The date of each member, so that equal results give equal bytes.
DATE = (1980, 1, 1, 0, 0, 0)


def write(folder: Path, archive: Path, left_out: list[str]) -> None:
    """Write the `archive` of the run in `folder`; a difference from the run's record is an error."""
    record = folder / RUN / "files.csv"
    if not record.is_file():
        raise InputError(f"{record} is missing: run `snakemake all` in {folder} first")
    with record.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["file"].endswith("/.snakemake_timestamp")]
    final = {row["file"]: row["sha256"] for row in rows}
    for name, made in final.items():
        if not (folder / name).is_file() or sha256_of(folder / name) != made:
            raise InputError(f"{folder / name} is not what the run left ({record}): run `snakemake all` again")
    calls = [
        _portable(json.loads(path.read_text("utf-8")), folder) for path in sorted((folder / CALLS).rglob("*.json"))
    ]
    calls = [call for call in calls if any(_is_final(name, final) for name in _names(call["output"]))]
    unknown = set(final) - {name for call in calls for name in _files(folder, call["output"])}
    if unknown:
        raise InputError(
            f"{folder / CALLS}: nothing says how {min(unknown)} was made (and {len(unknown) - 1} more); it is older "
            "than these records: delete it and run `snakemake all` again"
        )
    inputs = {name for call in calls for name in _files(folder, call["input"])}
    parameters = {name for call in calls for name in _files(folder, call["params"]) if name.startswith("resources/")}
    run_files = {f"{RUN}{path.name}" for path in (folder / RUN).iterdir()}
    sources = _sources(folder)
    members = {
        name: _located(name, folder)
        for name in sorted({*final, *inputs, *parameters, *run_files})
        if _may_be_given(name, sources) and not any(fnmatch(name, pattern) for pattern in left_out)
    }
    lines = "".join(json.dumps(call, ensure_ascii=False) + "\n" for call in calls)
    about = json.loads((folder / RUN / "run.json").read_text("utf-8"))
    with atomic_path(archive) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in members.items():
            packed.writestr(zipfile.ZipInfo(name, DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
        packed.writestr(zipfile.ZipInfo(CALL_FILE, DATE), lines, zipfile.ZIP_DEFLATED)
        text = json.dumps(_metadata(members, sources, about), indent=1, ensure_ascii=False) + "\n"
        packed.writestr(zipfile.ZipInfo(METADATA, DATE), text, zipfile.ZIP_DEFLATED)
    given = len(final.keys() & members.keys())
    print(f"{archive}: {given:,} of {len(final):,} final files, {len(members) - given:,} that they were made from")


def verify(archive: Path) -> bool:
    """Make every result of the `archive` again, print the outcomes, and return true if none differs.

    Anyone may have made the archive. Raises `TextparityError`, before running anything, if it names a function that no
    rule declares as its step, names a file outside its folder, or unpacks to far more than its size.
    """
    if archive.suffix != ".zip":
        raise InputError(f"{archive}: is no .zip file, as `make archive` writes it; give that file")
    with TemporaryDirectory() as folder:
        _unpack(archive, Path(folder))
        # Steps use file names relative to the working directory.
        os.chdir(folder)
        known, software = _read_metadata(archive)
        calls = _read_calls(archive)
        sys.addaudithook(_refuse_to_leave)
        if software != textparity.__version__:
            print(f"made by textparity {software}, this is {textparity.__version__}")
        equal, different = set[str](), dict[str, str]()
        not_made: dict[str, str] = {}
        for call in calls:
            outputs = [name for name in known if _within(name, _names(call["output"]))]
            missing = [name for name in _names(call["input"]) if not Path(name).exists()]
            if missing:
                not_made |= dict.fromkeys(outputs, f"needs {missing[0]}")
                continue
            _check_outputs(archive, call)
            before = {name: Path(name).read_bytes() for name in outputs}
            said = _make_again(call, outputs)
            for name in outputs:
                if not said and Path(name).is_file() and sha256_of(Path(name)) == known[name]:
                    equal.add(name)
                else:
                    different[name] = said or "other bytes"
                    # Later steps use the published file.
                    with atomic_path(Path(name)) as part:
                        part.write_bytes(before[name])
    for title, names in (("not made again", not_made), ("DIFFERENT", different)):
        for name, reason in sorted(names.items()):
            print(f"{title}: {name}: {reason}")
    tables = sum("/tables/" in name for name in equal)
    print(
        f"{len(equal):,} of {len(equal) + len(different) + len(not_made):,} results made again with the same bytes "
        f"({tables:,} of them tables), {len(different):,} different, {len(not_made):,} need data of others"
    )
    return not different


def _unpack(archive: Path, folder: Path) -> None:
    """Write the members below `folder`; names and sizes are checked as for every other archive."""
    for name, stream in read_members(archive):
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("wb") as file:
                shutil.copyfileobj(stream, file)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise InputError(f"{archive}: {name} is a file and a folder; do not use this archive") from None


def _read_metadata(archive: Path) -> tuple[dict[str, str], str]:
    """Read the sha256 of each file that the archive lists, and the version of textparity that made it."""
    try:
        entities = {entity["@id"]: entity for entity in json.loads(Path(METADATA).read_text("utf-8"))["@graph"]}
        known = {name: str(entity["sha256"]) for name, entity in entities.items() if "sha256" in entity}
        software = str(entities["#textparity"]["softwareVersion"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        raise InputError(f"{archive}: {METADATA} cannot be read ({error!r}); get the archive again") from None
    for name, made in known.items():
        _check_inside(archive, name)
        if not Path(name).is_file() or sha256_of(Path(name)) != made:
            raise InputError(f"{archive}: {name} is missing or not what {METADATA} says; get the archive again")
    return known, software


def _read_calls(archive: Path) -> list[dict[str, Any]]:
    """Read the calls that made the results; raise `InputError` for one that a rule of this version cannot make."""
    calls = []
    steps = declared_steps()
    try:
        for call in map(json.loads, read_lines(Path(CALL_FILE))):
            if not all(isinstance(call[name], dict) for name in ("input", "output", "params")):
                raise ValueError("a call without input, output and params")
            calls.append({**call, "rule": str(call["rule"])})
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        raise InputError(f"{archive}: {CALL_FILE} cannot be read ({error!r}); get the archive again") from None
    for call in calls:
        step = call["params"].get("step")
        if step not in steps:
            raise InputError(
                f"{archive}: {CALL_FILE} calls {step}, which no rule of textparity {textparity.__version__} declares; "
                "verify it with the version that made it, and if no version has this step, do not use the archive"
            )
        for name in (*_names(call["input"]), *_names(call["output"])):
            _check_inside(archive, name)
        call["params"] = _confined(archive, call["params"])
    return calls


def declared_steps() -> frozenset[str]:
    """List the functions that the rules of this repository declare as steps, as `module:name`."""
    files = (ROOT / "Snakefile", *(ROOT / "rules").rglob("*.smk"))
    return frozenset(step for file in files for step in STEP.findall(file.read_text("utf-8")))


def _check_inside(archive: Path, name: Any) -> None:
    if not isinstance(name, str) or escapes_folder(name):
        raise InputError(f"{archive}: the file {name!r} leads out of the archive's folder; do not use this archive")


def _check_outputs(archive: Path, call: dict[str, Any]) -> None:
    """Raise `InputError` for an output that a link, possibly made by an earlier step, places elsewhere."""
    for name in _names(call["output"]):
        if not Path(name).resolve().is_relative_to(Path.cwd().resolve()):
            raise InputError(f"{archive}: the file {name!r} leads out of the archive's folder; do not use this archive")


def _confined(archive: Path, value: Any) -> Any:
    """Make the params' absolute paths, which are those of the run's machine, relative to the folder."""
    if isinstance(value, dict):
        return {name: _confined(archive, item) for name, item in value.items()}
    if isinstance(value, list):
        return [_confined(archive, item) for item in value]
    if isinstance(value, str):
        if ".." in value.split("/"):
            _check_inside(archive, value)
        return value.lstrip("/")
    return value


def _refuse_to_leave(event: str, arguments: tuple[Any, ...]) -> None:
    """Block steps from the network and from programs, because the params of a call may name servers and commands."""
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise PermissionError("no server is asked while an archive is verified")
    if event == "os.system":
        raise PermissionError("no command is run while an archive is verified")
    if event == "subprocess.Popen":
        program = str(arguments[1][0])
        if program not in FONT_LISTS:
            raise PermissionError(f"{program} is not run while an archive is verified")


def _make_again(call: dict[str, Any], outputs: list[str]) -> str:
    """Call the function of a `call` after removing its `outputs`; return an error message if it fails."""
    for name in outputs:
        Path(name).unlink(missing_ok=True)
    said = StringIO()
    try:
        params = SimpleNamespace(**call["params"], items=call["params"].items)
        job = SimpleNamespace(**(call | {"params": params}), log=[], wildcards=[], threads=1)
        with redirect_stderr(said):
            run(job)
    except SystemExit:
        return said.getvalue().strip().rpartition("\n")[2]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        logging.getLogger().handlers.clear()
    return ""


def _sources(folder: Path) -> dict[str, Source]:
    """Map the folder of a corpus' texts to its source, except for texts in the repository."""
    tables = json.loads((folder / RUN / "config.json").read_text("utf-8"))["tables"]
    registry = StudyRegistry({name: str(_located(path, folder)) for name, path in tables.items()}, base=ROOT)
    return {
        f"results/corpora/{name}/": registry.sources[row.source]
        for name, row in registry.corpora.items()
        if row.source in registry.sources
    }


def _may_be_given(name: str, sources: dict[str, Source]) -> bool:
    if name.startswith("results/sources/"):
        return False
    source = next((source for start, source in sources.items() if name.startswith(start)), None)
    return source is None or OPEN.match(source.licence) is not None


def _portable(value: Any, folder: Path) -> Any:
    """Convert a call so that it names the repository's files relative to its top folder."""
    if isinstance(value, dict):
        return {name: _portable(item, folder) for name, item in value.items()}
    if isinstance(value, list):
        return [_portable(item, folder) for item in value]
    if isinstance(value, str) and "resources/" in value:
        path = Path(os.path.normpath(folder.resolve() / value))
        return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT / "resources") else value
    return value


def _names(values: Any) -> list[str]:
    """List all strings in a mapping of strings, lists and mappings."""
    if isinstance(values, str):
        return [values]
    items = values.values() if isinstance(values, dict) else values if isinstance(values, list) else []
    return [name for item in items for name in _names(item)]


def _files(folder: Path, values: Any) -> list[str]:
    """List the files among names, and those below folders among them."""
    found = []
    for name in _names(values):
        path = _located(name, folder)
        if path.is_file():
            found.append(name)
        elif name and path.is_dir() and name.startswith(("results/", "resources/")):
            below = (item for item in path.rglob("*") if item.is_file() and item.name != ".snakemake_timestamp")
            found += [f"{name}/{item.relative_to(path).as_posix()}" for item in below]
    return found


def _located(name: str, folder: Path) -> Path:
    """Find a file in the run's folder, or in the repository."""
    own = folder / name
    return ROOT / name if name.startswith("resources/") and not own.exists() else own


def _within(name: str, outputs: list[str]) -> bool:
    return any(name == output or name.startswith(f"{output}/") for output in outputs)


def _is_final(output: str, final: dict[str, str]) -> bool:
    return not output.startswith(RUN) and (output in final or any(name.startswith(f"{output}/") for name in final))


def _metadata(members: dict[str, Path], sources: dict[str, Source], about: dict[str, Any]) -> dict[str, Any]:
    """Build RO-Crate 1.1 metadata (w3id.org/ro/crate/1.1): each file with its hash, and the run that made them."""
    files = [
        {
            "@id": name,
            "@type": "File",
            "contentSize": str(path.stat().st_size),
            "encodingFormat": mimetypes.guess_type(name)[0] or "application/octet-stream",
            "sha256": sha256_of(path),
        }
        | _credit(name, sources)
        for name, path in members.items()
    ]
    references = [{"@id": file["@id"]} for file in files]
    return {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [
            {
                "@id": METADATA,
                "@type": "CreativeWork",
                "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
                "about": {"@id": "./"},
            },
            {
                "@id": "./",
                "@type": "Dataset",
                "name": f"Results of textparity, run {about['run']}",
                "description": "Tables, figures and pages of a run, with what they were made from but upstream data.",
                "datePublished": about["finished"],
                "license": "https://spdx.org/licenses/MIT",
                "hasPart": [*references, {"@id": CALL_FILE}],
                "mentions": {"@id": "#run"},
            },
            {
                "@id": CALL_FILE,
                "@type": "File",
                "name": "how each result was made",
                "encodingFormat": "application/jsonl",
            },
            {
                "@id": "#textparity",
                "@type": "SoftwareApplication",
                "name": "textparity",
                "softwareVersion": about["textparity"],
                "version": about["commit"],
            },
            {
                "@id": "#run",
                "@type": "CreateAction",
                "name": f"snakemake all, run {about['run']}",
                "endTime": about["finished"],
                "instrument": {"@id": "#textparity"},
                "result": references,
            },
            *files,
        ],
    }


def _credit(name: str, sources: dict[str, Source]) -> dict[str, str]:
    """Name the author of a corpus' texts, and their licence."""
    found = (source for start, source in sources.items() if name.startswith(start))
    return next(({"license": source.licence, "creditText": source.citation} for source in found), {})


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case ["write", folder, archive, *left_out]:
                write(Path(folder), Path(archive), left_out)
            case ["verify", archive]:
                sys.exit(0 if verify(Path(archive)) else 1)
            case _:
                sys.exit(__doc__)
    except TextparityError as error:
        sys.exit(str(error))
