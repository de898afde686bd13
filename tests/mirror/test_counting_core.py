"""Both corpora of the study, in every language and text by text: the counting core finds what `count_texts` finds."""

import os

import pytest

from parallel_texts import load_study_registry
from textparity.auditing.languages import PACKAGE_FOLDER
from textparity.counting import pieces
from textparity.counting.lexicon import Lexicon, read_lexicon, revised_terms
from textparity.counting.name_rules import load_name_rules
from textparity.counting.terms import LAYERS, TermMatcher
from textparity.counting.text_counter import TextCounter, count_texts
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import MissingResourceError
from textparity.folding import load_folding
from textparity.sources.archives import open_member
from textparity.sources.model_files import Mirror

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror


def corpora():
    registry = load_study_registry()
    for corpus in ("ntrex", "flores"):
        for lang in registry.languages:
            if registry.corpus_has(corpus, lang):
                file = registry.corpus_file(corpus, lang)
                yield pytest.param(file, lang, id=f"{corpus}-{lang}")


def read(file):
    path = Mirror(os.environ["TEXTPARITY_MIRROR"]).find(file.url)[0]
    with open_member(path, file.member) if file.member else path.open("rb") as stream:
        return stream.read().decode("utf-8").replace("\r\n", "\n").split("\n")


# Counting text by text takes most of the time, so CI compares one text in five.
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow, id="all"), pytest.param(5, id="some")])
@pytest.mark.parametrize(("file", "lang"), list(corpora()))
def test_every_text_has_the_same_words_and_matches(monkeypatch, file, lang, step):
    registry, mirror = load_study_registry(), Mirror(os.environ["TEXTPARITY_MIRROR"])
    try:
        lines = read(file)
    except MissingResourceError:
        pytest.skip("not in the mirror")
    row = registry.languages[lang]
    lexicon = registry.lexicon_file("gender_gap_v1.0", lang)
    entries, folding = read_lexicon(mirror.find(lexicon.url)[0]), load_folding(lang)
    revision = PACKAGE_FOLDER / "resources" / "lexicons" / "textparity_v1" / f"{lang}.tsv"
    revised = None
    if revision.is_file():
        revised = TermMatcher(revised_terms(entries, revision, row.first_names), LAYERS, folding, load_name_rules(lang))
    tokenizer, lexicon = load_tokenizer(registry.tokenizer(lang, "icu")), Lexicon(entries, folding)
    known = tokenizer, lexicon, row.published_uses_stanza, revised
    documents = [" ".join(lines[start : start + 30]) for start in range(0, len(lines), 30)]
    counters = [TextCounter(*known, folding=folding)]
    if pieces.CompiledReader:
        monkeypatch.setattr(pieces, "CompiledReader", None)
        counters.append(TextCounter(*known, folding=folding))
    for texts in (lines, documents):
        all_found = [counter.count(texts) for counter in counters]
        for place, of_text in enumerate(count_texts(texts[::step], *known, folding)):
            number = step * place
            for procedure, counts in of_text.items():
                for ours in (found[procedure] for found in all_found):
                    assert (int(ours.words[number]), ours.matches.get(number, [])) == (counts.words, counts.matches), (
                        procedure,
                        texts[number],
                    )
