import shutil
from pathlib import Path

import pytest

from textparity.errors import ConfigError, TableError
from textparity.files import read_tsv
from textparity.registry import FileReference
from textparity_studies.llm.models import load_models
from textparity_studies.newsroom.rows import article_files, document_ids_files
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry


@pytest.fixture
def tables(repository, tmp_path):
    """A copy of the shipped tables to break: returns the folder."""
    for path in Tables().model_dump().values():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / path, tmp_path / path)
    return tmp_path / "resources" / "registry"


def load(folder):
    return StudyRegistry({name: str(folder / Path(path).name) for name, path in Tables().model_dump().items()})


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_shipped_tables_describe_55_languages(repository):
    registry = StudyRegistry(Tables().model_dump(), repository)
    # Ukrainian is not in the paper.
    assert len(registry.languages) == 56
    assert sum(registry.corpus_has("flores", lang) for lang in registry.languages) == 55
    assert sum(registry.corpus_has("ntrex", lang) for lang in registry.languages) == 53
    for lang in registry.languages.keys() - {"ukr"}:
        assert len(registry.lexicon_file("gender_gap_v1.0", lang).sha256) == 64
        for corpus in ("flores", "ntrex"):
            if registry.corpus_has(corpus, lang):
                file = registry.corpus_file(corpus, lang)
                assert len(file.sha256 or file.member_sha256) == 64


