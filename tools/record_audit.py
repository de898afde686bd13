"""Record the audit and the comparison shown in the README and docs/: news of NTREX-128, with each article as a text.

python tools/record_audit.py   # needs the lexicons and NTREX-128: the network, or TEXTPARITY_MIRROR

It writes the outputs to the pages and, with Chromium, the pictures audit_page.png and compare_page.png in docs/images/.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import textparity
from parallel_texts import load_study_registry
from textparity.auditing.audit_result import AuditResult
from textparity.auditing.languages import fetch_cached
from textparity.comparing.comparison import ComparisonResult, compare_files
from textparity.comparing.rendering import render_text
from write_docs import replace_part

REPOSITORY = Path(__file__).parents[1]
NAME, GROUPS = "articles.jsonl", 4
TRANSLATIONS = ("spa", "deu", "fra")
# The audit's picture has the head of the page, the bar and the chart by outlet; the other one the chart and the table.
WIDTH, AUDIT_HEIGHT, COMPARISON_HEIGHT = 1000, 900, 760


def main() -> None:
    """Run the audit and the comparison, and write their outputs."""
    docs = REPOSITORY / "docs"
    with tempfile.TemporaryDirectory() as folder:
        result = audit_news(Path(folder))
    for page in (REPOSITORY / "README.md", docs / "index.md"):
        write_part(page, "audit", f"```\n{shorten(result.to_text())}\n```")
    draw(result.to_html(), "audit_page.png", AUDIT_HEIGHT)
    with tempfile.TemporaryDirectory() as folder:
        filtered = compare_filtered(Path(folder))
    comparison = compare_translations()
    table, *_ = render_text(filtered, top=2).split("\n\n")
    write_part(docs / "compare.md", "filter", f"```text\n{table}\n```")
    table, *sections = render_text(comparison, top=2).split("\n\n")
    words = next(section for section in sections if ": what words" in section)
    write_part(docs / "compare.md", "translations", f"```text\n{table}\n\n{words}\n```")
    draw(comparison.to_html(), "compare_page.png", COMPARISON_HEIGHT)


def write_part(page: Path, part: str, shown: str) -> None:
    """Replace a generated part of a page."""
    page.write_text(replace_part(page.read_text("utf-8"), part, shown, page.name), "utf-8")


def draw(html: str, name: str, height: int) -> None:
    """Take a picture of the head of a page, if Chromium is installed."""
    if chromium := shutil.which("chromium"):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text(html, "utf-8")
            picture = REPOSITORY / "docs" / "images" / name
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            size = f"--window-size={WIDTH},{height}"
            subprocess.run([chromium, *options, size, f"--screenshot={picture}", page.as_uri()], check=True)


def compare_filtered(folder: Path) -> ComparisonResult:
    """Compare the news with its lines that lack the word *women*, as the first command of docs/compare.md does."""
    news = fetch_cached(load_study_registry().corpus_file("ntrex", "eng"))
    kept = folder / "kept.txt"
    lines = [line for line in news.read_text("utf-8").split("\n") if not re.search(r"\bwomen\b", line, re.IGNORECASE)]
    kept.write_text("\n".join(lines), "utf-8")
    return compare_files(news, kept, lang="eng")


def compare_translations() -> ComparisonResult:
    """Compare the news with human translations, as the command of docs/compare.md does."""
    registry = load_study_registry()
    files = [fetch_cached(registry.corpus_file("ntrex", lang)) for lang in ("eng", *TRANSLATIONS)]
    documents = fetch_cached(registry.source_file("ntrex", "DOCUMENT_IDS.tsv"))
    sources = [f"{file}:{lang}" for file, lang in zip(files, ("eng", *TRANSLATIONS), strict=True)]
    return compare_files(*sources, is_paired=True, documents=documents)


def audit_news(folder: Path) -> AuditResult:
    """Audit the news articles as the README's command does, by outlet."""
    registry = load_study_registry()
    texts = fetch_cached(registry.corpus_file("ntrex", "eng")).read_text("utf-8").split("\n")
    names = fetch_cached(registry.source_file("ntrex", "DOCUMENT_IDS.tsv")).read_text("utf-8").split("\n")
    articles: dict[str, list[str]] = {}
    for line, name in zip(texts, names, strict=True):
        if line:
            articles.setdefault(name, []).append(line)
    path = folder / NAME
    with path.open("w", encoding="utf-8") as file:
        for name, lines in articles.items():
            record = {"text": "\n".join(lines), "outlet": name.partition(".")[0]}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return textparity.audit_files([path], "eng", group_by="outlet", max_groups=GROUPS)


def shorten(text: str) -> str:
    """Extract the sentence and the table of the language, as the command prints them."""
    sentence, _, table, *_ = text.split("\n\n")
    return f"{sentence}\n\n{table}"


if __name__ == "__main__":
    main()
