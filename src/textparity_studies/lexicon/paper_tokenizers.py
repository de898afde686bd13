"""Import NLTK and PyThaiNLP in versions that split words as in the paper (Muller 2023), not those of the environment.

The authors' requirements.txt has nltk 3.8.1 and pythainlp 4.0.2. NLTK 3.9.1 splits words as 3.8.1 does, but reads its
models without unpickling them; 3.10 splits differently.

`make workflow` installs what `LOCK` pins into `FOLDER`; the dependencies are those of the environment. Only the process
of a job that counts with one of them has the folder on its path.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from textparity.errors import MissingResourceError, how_to_install

_REPOSITORY = Path(__file__).parents[3]
LOCK = _REPOSITORY / "locks" / "paper-tokenizers.txt"
FOLDER = _REPOSITORY / ".paper-tokenizers"
_PIN = re.compile(r"^\w+==\S+", re.MULTILINE)


def pins_of(kind: str) -> list[str]:
    """List what the lock pins (`nltk==3.9.1`) for a kind of tokenizer: nothing for Stanza and ICU."""
    pins = _PIN.findall(LOCK.read_text("utf-8"))
    return [pin for pin in pins if pin.startswith(f"{kind}==")]


def missing_package(pins: Sequence[str]) -> str:
    """Explain which of the pinned packages is not in the folder, or return an empty string."""
    for pin in pins:
        package, _, version = pin.partition("==")
        if not (FOLDER / f"{package}-{version}.dist-info").is_dir():
            need = f"{package} {version}, which splits words as in the paper"
            return f"{need}, is not installed; run {how_to_install('workflow')}"
    return ""


def import_from_folder(pins: Sequence[str]) -> None:
    """Make this process import the pinned packages from the folder.

    Raises `MissingResourceError` if one is not there, and `RuntimeError` if it has been imported from elsewhere.
    """
    if reason := missing_package(pins):
        raise MissingResourceError(reason)
    for pin in pins:
        package, _, _ = pin.partition("==")
        imported = sys.modules.get(package)
        # An archive's counts are made again one after the other, in one process.
        if imported and not Path(str(imported.__file__)).is_relative_to(FOLDER):
            raise RuntimeError(f"{package} was imported from elsewhere before {pin}")
    if pins and str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