@pytest.mark.parametrize(
    ("lang", "path"),
    [("eng", "src.eng"), ("swh", "ref.swa"), ("tgl", "ref.fil"), ("uzn", "ref.uzb"), ("khk", "ref.mon"),
     ("pes", "ref.fas"), ("lvs", "ref.lav"), ("cmn", "ref.zho-CN")],
)  # fmt: skip
def test_ntrex_has_its_own_codes(repository, lang, path):
    file = StudyRegistry(Tables().model_dump(), repository).corpus_file("ntrex", lang)
    assert file.url.endswith(f"/NTREX-128/newstest2019-{path}.txt")


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("languages.tsv", "lang\tname", "code\tname", "the header is code"),
        ("languages.tsv", "\tpythainlp\t", "\tthai\t", "tha: published_tokenizer 'thai' is not one of"),
        ("languages.tsv", "swe\tSwedish", "sw\tSwedish", "sw: lang 'sw' must be an ISO 639-3 code"),
        ("languages.tsv", "zul\tZulu", "swe\tZulu", "line 57: lang swe is a duplicate"),
        (
            "languages.tsv",
            "\tsv\tstanza",
            "\t\tstanza",
            "swe: published_tokenizer is stanza but stanza is empty",
        ),
        ("languages.tsv", "zul\tZulu\t", "zul\tZulu", "line 57: 11 tab-separated cells"),
        ("languages.tsv", "\t'r 'n ", "\tr 'n ", "cym: clitics r must each begin or end with one apostrophe"),
        ("corpora.tsv", "\tsentence\t", "\tline\t", "flores: unit 'line'"),
        ("corpora.tsv", "\tflores200\t", "\tflores\t", "flores: source 'flores' is not in"),
        ("corpora.tsv", "ntrex\tNTREX", "nt/rex\tNTREX", "'nt/rex' becomes part of file names"),
        ("source_files.tsv", "\ta8d1cf6a", "\tA8d1cf6a", "sha256 must be 64"),
        (
            "prompts.tsv",
            "tag_words\tspa\tchat\tprompt",
            "tag_words\tspa\tchat\ttext",
            "tag_words: part 'text' is not one of",
        ),
        ("prompts.tsv", "spa\tchat\texamples", "spa\tchat\tprompt", "tag_words spa chat prompt is a duplicate"),
        ("prompts.tsv", "spa\tchat\tprompt", "cat\tchat\tskip_list", "tag_words cat chat skip_list is a duplicate"),
        (
            "prompts.tsv",
            "tag_words\tspa\tchat\tsystem",
            "tag_words\tes\tchat\tsystem",
            "lang 'es' is not in the languages or",
        ),
        (
            "prompts.tsv",
            "chat\texamples\tgrb_corpora",
            "chat\texamples\tgrb",
            "chat examples: source 'grb' is not in",
        ),
        ("source_files.tsv", "txt.zip\t\tlock", "txt.zip\tsome.en\tlock", "lock for a whole file"),
        ("corpora.tsv", "\teng\t\t\t1\t", "\teng\t\t\t3\t", "europarl_fresh_1: sample '3' must be a number"),
        ("corpora.tsv", "-es.{code}\ticu_locale\teng spa", "-es.{code}\ticu_locale\teng", "needs two languages"),
        ("corpora.tsv", "\tEuroparl.en-es.{code}\t", "\tEuroparl.en\t", "{code} in member"),
        (
            "corpora.tsv",
            "\tEuroparl.en-es.{code}\ticu_locale\teng spa",
            "\tEuroparl.en-es.{code}\tntrex\teng asm",
            "asm has no ntrex code; write asm=code",
        ),
        (
            "corpora.tsv",
            "\tEuroparl.en-es.{code}\t",
            "\tEuroparl.es-en.{code}\t",
            "differ from those of europarl",
        ),
        ("article_corpora.tsv", "\tdeu\tlocal", "\tde\tlocal", "taz: lang 'de' is not in"),
        ("article_corpora.tsv", "\tten_k_gnad", "\tgnad", "gnad: source 'gnad' is not in"),
        ("article_corpora.tsv", "\tcsv\t", "\ttsv\t", "gnad: format 'tsv' is not one of 'taz_json', 'csv'"),
        ("article_corpora.tsv", "\ttest.csv", "\t*.csv", "gnad: path *.csv is a pattern; only local corpora"),
        ("article_corpora.tsv", "ref.deu.txt\tlines", "ref.*.txt\tlines", "not of lines, may have one"),
        ("article_corpora.tsv", "\tDOCUMENT_IDS.tsv", "\t", "lines needs the file of document ids"),
        ("article_corpora.tsv", "\ttext.text\t", "\t\t", "taz: text is empty"),
        ("article_corpora.tsv", "\ttopic\t", "\t\t", "group and group_name need each other"),
        ("article_corpora.tsv", "file:year", "file:decade", "group 'file:decade' is neither a field nor"),
        ("article_corpora.tsv", "file:year", "date:prefix", "group 'date:prefix' is neither a field nor"),
        ("article_corpora.tsv", "\t2\t1\t", "\t2\tfile:year\t", "format csv has no group 'file:year'"),
        ("article_corpora.tsv", "\tid:prefix\t", "\toutlet\t", "format lines has no group 'outlet'"),
        ("article_corpora.tsv", "\t2\t1\t", "\t2\ttopic\t", "id, text and group are 2, topic; all must be numbers"),
        ("article_corpora.tsv", "\t2\t1\t", "\t0\t1\t", "all must be numbers of columns, from 1"),
        ("article_corpora.tsv", "\t;\t", "\t;;\t", "delimiter ';;' and quote"),
        ("article_corpora.tsv", "\t;\t'", "\t'\t'", "must be two different characters"),
        ("article_corpora.tsv", "\tyear\t\t\t", "\tyear\t;\t\t", "delimiter and quote are for format csv"),
        ("entity_corpora.tsv", "NER-UK 2.0\tukr", "NER-UK 2.0\tuk", "ner_uk: lang 'uk' must be an ISO 639-3 code"),
        (
            "entity_corpora.tsv",
            "\tner_uk\t\n",
            "\tneruk\t\n",
            "ner_uk_swapped: swapped_from 'neruk' is not in",
        ),
        (
            "entity_corpora.tsv",
            "\tdev-test-split.txt\t",
            "\t\t",
            "ner_uk: split is empty",
        ),
        ("entity_corpora.tsv", "\tner_uk\t7772", "\tner-uk\t7772", "ner_uk: source 'ner-uk' is not in"),
        ("swap_outputs.tsv", "\tgpt\t", "\t\t", "gpt-4o-mini: output_column is empty"),
        ("swap_outputs.tsv", "\ttidied", "\ttidy", "aya-101: published_steps tidy is not tidied"),
        ("swap_outputs.tsv", "\tner_for_fem\t", "\tner_fem\t", "gpt-4o-mini: source 'ner_fem' is not in"),
        (
            "source_files.tsv",
            "\tswe_nouns.json",
            "\t../../../swe_nouns.json",
            "leads out of results/sources",
        ),
        ("source_files.tsv", "\tswe_nouns.json", "\t/tmp/swe_nouns.json", "leads out of results/sources"),
        ("source_files.tsv", "\tswe_nouns.json", "\ta\\..\\..\\swe_nouns.json", "leads out of results/sources"),
        ("sources.tsv", "\nntrex\t", "\n..\t", "source '..' becomes part of file names"),
        ("corpora.tsv", "\nntrex\t", "\n.ntrex\t", "corpus '.ntrex' becomes part of file names"),
        ("corpora.tsv", "ntrex\tNTREX", "ntrex\tN\x00TREX", "line 3: has the control character '\\x00'"),
        ("languages.tsv", "swe\tSwedish", "swe\tSwe\x1b[2Jdish", "has the control character '\\x1b'"),
        ("languages.tsv", "swe\tSwedish", f"swe\t{'S' * 200_000}", "field larger than field limit"),
        ("corpora.tsv", "{code}", "{cod}", "has an unknown placeholder"),
        ("corpora.tsv", "{code}", "{code", "has an unknown placeholder"),
        ("lexicons.tsv", "{lang}", "{}", "has an unknown placeholder"),
    ],
)
def test_a_broken_table_is_named_with_its_row(tables, table, old, new, message):
    edit(tables / table, old, new)
    with pytest.raises(TableError) as error:
        load(tables)
    assert table in str(error.value)
    assert message in str(error.value)


