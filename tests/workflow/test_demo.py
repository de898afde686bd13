"""The demo DAG: golden files, and what reruns when something changes."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pandas as pd
import pytest
import yaml
from latex import compile_tables, needs_latex, tables_of
from ledgers import published_of
from PIL import Image, ImageChops, ImageStat

from textparity.command import main
from textparity.counting import PROCEDURES
from textparity_studies import STUDIES, load_study
from textparity_studies.report.catalogue import FIGURE_FORMATS
from textparity_studies.report.cells import parse_pair
from textparity_studies.report.comparison import OR
from textparity_studies.report.ledger import read_published
from textparity_studies.report.scorecard import describe_ledgers

pytestmark = pytest.mark.workflow

GOLDEN = Path(__file__).parent / "golden"
# Of a third of a figure's size, in grey: enough to see that something moved.
GOLDEN_FIGURES = Path(__file__).parent / "golden_figures"
GOLDEN_PATTERNS = (
    "lexicon/tables/**/*.csv",
    "lexicon/tables/**/*.tex",
    "lexicon/divergence/**/*.csv",
    "representation/tables/**/*.csv",
    "representation/tables/**/*.tex",
    "newsroom/tables/**/*.csv",
    "newsroom/tables/**/*.tex",
    "newsroom/demo_news/*/*.csv",
    "swapping/tables/**/*.csv",
    "swapping/tables/**/*.tex",
    "stereotypes/tables/**/*.csv",
    "stereotypes/tables/**/*.tex",
    "stereotypes/annotation/*.csv",
    "propagation/tables/*.csv",
    "translation/tables/*.csv",
    "translation/tables/*.tex",
    "instruments/tables/*.csv",
    "instruments/tables/*.tex",
    "ledger_counts.csv",
    "report/ledger_summary.csv",
    "report/claims.csv",
)


def made_files(results):
    return sorted(path.relative_to(results) for pattern in GOLDEN_PATTERNS for path in results.glob(pattern))


def test_the_check_in_the_documentation_is_that_of_the_demo(demo, repository, tmp_path, capsys):
    """docs/check.md prints how the demo's articles were read: resources/demo/check."""
    articles = demo.results / "newsroom" / "demo_news" / "articles" / "0.parquet"
    folder = tmp_path / "check"
    draw = ["check", "draw", str(articles), "--lang", "deu", "--texts", "10", "--output", str(folder)]
    assert main(draw) == 0
    shutil.copy(repository / "resources" / "demo" / "check" / "judgements.jsonl", folder)
    capsys.readouterr()
    assert main(["check", "score", str(folder)]) == 0
    page = (repository / "docs" / "check.md").read_text("utf-8")
    printed = page.partition("`score` prints:\n\n```\n")[2].partition("```")[0]
    assert "Women's share as counted:" in printed
    assert capsys.readouterr().out.startswith(printed)


@needs_latex
def test_all_latex_tables_compile_in_one_document(request, tmp_path):
    """Those of the demo, or of the results of a run that the variable names: some have all languages."""
    given = os.environ.get("TEXTPARITY_RESULTS")
    tables = tables_of(Path(given) if given else request.getfixturevalue("demo").results)
    assert tables
    assert compile_tables(tables, tmp_path) == []


