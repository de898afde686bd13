"""Compute the numbers of Derner 2025 that are in no cell of our tables: Table 10 and App. I.

In Table 4, our copy of the paper prints gpt-40 for gpt-4o. §4.1 prints the sentence pairs of Global Voices in full, and
those of the other corpora in millions; `published.csv` has millions.
"""

from textparity_studies.report.cells import CellName, RunTables
from textparity_studies.report.ledger import Need, PublishedNumber, Reason, ReproducedValue, join_remarks

PAPER_TAGGER = "gpt-4-turbo"
_SPANISH = "spa"
_TAGS, _EPICENE = "representation/tags_summary.csv", "representation/tables/epicene.csv"
# The paper's Spanish samples (Table 5), by our names of the corpora.
_SAMPLES = {
    "europarl_1": "Europarl 1", "europarl_2": "Europarl 2",
    "ccaligned_1": "CCAligned 1", "ccaligned_2": "CCAligned 2",
    "global_voices_1": "Global Voices 1", "global_voices_2": "Global Voices 2",
    "wmt_news_1": "WMT-News 1", "wmt_news_2": "WMT-News 2",
}  # fmt: skip


def sum_epicene_words(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Sum the frequencies (or percentages) of one epicene word, or of all, in the tagged Spanish samples."""
    tagged = tables.find_rows(_TAGS, (("lang", _SPANISH),))
    if not any(row["corpus"] in _SAMPLES for row in tagged):
        withdrawn = tables.find_text(CellName("gaps", (("engine", PAPER_TAGGER),), "reason"))
        nothing = Need(Reason.NOT_CONFIGURED, "no Spanish sample of the paper was tagged by a language model")
        return ReproducedValue(remark=withdrawn or nothing)
    corpora = {row["corpus"] for row in tagged if not row["reason"]}
    if not corpora:
        return ReproducedValue(remark=tagged[0]["reason"])
    value = _sum_frequencies(number, tables)
    tagger = tagged[0]["tagger"]
    remark = f"counted once, as corrected; tagged by {tagger}"
    return ReproducedValue(value, value, remark=remark, setup=_describe_setup(tagger, corpora))


def _sum_frequencies(number: PublishedNumber, tables: RunTables) -> float:
    keys = [("lang", _SPANISH)]
    if number.table == "10":
        keys.append(("word", number.row))
    column = "percent_of_person"
    if not number.column.endswith(column):
        column = "frequency"
        keys.append(("gender", number.column.rpartition("_")[2]))
    return sum(float(row[column]) for row in tables.find_rows(_EPICENE, tuple(keys)))


def _describe_setup(tagger: str, corpora: set[str]) -> str:
    other_tagger = "" if tagger == PAPER_TAGGER else f"tagged by {tagger}, the paper by {PAPER_TAGGER}"
    if corpora == _SAMPLES.keys():
        return other_tagger
    names = sorted(_SAMPLES.get(corpus, corpus) for corpus in corpora)
    return join_remarks(other_tagger, f"over {', '.join(names)}, the paper over all of Table 5")