def test_a_blank_in_a_path_is_percent_encoded_in_its_address_alone(tables):
    # A file of WinoMT; upstream has two copies of it.
    file = load(tables).source_file("wino_mt", "data/human_annotations/fr.in - fr.in (1).csv")
    assert file.url.endswith("/data/human_annotations/fr.in%20-%20fr.in%20%281%29.csv")
    assert file.path == "results/sources/wino_mt/data/human_annotations/fr.in - fr.in (1).csv"


@pytest.mark.parametrize("path", ["../../../x.txt", "/etc/passwd", "a/../../x.txt"])
def test_nothing_is_fetched_to_another_folder(tables, path):
    # The path of a setting, or of a target on the command line; every download asks for its address here.
    with pytest.raises(ConfigError, match=r"results/sources/ntrex/.*: leads out of results/sources/ntrex"):
        load(tables).url("ntrex", path)


def test_a_file_without_a_hash_is_refused(tables):
    edit(tables / "source_files.tsv", "swe_nouns.json", "svenska.json")
    with pytest.raises(TableError, match=r"no row for source gender_gap_lexicon, path swe_nouns\.json"):
        load(tables).lexicon_file("gender_gap_v1.0", "swe")


def test_an_archive_to_sample_has_a_member_a_language(tables):
    registry = load(tables)
    assert registry.sample_members("europarl_fresh") == {"eng": "Europarl.en-es.en", "spa": "Europarl.en-es.es"}
    assert registry.sample_archive("europarl_fresh").path == "results/sources/opus_europarl/moses/en-es.txt.zip"
    for row in ("europarl_fresh_1", "europarl_fresh_2"):
        assert registry.corpora[row].sample_set == "europarl_fresh"
        assert registry.corpus_file(row, "eng").sha256 == ""


def test_a_corpus_may_have_codes_of_its_own_and_lie_on_this_machine(tables):
    with (tables / "corpora.tsv").open("a") as file:
        file.write("mine_1\tMine\tlocal\tmine.zip\tx.{code}\tlang\teng=en cmn=zh_CN\tsentence\teng\t\t\t1\tbuy it\t\n")
    registry = load(tables)
    assert registry.sample_members("mine") == {"cmn": "x.zh_CN", "eng": "x.en"}
    assert registry.corpus_file("mine_1", "cmn") == FileReference("mine.zip", member="x.zh_CN", access="buy it")
    assert registry.corpus_has("mine_1", "eng") and not registry.corpus_has("mine_1", "swe")