def test_the_demo_makes_the_golden_files(demo, request):
    studies = yaml.safe_load(demo.config.read_text("utf-8"))["studies"]
    made = made_files(demo.results)
    if request.config.getoption("--approve"):
        shutil.rmtree(GOLDEN, ignore_errors=True)
        for path in made:
            (GOLDEN / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(demo.results / path, GOLDEN / path)
    assert made == made_files(GOLDEN)
    for path in made:
        lines = (demo.results / path).read_text("utf-8").splitlines(keepends=True)
        # All claims are listed, also those of a study that the demo does not run.
        others = tuple(f"{study}," for study in STUDIES if study not in studies)
        text = "".join(line for line in lines if not line.startswith(others))
        assert text == (GOLDEN / path).read_text("utf-8"), path


def test_published_numbers_name_columns_that_the_tables_have(demo):
    named = {}
    for study in STUDIES:
        numbers = read_published(published_of(study)) if load_study(study).has_ledger else []
        for name in (name for number in numbers for name in number.cell.split(OR) if "[" in name):
            for cell in parse_pair(name):
                columns = {cell.column, *(key.removesuffix("!") for key, _ in cell.keys)}
                named.setdefault(cell.table, set()).update(columns)
    made = {table: demo.results / table for table in named if (demo.results / table).is_file()}
    assert len(made) > 10
    lacking = {table: named[table] - {*pd.read_csv(path, nrows=0)} for table, path in made.items()}
    assert not any(lacking.values()), lacking


def test_no_headline_of_the_report_is_contradicted_by_the_number_beside_it(demo):
    made = pd.read_csv(demo.results / "report" / "claims.csv", keep_default_na=False).set_index("id")
    filled = made[made["reason"] == ""]
    not_held = filled[filled["holds"] == "no"]
    assert set(not_held.index) == {
        "lexicon-ntrex-verdicts",
        "lexicon-one-form",
        "lexicon-revision",
        "newsroom-inclusive-forms",
        "newsroom-share-of-women",
        "stereotypes-human-text",
    }
    assert not_held["heading"].tolist() == not_held["topic"].tolist()
    assert (not_held[["says", "objection", "overturned_by"]] == "").all(axis=None)
    for name, effect in filled.loc[filled["holds"] == "yes", "effect"].items():
        # No share of nothing, and no correction that changes nothing.
        assert not re.search(r"\b0 of \d|(\d\S*) instead of \1(?![\d.])", effect), name
    page = (demo.results / "report" / "index.html").read_text("utf-8")
    assert "About one in five" not in page and "Most verdicts that a language leans" not in page


def test_claims_about_printed_numbers_are_those_of_the_docs(demo, repository):
    """What rests on the papers' printed numbers alone, the demo finds as the recorded run did."""
    recorded = pd.read_csv(repository / "docs" / "claims.csv").set_index("id")
    made = pd.read_csv(demo.results / "report" / "claims.csv", keep_default_na=False).set_index("id")
    printed = [
        name
        for name, claim in made.iterrows()
        if not claim["reason"]
        and all(Path(table).name.startswith(("printed_", "published_")) for table in claim["evidence"].split())
    ]
    assert len(printed) > 10
    texts = ["says", "objection", "overturned_by"]
    pd.testing.assert_frame_equal(made.loc[printed, texts], recorded.loc[printed, texts], check_names=False)


def test_what_make_demo_shows_in_the_end_is_of_its_tables(demo, repository):
    script = [sys.executable, "tools/show_demo.py", str(demo.results.parent)]
    shown = subprocess.run(script, cwd=repository, capture_output=True, text=True, check=True).stdout
    quality = pd.read_csv(demo.results / "representation/tables/corrected/validation.csv")
    assert quality["gold"].size and f"{quality['f1'].iloc[0]:.1f}" in shown
    assert f"file://{demo.results}/report/index.html" in shown
    assert describe_ledgers([demo.results / "ledger.csv"]) in shown


def test_a_run_ends_with_its_scorecard_in_one_line(demo):
    line = describe_ledgers([demo.results / "ledger.csv"])
    assert " exact, " in line
    # The jobs do not say it.
    assert demo.said.count(line) == 1


def test_an_archive_of_the_run_makes_every_result_again(demo, repository, tmp_path):
    archive = tmp_path / "results.zip"
    script = [sys.executable, str(repository / "tools/archive_results.py")]
    subprocess.run([*script, "write", str(demo.folder), str(archive)], cwd=tmp_path, check=True)
    made = subprocess.run([*script, "verify", str(archive)], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    assert ", 0 different, 0 need data of others" in made.stdout


def test_an_archive_of_a_changed_result_is_refused(demo, repository, tmp_path):
    shutil.copytree(demo.results / "run", tmp_path / "results" / "run")
    script = [sys.executable, "tools/archive_results.py", "write", str(tmp_path), str(tmp_path / "results.zip")]
    done = subprocess.run(script, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 1
    assert "is not what the run left" in done.stderr
    assert not (tmp_path / "results.zip").exists()


def test_the_figures_are_there(demo):
    figures = {
        path.relative_to(demo.results / "lexicon" / "figures") for path in demo.results.glob("lexicon/figures/**/*.*")
    }
    corpora = [f"{procedure}/representation_{corpus}" for procedure in PROCEDURES for corpus in ("demo", "ntrex")]
    names = {*corpora, "lexicon_sizes"}
    assert figures == {Path(f"{name}.{ending}") for name in names for ending in FIGURE_FORMATS}


def test_the_figures_look_as_approved(demo, request):
    drawn = {}
    for path in demo.results.glob("*/figures/**/*.png"):
        with Image.open(path) as picture:
            drawn[path.relative_to(demo.results)] = picture.convert("L").reduce(3)
    if request.config.getoption("--approve"):
        shutil.rmtree(GOLDEN_FIGURES, ignore_errors=True)
        for path, picture in drawn.items():
            (GOLDEN_FIGURES / path).parent.mkdir(parents=True, exist_ok=True)
            picture.save(GOLDEN_FIGURES / path, optimize=True)
    assert set(drawn) == {path.relative_to(GOLDEN_FIGURES) for path in GOLDEN_FIGURES.rglob("*.png")}
    for path, picture in drawn.items():
        with Image.open(GOLDEN_FIGURES / path) as approved:
            assert approved.size == picture.size, path
            difference = ImageStat.Stat(ImageChops.difference(approved, picture)).rms[0]
        # Of 255; an edge drawn otherwise makes less, a word that is another more.
        assert difference < 1, (path, difference)


def test_the_front_page_has_a_page_for_each_table(demo):
    pages = {path.name for path in demo.results.glob("report/tables/*.html")}
    assert {
        "ledger.html",
        "lexicon_corrected_distribution_demo.html",
        "newsroom_demo_news_corrected_summary.html",
    } <= pages
    # Of our counts, not of the paper's numbers.
    tables = demo.results / "report" / "tables"
    naming = {
        path.name for path in tables.glob("lexicon_*") if ", person nouns of the demo lexicon</p>" in path.read_text()
    }
    assert "lexicon_verdicts.html" in naming and "lexicon_precision.html" not in naming
    front_page = (demo.results / "report" / "index.html").read_text("utf-8")
    assert all(f'"../report/tables/{page}"' in front_page for page in pages)
    # The links that the page gives are there.
    links = re.findall(r'href="(\.\./[^"]+)"', front_page)
    assert links and [link for link in links if not (demo.results / "report" / link).is_file()] == []


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 400)])
def test_axe_finds_nothing_serious(demo, browser, scheme, width, tmp_path):
    if not (axe := os.environ.get("TEXTPARITY_AXE")):
        pytest.skip("TEXTPARITY_AXE does not name axe.min.js (npm install axe-core)")
    audit = [sys.executable, "-m", "textparity", "audit", f"{demo.folder}/resources/demo/texts/eng.txt:eng"]
    lexicons = f"{demo.folder}/resources/demo/lexicons"
    page = tmp_path / "audit.html"
    subprocess.run([*audit, "--lexicon-folder", lexicons, "--write", f"html={page}"], check=True, capture_output=True)
    names = ("report/index.html", "report/tables/lexicon_verdicts.html", "report/tables/ledger.html")
    pages = [*(demo.results / name for name in names), *demo.results.glob("newsroom/pages/*.html"), page]
    # The page's own policy would keep axe out.
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True, bypass_csp=True
    )
    for path in pages:
        opened = context.new_page()
        opened.goto(path.as_uri())
        opened.evaluate("document.querySelectorAll('details').forEach((shown) => { shown.open = true; })")
        opened.evaluate(Path(axe).read_text("utf-8"))
        found = opened.evaluate("axe.run().then((said) => said.violations.map((one) => [one.impact, one.id]))")
        assert [one for one in found if one[0] in ("serious", "critical")] == [], path.name
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, path.name
        opened.close()
    context.close()


