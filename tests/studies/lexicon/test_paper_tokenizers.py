"""Jobs of the lexicon study split words with NLTK and PyThaiNLP as in the paper, and nothing else does."""

import subprocess
import sys
from pathlib import Path

import pytest

from textparity.auditing.languages import load_registry
from textparity.errors import MissingResourceError
from textparity_studies.lexicon import paper_tokenizers
from textparity_studies.lexicon.paper_tokenizers import import_from_folder, missing_package, pins_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with one package, `oldwords` 1.0."""
    (tmp_path / "oldwords").mkdir()
    (tmp_path / "oldwords" / "__init__.py").touch()
    (tmp_path / "oldwords-1.0.dist-info").mkdir()
    monkeypatch.setattr(paper_tokenizers, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("oldwords", None)


def test_the_lock_pins_every_tokenizer_of_the_paper_but_stanza():
    kinds = {row.published_tokenizer for row in load_registry().languages.values()}
    assert {kind for kind in kinds if not pins_of(kind)} == {"stanza", "stanza_mwt"}
    assert pins_of("icu") == []
    assert pins_of("pythainlp") == ["pythainlp==4.0.2"]


def test_a_pinned_package_comes_from_the_folder(folder):
    import_from_folder(["oldwords==1.0"])
    import oldwords

    import_from_folder(["oldwords==1.0"])
    assert sys.path.count(str(folder)) == 1
    assert Path(oldwords.__file__).parent == folder / "oldwords"


def test_without_pins_the_path_stays_as_it_is(folder):
    import_from_folder([])
    assert str(folder) not in sys.path


def test_another_version_in_the_folder_is_as_good_as_none(folder):
    message = "oldwords 2.0, which splits words as in the paper, is not installed; run make workflow"
    assert (missing_package(["oldwords==1.0"]), missing_package(["oldwords==2.0"])) == ("", message)
    with pytest.raises(MissingResourceError, match=r"oldwords 2\.0"):
        import_from_folder(["oldwords==2.0"])


def test_a_process_does_not_load_two_versions(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "oldwords", pytest)
    with pytest.raises(RuntimeError, match=r"was imported from elsewhere before oldwords==1\.0"):
        import_from_folder(["oldwords==1.0"])


# Later versions split "(72" off in another way, and "'word" in two.
@pytest.mark.parametrize(
    ("pin", "code", "printed"),
    [
        (
            "pythainlp==4.0.2",
            "tokenizer = load_tokenizer(TokenizerChoice('pythainlp', ''))\n"
            "print(tokenizer.label, tokenizer.cut(['(72'])[0][0])",
            "PyThaiNLP newmm (pythainlp 4.0.2) ['(', '72']",
        ),
        (
            "nltk==3.9.1",
            "from nltk.tokenize import NLTKWordTokenizer\n"
            "print(version('nltk'), NLTKWordTokenizer().tokenize(\"'word\"))",
            '3.9.1 ["\'word"]',
        ),
    ],
)
def test_a_job_splits_words_as_in_the_paper(pin, code, printed):
    if missing_package([pin]):
        pytest.skip(missing_package([pin]))
    imports = (
        "from importlib.metadata import version\n"
        "from textparity.counting.tokenizers import TokenizerChoice, load_tokenizer\n"
        "from textparity_studies.lexicon.paper_tokenizers import import_from_folder\n"
    )
    # A process of its own, because this one has loaded today's version.
    command = [sys.executable, "-c", f"{imports}import_from_folder(['{pin}'])\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == printed, done.stderr