def test_the_shipped_corpora_of_articles_have_their_files(repository, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    registry = StudyRegistry(Tables().model_dump(), repository)
    (gnad,) = article_files(registry, "gnad")
    assert gnad.path == "results/sources/ten_k_gnad/test.csv"
    assert gnad.url.startswith("https://raw.githubusercontent.com/tblock/10kGNAD/da845fe4")
    assert gnad.sha256.startswith("68ba71a0")
    assert document_ids_files(registry, "gnad") == []
    assert registry.article_corpora["gnad"].form == {
        "format": "csv", "id": "", "text": "2", "group": "1", "delimiter": ";", "quote": "'",
    }  # fmt: skip
    (ntrex,) = article_files(registry, "ntrex_deu")
    assert ntrex.path == "results/sources/ntrex/NTREX-128/newstest2019-ref.deu.txt"
    (document_ids,) = document_ids_files(registry, "ntrex_deu")
    assert document_ids.path == "results/sources/ntrex/DOCUMENT_IDS.tsv"
    (taz,) = article_files(registry, "taz")
    assert "get it from its authors (Urchs et al. 2025" in missing_file(taz, None)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("taz/*/taz_*.json", ["taz/1999/taz_1999-12.json", "taz/2000/taz_2000-01.json"]),
        ("taz", ["taz/1999/taz_1999-12.json", "taz/2000/notes.json", "taz/2000/taz_2000-01.json"]),
        ("taz/2000/notes.json", ["taz/2000/notes.json"]),
    ],
)
def test_a_local_corpus_of_articles_is_a_file_a_folder_or_a_pattern(tables, monkeypatch, tmp_path_factory, path, found):
    for name in ("2000/taz_2000-01.json", "2000/notes.json", "2000/README.txt", "1999/taz_1999-12.json"):
        file = tables.parents[1] / "taz" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    edit(tables / "article_corpora.tsv", "taz/*/taz_*.json", path)
    within = tables.parents[1] / "within"
    within.mkdir()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    # From within, names do not change when all of it is moved.
    for folder, prefix in ((tables.parents[1], ""), (within, "../"), (elsewhere, f"{tables.parents[1]}/")):
        monkeypatch.chdir(folder)
        registry = StudyRegistry(
            {name: f"{tables.parents[1]}/{path}" for name, path in Tables().model_dump().items()}, tables.parents[1]
        )
        files = article_files(registry, "taz")
        assert [file.path for file in files] == [prefix + name for name in found]
        assert all("from its authors" in file.access for file in files)


def test_a_corpus_with_entities_is_an_archive_or_a_folder(tables, monkeypatch):
    monkeypatch.chdir(tables.parents[1])
    registry = load(tables)
    original, swapped = (registry.entity_files(name) for name in ("ner_uk", "ner_uk_swapped"))
    assert original == swapped
    assert original[0].path.startswith("results/sources/ner_uk/7772b4")
    assert registry.entity_files("demo_entities") == [FileReference("resources/demo/entities/data")]
    folder = tables.parent / "demo" / "entities" / "data"
    (folder / "news").mkdir(parents=True)
    for name in ("news/a.txt", "news/a.ann", "news/a.meta", "news/a.csv", "dev-test-split.txt"):
        (folder / name).touch()
    files = ["dev-test-split.txt", "news/a.ann", "news/a.meta", "news/a.txt"]
    assert [file.path for file in registry.entity_files("demo_entities")] == [
        f"resources/demo/entities/data/{name}" for name in files
    ]


def test_an_unknown_language_is_a_config_error(repository):
    registry = StudyRegistry(Tables().model_dump(), repository)
    with pytest.raises(ConfigError, match="languages: xyz not in"):
        registry.select_languages(["swe", "xyz"])
    assert registry.select_languages(["swe", "eng"]) == ["eng", "swe"]


def test_a_table_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "t.tsv").write_bytes(b"a\tb\nx\t\xe5\n")
    with pytest.raises(TableError, match=r"t\.tsv: not UTF-8"):
        read_tsv(tmp_path / "t.tsv")


def test_a_prompt_is_its_files_by_part(repository):
    registry = StudyRegistry(Tables().model_dump(), repository)
    models = load_models(registry.paths["language_models"])
    chat = registry.prompt_files("tag_words", "spa", models["gpt-4-turbo"])
    assert {part: file.path.rpartition("/")[2] for part, file in chat.items()} == {
        "system": "system.txt",
        "prompt": "prompt-es.txt",
        "examples": "examples-es.txt",
        "skip_list": "skiplist-es.txt",
    }
    assert (chat["system"].url, len(chat["examples"].sha256)) == ("", 64)
    assert registry.prompt_files("tag_words", "spa", models["gemma3-270m"])["examples"] == chat["examples"]
    assert registry.prompt_files("tag_words", "deu", models["gpt-4-turbo"]) == {}


def test_models_of_a_host_are_asked_without_the_parts_that_are_not_sent_to_it(repository):
    # The authors' notebooks for Groq send the user's message alone, those for OpenAI a system message, too.
    registry = StudyRegistry(Tables().model_dump(), repository)
    models = load_models(registry.paths["language_models"])
    for lang in ("spa", "cat"):
        openai, groq = (registry.prompt_files("tag_words", lang, models[name]) for name in ("gpt-4o", "llama-3.3-70b"))
        assert set(openai) - set(groq) == {"system"}
        assert groq == {part: file for part, file in openai.items() if part != "system"}