def test_the_printed_commands_make_a_report(demo, tmp_path):
    from conftest import Checkout

    checkout = Checkout.of(demo.repository, tmp_path / "checkout")
    # What the reader has made is the demo's here.
    shutil.copyfile(checkout.config, checkout.repository / "config.yaml")
    shutil.copytree(demo.results, checkout.repository / "results")
    text = "".join((demo.repository / page).read_text("utf-8") for page in ("docs/index.md", "docs/report.md"))
    commands = dict(re.findall(r"^(snakemake --report (\S+)).*$", text, re.M))
    assert set(commands.values()) == {"report.html", "report.zip"}
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, report in commands.items():
        done = subprocess.run(
            command, shell=True, cwd=checkout.repository, capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert (checkout.repository / report).stat().st_size > 1_000_000
    with zipfile.ZipFile(checkout.repository / "report.zip") as archive:
        names = {PurePosixPath(name).name for name in archive.namelist()}
        opened_on = archive.read("report/report.html").decode()
    pages = {path.name for path in demo.results.glob("report/tables/*.html")}
    assert {"index.html", "representation_demo.svg"} | pages <= names
    assert "content:'html',contentPath:results['results/report/index.html'].data_uri" in opened_on


def test_a_second_run_does_nothing(demo):
    assert "Nothing to be done" in demo.build()


# Makes the whole demo once more.
@pytest.mark.slow
def test_two_runs_are_the_same_to_the_byte(demo, tmp_path):
    from conftest import Workflow

    again = Workflow(demo.repository, tmp_path)
    again.build()
    made = sorted(path.relative_to(demo.results) for path in demo.results.rglob("*") if path.is_file())
    assert made == sorted(path.relative_to(again.results) for path in again.results.rglob("*") if path.is_file())
    differing = [path for path in made if (demo.results / path).read_bytes() != (again.results / path).read_bytes()]
    # Host and time stand here alone.
    differing.remove(Path("run/run.json"))
    assert differing == []


# Six languages are in both corpora.
COUNTED = "count_lexicon_in_ntrex_and_demo"
SUMMARY_JOBS = {
    "summarise_lexicon": 1, "tabulate_lexicon": 1, "tabulate_matches": 1, "plot_lexicon": 1,
    "tabulate_average_leads": 1, "build_lexicon_ledger": 1, "sum_up_ledgers": 1,
    "record_run": 1, "quote_results": 1, "write_numbers": 1, "render_report": 1, "all": 1,
}  # fmt: skip


@pytest.fixture
def edited(demo):
    """Let a test change files of the demo, and put them back after it."""
    kept = {}

    def edit(path, change):
        file = demo.folder / path
        kept.setdefault(file, (file.read_bytes(), file.stat()))
        file.write_text(change(file.read_text("utf-8")), "utf-8")

    yield edit
    for file, (content, times) in kept.items():
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_an_edited_lexicon_recounts_its_language_only(demo, edited):
    def add_a_noun(text):
        nouns = json.loads(text)
        nouns["feminine"].append({"singular": "Enkelin"})
        return json.dumps(nouns)

    edited("resources/demo/lexicons/deu.json", add_a_noun)
    # Persons are counted in the German translations, too, and not in the Arabic ones.
    translation = ("find_translated_genders", "tabulate_translations", "build_translation_ledger", "plot_recall")
    lexicon = {COUNTED: 1, "summarise_lexicon": 2, "describe_lexicons": 1}
    assert demo.planned() == SUMMARY_JOBS | lexicon | dict.fromkeys(translation, 1)


def test_an_edited_text_is_read_and_counted_again(demo, edited):
    edited("resources/demo/texts/rus.txt", lambda text: text.replace("\n", " \n", 1))
    # The job counts another corpus of the language, too.
    assert demo.planned() == SUMMARY_JOBS | {"read_corpus": 1, COUNTED: 1, "summarise_lexicon": 2}


def test_an_edited_word_list_measures_articles_again_and_parses_nothing(demo, edited):
    edited("resources/newsroom/word_lists/titles_deu.tsv", lambda text: text + "fürstin\tfeminine\n")
    planned = demo.planned()
    assert (planned["measure_articles"], planned["flag_articles"], planned["balance_corpus"]) == (2, 1, 1)
    assert not {"read_articles", "import_annotations", "annotate_gold", COUNTED} & planned.keys()


def test_edited_pairs_of_words_read_no_entities_again(demo, edited):
    edited("resources/demo/lexicons/gender_pairs_ukr.csv", lambda text: text + "маляр,малярка\n")
    assert not {"read_entity_corpus", "read_corpus", COUNTED} & demo.planned().keys()


def test_sentences_swapped_by_rules_may_balance_the_corpus(demo):
    planned = demo.planned("--config", "swapping={swapped: rules}")
    assert (planned["classify_entities"], planned["tabulate_composition"]) == (1, 1)
    assert not {"read_entity_corpus", "swap_by_rules"} & planned.keys()


def test_an_edited_document_is_read_and_counted_again(demo, edited):
    edited("resources/demo/entities/data/news/shkola.txt", lambda text: text + "\n")
    planned = demo.planned()
    assert (planned["read_entity_corpus"], planned["count_entities"]) == (1, 1)
    assert not {"read_corpus", "read_articles"} & planned.keys()


def test_another_range_balances_again_and_measures_nothing(demo):
    planned = demo.planned("--config", "newsroom={balance: {upper: 1.1}}")
    assert (planned["balance_corpus"], planned["write_balanced_corpus"]) == (1, 1)
    assert not {"measure_articles", "summarise_articles", "annotate_gold"} & planned.keys()


def test_the_balanced_demo_has_the_articles_that_are_not_excluded(demo):
    folder = demo.results / "newsroom" / "demo_news" / "corrected"
    left = {name for path in (folder / "balanced").rglob("*.json") for name in json.loads(path.read_text("utf-8"))}
    gone = {line.partition(",")[0].partition("/")[2] for line in (folder / "excluded.csv").open(encoding="utf-8")}
    assert len(left) + len(gone) - 1 == 48 and not left & gone
    assert {path.name for path in (folder / "balanced").rglob("*.json")} == {
        f"taz_{year}-{month}.json" for year in (2022, 2023, 2024) for month in ("05", "11")
    }


def test_an_added_language_adds_its_jobs_only(demo, edited):
    for folder, ending in (("texts", "txt"), ("lexicons", "json")):
        source = demo.folder / "resources" / "demo" / folder
        shutil.copy(source / f"spa.{ending}", source / f"por.{ending}")
    edited(
        "resources/demo/corpora.tsv",
        lambda text: text.replace("\tarb cmn deu eng rus spa\t", "\tarb cmn deu eng por rus spa\t"),
    )
    languages = "languages=[arb,cmn,deu,eng,fra,hin,ita,pol,por,rus,spa]"
    assert demo.planned("--config", languages) == (
        {"read_corpus": 1, "count_lexicon_in_demo": 1, "describe_lexicons": 1} | SUMMARY_JOBS
    )


@pytest.mark.parametrize(
    ("module", "old", "new", "counted"),
    [
        ("tokenizers.py", "word.isspace()", "bool(word.isspace())", 6),
        ("stanza_tokenizer.py", 'KNOWN_RELEASE = "1.15."', 'KNOWN_RELEASE = "1.16."', 0),
    ],
    ids=["tokenizer", "another tokenizer"],
)
def test_changed_code_of_a_tokenizer_recounts_what_it_cuts(demo, tmp_path, monkeypatch, module, old, new, counted):
    source = tmp_path / "src"
    shutil.copytree(demo.repository / "src", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    # With them, it is a checkout, as what is not installed is told.
    for name in ("Makefile", "pyproject.toml", "locks", ".paper-tokenizers"):
        (tmp_path / name).symlink_to(demo.repository / name)
    file = source / "textparity" / "counting" / module
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    monkeypatch.setitem(demo.environment, "PYTHONPATH", os.pathsep.join([str(source), os.environ["PYTHONPATH"]]))
    planned = demo.planned()
    assert planned[COUNTED] == counted and "read_corpus" not in planned
    assert bool(planned) == bool(counted)


def test_a_wrong_config_stops_before_any_job(demo):
    done = demo.run("--config", "sede=3")
    assert done.returncode != 0
    assert "sede: unknown key; see config.yaml" in done.stdout + done.stderr


def test_bad_input_stops_its_job_with_its_message_and_leaves_nothing(repository, tmp_path):
    from conftest import Workflow

    workflow = Workflow(repository, tmp_path)
    lexicon = tmp_path / "resources/demo/lexicons/deu.json"
    lexicon.write_text(lexicon.read_text("utf-8").replace('"masculine"', '"male "', 1), "utf-8")
    done = workflow.run("results/lexicon/counts/demo/deu.icu.parquet")
    assert done.returncode != 0
    assert "resources/demo/lexicons/deu.json: class masculine is missing; add it" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path for path in (workflow.results / "lexicon").rglob("*") if path.is_file()] == []


def test_the_shipped_config_makes_a_dag(demo, tmp_path):
    from conftest import Workflow

    workflow = Workflow(demo.repository, tmp_path)
    workflow.config = demo.repository / "config.yaml"
    assert workflow.planned("--config", "skip_unavailable=true")["all"] == 1


def test_what_cannot_run_here_ends_the_run_before_its_first_job(repository, tmp_path):
    from conftest import Workflow

    workflow = Workflow(repository, tmp_path)
    workflow.config = repository / "config.yaml"
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror/urls.tsv").write_text("url\tpath\tsha256\tbytes\tlicence\tnote\n", "utf-8")
    done = workflow.run("results/corpora/ntrex/deu.parquet", "--config", f"mirror={tmp_path / 'mirror'}")
    assert done.returncode != 0
    assert "these jobs cannot run here, so none was started:\n  fetch_file ntrex " in done.stderr
    assert "is not in the mirror\nAdd what is missing" in done.stderr and "skip_unavailable=true" in done.stderr
    assert [path for path in workflow.results.rglob("*") if path.is_file()] == []
