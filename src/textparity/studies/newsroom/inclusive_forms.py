"""What both checks for gender-inclusive language find: of a list of spellings, and in the articles of a run.

The list, `resources/newsroom/gold/inclusive_forms_deu.tsv`, has every usual spelling with several nouns (`source` own),
and words that either check found in public corpora; a person said of each whether it is inclusive. A spelling that is
not is `none`. `tokens` is the form as spaCy's German tokenizer cuts it: the paper's check reads single tokens. On the
list it has the best case, that each token is marked as a noun and none as a name.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.measures.statistics import percentage
from textparity.report.tables import write_csv, write_latex
from textparity.studies.newsroom.annotations import read_annotations
from textparity.studies.newsroom.extraction.inclusive_language import (
    find_inclusive_forms,
    find_published_forms,
    finds_as_noun,
)
from textparity.workflow.registry import read_tsv

LISTED = "listed spellings"
ALL = "all"
_OWN = "own"
_VERDICTS = ("yes", "no")
_SHOWN = 3


def tabulate_inclusive_forms(
    forms: Path, annotations: list[Path], corpora: list[str], table_csv: Path, table_latex: Path
) -> None:
    """Write what each procedure finds of the listed spellings, and in each corpus.

    `annotations` are files of articles, each of the corpus beside it in `corpora`. Columns: `texts` (`listed spellings`
    or a corpus); `procedure`; `spelling` (of the list; of a corpus the kind of form, `all` of all, the only row that
    the paper's check has); `listed` (inclusive forms on the list, which has `none` for what is not); `found`; `words`
    (different ones of these); `articles` (that have one); `judged` (found ones that are on the list), `inclusive` (of
    these), `inclusive_percent`; `most_frequent`. Memory: the different words.
    """
    rows = read_tsv(forms, ["form", "spelling", "tokens", "inclusive", "source"])
    for line, row in enumerate(rows, start=2):
        if row["inclusive"] not in _VERDICTS:
            raise TableError(f"{forms}, line {line}: inclusive {row['inclusive']!r} is none of {', '.join(_VERDICTS)}")
    verdicts = {row["form"]: row["inclusive"] == "yes" for row in rows}
    table = list(_rows_of_list([row for row in rows if row["source"] == _OWN]))
    for corpus in dict.fromkeys(corpora):
        paths = [path for path, name in zip(annotations, corpora, strict=True) if name == corpus]
        table += _rows_of_corpus(corpus, paths, verdicts)
    frame = pd.DataFrame(table).astype({"listed": "Int64", "articles": "Int64"})
    write_csv(frame, table_csv)
    heads = {"texts": "Texts", "procedure": "Rules", "spelling": "Spelling", "listed": "Listed", "found": "Found"}
    heads |= {"judged": "Judged", "inclusive": "Inclusive", "inclusive_percent": "%"}
    write_latex(
        frame[list(heads)].rename(columns=heads),
        table_latex,
        caption=(
            "Gender-inclusive forms that the paper's check and ours find: of a list of spellings, and in corpora; of "
            "the found forms that a person judged, how many are inclusive."
        ),
        label="tab:inclusive-forms",
        formats={"%": "{:.1f}"},
    )


def _rows_of_list(rows: list[dict[str, str]]) -> Iterable[dict[str, object]]:
    spellings = [*dict.fromkeys(row["spelling"] for row in rows), ALL]
    for procedure in ("published", "corrected"):
        for spelling in spellings:
            these = [row for row in rows if spelling in (row["spelling"], ALL)]
            found = Counter(row["form"] for row in these if _is_found(row, procedure))
            inclusive = {row["form"]: row["inclusive"] == "yes" for row in these}
            yield {
                "texts": LISTED, "procedure": procedure, "spelling": spelling, "listed": sum(inclusive.values()),
                **_count(found, inclusive),
            }  # fmt: skip


def _is_found(row: dict[str, str], procedure: str) -> bool:
    if procedure == "published":
        return any(map(finds_as_noun, row["tokens"].split()))
    return bool(find_inclusive_forms(row["form"]))


def _rows_of_corpus(corpus: str, paths: list[Path], verdicts: dict[str, bool]) -> Iterable[dict[str, object]]:
    found: dict[tuple[str, str], Counter[str]] = {("published", ALL): Counter(), ("corrected", ALL): Counter()}
    articles: Counter[tuple[str, str]] = Counter()
    for path in paths:
        for batch in read_annotations(path):
            for article in batch:
                forms = [("published", ALL, form) for form in find_published_forms(article)]
                for kind, form in find_inclusive_forms(article.text_of(0, len(article))):
                    forms += [("corrected", kind, form), ("corrected", ALL, form)]
                for procedure, kind, form in forms:
                    found.setdefault((procedure, kind), Counter())[form] += 1
                articles.update({(procedure, kind) for procedure, kind, _ in forms})
    for (procedure, kind), words in sorted(found.items(), key=lambda item: (item[0][0] == "corrected", item[0][1])):
        counts = _count(words, verdicts)
        counts["articles"] = articles[procedure, kind]
        yield {"texts": corpus, "procedure": procedure, "spelling": kind, "listed": None, **counts}


def _count(found: Counter[str], verdicts: dict[str, bool]) -> dict[str, object]:
    judged = sum(count for form, count in found.items() if form in verdicts)
    inclusive = sum(count for form, count in found.items() if verdicts.get(form))
    frequent = sorted(found, key=lambda form: (-found[form], form))[:_SHOWN]
    return {
        "found": found.total(), "words": len(found), "articles": None, "judged": judged, "inclusive": inclusive,
        "inclusive_percent": percentage(inclusive, judged), "most_frequent": ", ".join(frequent),
    }  # fmt: skip
