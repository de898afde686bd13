"""Links between the pages lead somewhere, and generated parts are what they are generated from."""

import csv
import re
import subprocess
import sys
from dataclasses import fields
from hashlib import sha256

import pytest

from textparity_studies import STUDIES
from textparity_studies.workflow.config import Config

# Words of the pages, with their tables. A longer page is one that says something twice, or says what a table shows.
# A new study brings a page of its own.
MOST_WORDS, MOST_PER_STUDY = 21_900, 1_700
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "benchmarks/README.md")
PAGES += ("resources/**/README.md",)


def prose(page):
    """The page without what stands in code."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "``", text)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_relative_link_leads_to_a_file_and_a_heading(repository):
    pages = [page for pattern in PAGES for page in repository.glob(pattern)]
    broken, links = [], 0
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            if re.match(r"https?:|mailto:", link):
                continue
            links += 1
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append(f"{page.relative_to(repository)}: {link}")
    assert not broken
    assert links > 50


def test_each_threat_has_the_test_that_its_row_names(repository):
    section = (repository / "docs" / "security.md").read_text("utf-8").partition("defended against whom")[2]
    rows = re.findall(r"^\|.*\|$", section.partition("\n## ")[0], re.MULTILINE)[2:]
    assert len(rows) > 5
    for row in rows:
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", row.split("|")[3])
        assert named, row
        for file, test in named:
            (path,) = repository.glob(f"tests/**/{file}")
            assert f"def {test}(" in path.read_text("utf-8"), test


def test_every_page_is_in_the_table_of_contents(repository):
    listed = set(re.findall(r"^([\w-]+)$", (repository / "docs" / "index.md").read_text("utf-8"), re.MULTILINE))
    assert {page.stem for page in (repository / "docs").glob("*.md")} <= listed | {"index"}


def test_the_pages_are_short_enough_to_be_read(repository):
    words = {page.name: len(page.read_text("utf-8").split()) for page in (repository / "docs").glob("*.md")}
    # The claims are generated, and each is read alone.
    del words["claims.md"]
    most = MOST_WORDS + MOST_PER_STUDY * len(STUDIES)
    assert sum(words.values()) <= most, sorted(words.items(), key=lambda item: -item[1])


def test_generated_parts_are_those_of_the_schema_and_the_tables(repository):
    check = [sys.executable, "tools/write_docs.py", "--check"]
    done = subprocess.run(check, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def write_docs(repository):
    sys.path.insert(0, str(repository / "tools"))
    try:
        import write_docs
    finally:
        sys.path.pop(0)
    return write_docs


def test_the_picture_of_the_rules_has_every_study(repository):
    picture = (repository / "docs" / "images" / "dag.svg").read_text("utf-8")
    assert set(STUDIES) <= set(re.findall(r'font-weight="bold"[^>]*>(\w+)</text>', picture))


def test_the_picture_puts_rules_in_their_order_and_names_a_crossing(repository, monkeypatch):
    monkeypatch.syspath_prepend(str(repository / "tools"))
    import draw_dag

    first, second = STUDIES[:2]
    groups = {"read": "sources", "count": first, "tabulate": first, "score": second, "render": "report"}
    edges = {("read", "count"), ("count", "tabulate"), ("tabulate", "render"), ("read", "score"), ("score", "render")}
    picture = draw_dag.draw(groups, edges)
    places = {rule: int(re.search(rf'x="(\d+)"[^>]*> *{rule}<', picture)[1]) for rule in groups}
    assert places["read"] < places["count"] == places["score"] < places["tabulate"] < places["render"]
    # A shared step between two rules of a study: it stays on the left, and they in their order.
    groups["ask"] = "tagging"
    edges = edges - {("count", "tabulate")} | {("count", "ask"), ("ask", "tabulate")}
    picture = draw_dag.draw(groups, edges)
    places = {rule: int(re.search(rf'x="(\d+)"[^>]*> *{rule}<', picture)[1]) for rule in groups}
    assert places["ask"] == places["read"] < places["count"] < places["tabulate"] < places["render"]
    with pytest.raises(ValueError, match=r"tabulate.*score"):
        draw_dag.draw(groups, edges | {("tabulate", "score")})


def test_the_configuration_page_has_every_key_with_its_comment(repository, write_docs):
    text = write_docs.configuration(
        "# Runs so often.\nseed: 1\n\nmirror: null\n# A row.\n# corpora:\nperson_nouns: a\n"
    )
    assert "| `seed` | `20231206` (integer ≥ 0) | Runs so often. |" in text
    assert "| `mirror` | `null` (text or `null`) |  |" in text
    assert "| `person_nouns` | `gender_gap_v1.0` | A row. |" in text
    assert "| `bootstrap.resamples` | `1000` (integer 100–100,000) |" in text
    assert "| `published` (`published`, `corrected`) |" in text
    # Keys of one type without comments share a row, and a group's comment is theirs.
    grouped = write_docs.configuration("newsroom:\n  # A range.\n  balance:\n    lower: 1\n")
    assert "| `newsroom.balance.lower`, `newsroom.balance.upper` | `0.75`, `1.25` (number > 0) | A range. |" in grouped

    def keys(values, prefix=""):
        for name, value in values.items():
            yield from keys(value, f"{prefix}{name}.") if isinstance(value, dict) and value else [f"{prefix}{name}"]

    assert all(f"`{key}`" in text for key in keys(Config().model_dump()))


def test_a_page_without_its_marks_is_named(write_docs):
    page = "a\n<!-- generated: part; edit b -->\nold\n<!-- end: part -->\nc\n"
    assert write_docs.replace_part(page, "part", "new", "page.md") == page.replace("old\n", "\nnew\n\n")
    with pytest.raises(ValueError, match=r"docs/page\.md: has no <!-- generated: other"):
        write_docs.replace_part(page, "other", "new", "page.md")


RESULTS_PAGES = [
    "README.md",
    *(f"docs/{name}.md" for name in ("index", "method", "limitations", "lexicon", "common-crawl", "representation")),
    *(f"docs/{name}.md" for name in ("newsroom", "swapping", "stereotypes", "propagation")),
]


def test_no_figure_of_a_result_is_typed_into_the_docs(repository):
    """Decimals and percentages come from claims and the ledger, or are settings, in code."""
    typed = []
    for name in RESULTS_PAGES:
        text = re.sub(r"<!-- (claims|ledger):.*?<!-- end: \1 -->", "", prose(repository / name), flags=re.DOTALL)
        text = re.sub(r"<!-- generated: (\w+).*?<!-- end: \1 -->", "", text, flags=re.DOTALL)
        text = re.sub(r"\]\([^)]*\)|Python \d\.\d+", "]", text)
        typed += [f"{name}: {found}" for found in re.findall(r".{0,40}(?:\d\.\d|\d ?%|\d percent).{0,20}", text)]
    assert typed == []


def test_a_claim_that_no_run_has_filled_in_is_no_evidence(repository):
    with (repository / "docs" / "claims.csv").open(encoding="utf-8", newline="") as file:
        recorded = {row["id"] for row in csv.DictReader(file)}
    for page in [repository / "README.md", *(repository / "docs").glob("*.md")]:
        for claim, after in re.findall(r"claims\.md#([a-z]+-[a-z0-9-]+)\)(.{0,10})", page.read_text("utf-8")):
            assert claim in recorded or "not run" in after, f"{page.name}: {claim}"


def test_the_claims_of_a_page_are_there_and_recorded(write_docs):
    empty = dict.fromkeys((item.name for item in fields(write_docs.Claim)), "")
    named = {"id": "lexicon-a", "plain": "A *b.", "confidence": "inferred"}
    stated = {"lexicon-a": write_docs.Claim(**empty | named)}
    said = {"lexicon-a": {"effect": "2 of 3", "holds": "yes"}}
    page = "<!-- claims: lexicon-a -->\n<!-- end: claims -->\n"
    filled = write_docs.fill_in_claims(page, stated, said, "claims.md", "page.md")
    assert "\n- **Lexicon (Muller 2023)**: A \\*b: 2 of 3. ([inferred; objection](claims.md#lexicon-a))\n" in filled
    assert write_docs.fill_in_claims(filled, stated, said, "claims.md", "page.md") == filled
    assert "\n- A \\*b: 2 of 3. ([" in write_docs.fill_in_claims(page, stated, said, "claims.md", "lexicon.md")
    unfilled = write_docs.fill_in_claims(page, stated, {}, "claims.md", "page.md")
    assert "\n- [lexicon-a](claims.md#lexicon-a): not run\n" in unfilled
    with pytest.raises(ValueError, match=r"page\.md: there is no claim lexicon-a"):
        write_docs.fill_in_claims(page, {}, {}, "claims.md", "page.md")


def test_a_cell_of_the_ledger_is_printed_as_recorded(write_docs):
    page = "<!-- ledger: lexicon, 4, swe, words -->\n<!-- end: ledger -->\n"
    row = {"published": "12", "ours_published": "12", "ours_corrected": "13", "verdict": "exact"}
    filled = write_docs.fill_in_cells(page, {("lexicon", "4", "swe", "words"): row})
    assert "\n| `lexicon` | `4` | `swe` | `words` | 12 | 12 | 13 | exact |\n" in filled
    assert write_docs.fill_in_cells(filled, {("lexicon", "4", "swe", "words"): row}) == filled
    assert "| no recorded run has it |" in write_docs.fill_in_cells(filled, {})


def test_the_ledger_of_the_docs_has_every_published_number(write_docs):
    import record_claims

    key = ("representation", "7", "Europarl 1", "masculine")
    values = ("32", "32", "33", "measured", "exact", "", "", "a1b2 of 2026-11-26")
    recorded = dict(zip(record_claims.LEDGER_COLUMNS, (*key, *values), strict=True))
    whole = {record_claims.key(row): row for row in record_claims.whole_ledger({key: recorded})}
    assert len(whole) == sum(map(len, record_claims.published_numbers().values()))
    assert whole[key] == recorded
    other = whole["lexicon", "4", "swe", "words"]
    assert (other["published"], other["ours_published"], other["verdict"]) == ("42980", "", "")
    assert other["reason"] == "no recorded run has it"
    # A published number that was corrected since needs another run.
    (changed,) = [
        row
        for row in record_claims.whole_ledger({key: recorded | {"published": "31"}})
        if record_claims.key(row) == key
    ]
    assert (changed["published"], changed["ours_published"]) == ("32", "")


def test_the_scorecard_is_by_paper_with_reasons_and_the_date_of_the_run(write_docs):
    cells = {"study": "lexicon", "example": "", "run": "a1b2 of 2026-11-26", "evidence": "measured"}
    rows = [
        cells | {"table": "4", "verdict": "exact", "reason": "", "numbers": "1200"},
        cells | {"table": "4", "evidence": "", "verdict": "not run", "reason": "unpublished: a_list", "numbers": "2"},
        cells | {"table": "5", "evidence": "", "verdict": "not run", "reason": "unpublished: a_list", "numbers": "3"},
        cells | {"table": "5", "verdict": "differs", "reason": "one", "numbers": "1"},
        cells | {"table": "5", "verdict": "differs", "reason": "another", "numbers": "2"},
        cells | {"table": "5", "evidence": "arithmetic", "verdict": "exact", "reason": "", "numbers": "4"},
    ]
    page = write_docs.scorecard({"lexicon": rows}, {"lexicon": "Lexicon (Muller 2023)"})
    lines = page.splitlines()
    assert "| measured | 1,200 |  | 3 |  |  | 1,203 |" in lines
    assert "| arithmetic | 4 |  |  |  |  | 4 |" in lines
    assert lines.index("| arithmetic | 4 |  |  |  |  | 4 |") < lines.index("| all | 1,204 |  | 3 |  |  | 5 | 1,212 |")
    assert "| Lexicon (Muller 2023) | 1,204 |  | 3 |  |  | 5 | 1,212 |" in lines
    assert "Runs: a1b2 of 2026-11-26 (lexicon)." in lines
    assert "| `lexicon` | differs | 3 |  | 2 reasons |" in lines
    assert "| unpublished | 5 | `lexicon` |" in lines


def test_lexicons_are_compared_by_each_measure(repository, monkeypatch):
    monkeypatch.syspath_prepend(str(repository / "tools"))
    import compare_lexicons

    before = {f"{measure}_v1": "50.0" for measure in compare_lexicons.MEASURES} | {"bias_v1": "0.80"}
    after = {f"{measure}_v2": "50.0" for measure in compare_lexicons.MEASURES} | {"bias_v2": "1.30", "f1_v2": "51.0"}
    lines = list(compare_lexicons.summarise_corpora([before | after, before | after | {"bias_v2": "0.90"}]))
    assert lines[0].startswith("| of 2 corpora")
    assert {"| F1 | 2 | 0 | 0 |", "| recall, men | 0 | 2 | 0 |", "| bias | 1 | 0 | 1 |"} <= set(lines)


def test_the_bars_of_the_figure_are_the_recorded_counts(write_docs):
    row = {"corpus": "mine", "masculine": "3", "feminine": "1", "balanced": "", "no_clear_difference": "5"}
    drawn = write_docs.draw_verdicts([row | {"procedure": "corrected", "too_few": "1", "languages": "10"}])
    widths = [float(wide) for wide in re.findall(r'width="([\d.]+)" height="30"', drawn)]
    assert [round(10 * wide / sum(widths)) for wide in widths] == [3, 6, 1]
    assert re.findall(r">(\d+)</text>", drawn) == ["3", "6", "1"]


def test_what_is_kept_says_when_and_from_what_it_was_made(repository):
    kept = sorted((repository / "resources").glob("*/kept/*.csv"))
    assert kept
    for path in kept:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert {(len(row["made"]), len(row["inputs_sha256"])) for row in rows} == {(10, 64)}, path
        assert any(path.stem in script.read_text("utf-8") for script in path.parent.glob("*.py")), path


@pytest.mark.parametrize("study", ["lexicon", "propagation", "stereotypes"])
def test_what_is_kept_of_printed_numbers_is_of_those_that_are_here(repository, study):
    folder = repository / "resources" / study
    digest = sha256((folder / "published.csv").read_bytes()).hexdigest()
    for path in folder.glob("kept/*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            made_of = {row["inputs_sha256"] for row in csv.DictReader(file)}
        assert made_of == {digest}, f"{path}: published.csv is another one now; run the script beside it"
