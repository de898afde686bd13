"""Record the audit shown in the README and docs/: English news of NTREX-128, with each article as a text.

python tools/record_audit.py   # needs the lexicon and NTREX-128: the network, or TEXTPARITY_MIRROR

It writes the output to the pages and, with Chromium, the picture docs/images/audit_page.png.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import textparity
from parallel_texts import load_study_registry
from textparity.auditing.languages import fetch_cached
from textparity.auditing.results import AuditResult
from write_docs import replace_part

REPOSITORY = Path(__file__).parents[1]
NAME, PART, GROUPS = "articles.jsonl", "audit", 4
# The picture shows the head of the page, the bar and the chart by outlet.
WIDTH, HEIGHT = 1000, 900


def main() -> None:
    """Run the audit and write its output."""
    with tempfile.TemporaryDirectory() as folder:
        result = audit_news(Path(folder))
        shown = f"```\n{shorten(result.to_text())}\n```"
        for page in (REPOSITORY / "README.md", REPOSITORY / "docs" / "index.md"):
            page.write_text(replace_part(page.read_text("utf-8"), PART, shown, page.name), "utf-8")
        if chromium := shutil.which("chromium"):
            html = Path(folder) / "page.html"
            html.write_text(result.to_html(), "utf-8")
            picture = REPOSITORY / "docs" / "images" / "audit_page.png"
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            size = f"--window-size={WIDTH},{HEIGHT}"
            subprocess.run([chromium, *options, size, f"--screenshot={picture}", html.as_uri()], check=True)


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
