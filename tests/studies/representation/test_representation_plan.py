"""What the representation study runs and leaves out, and which models it asks."""

import pytest
from plans import make_plan

from textparity.errors import ConfigError
from textparity_studies.llm.models import ModelRow

URL = "http://127.0.0.1:9/v1"
MODELS = {
    name: ModelRow(name, URL, "org/small", mode, "", None, None, max_tokens=10, seed=None)
    for name, mode in (("chat", "chat"), ("base", "completion"))
}
DEMO = {"tagging": {"prompt": "demo"}}


@pytest.fixture
def plan(repository):
    def plan(study=None, **values):
        return make_plan(repository, "representation", models=MODELS, representation=study or {}, **values)

    return plan


@pytest.fixture
def mirror(tmp_path):
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    return str(tmp_path)


def test_a_study_that_is_off_asks_nothing_of_the_tables(plan):
    unknown = {"corpora": ["mine"], "taggers": ["gpt-9"]}
    off = plan(unknown, studies=["lexicon"])
    assert (off.gaps, off.units, off.corpora, off.not_run) == ({}, [], [], [])
    with pytest.raises(ConfigError, match=r"representation\.corpora: mine is not a row of"):
        plan(unknown)


def test_a_mirror_that_has_the_second_samples_leaves_none_of_them_out(plan, mirror, tmp_path):
    files = [plan().registry.corpus_file("europarl_2", lang).url for lang in ("eng", "spa")]
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n" + "".join(f"{url}\tx\t\n" for url in files))
    gaps = plan(mirror=mirror).gaps
    assert {lang for corpus, lang in gaps if corpus == "europarl_2"} == set()
    assert gaps["ccaligned_2", "eng"].startswith("published, not here: https://")


def test_a_sample_that_is_not_drawn_is_a_config_error(plan):
    fresh = {"corpora": ["europarl_fresh_2"]}
    plan(fresh, sampling={"samples": 2})
    with pytest.raises(ConfigError, match=r"representation\.corpora: europarl_fresh_2 is sample 2 .*samples is 1"):
        plan(fresh, sampling={"samples": 1})


def test_taggers_are_rows_with_a_prompt_for_every_gold_file(plan):
    assert plan({"taggers": ["base", "chat"]}).taggers == ["base", "chat"]
    for names in ({"taggers": ["gpt-9"]}, {"corpus_tagger": "gpt-9"}):
        with pytest.raises(
            ConfigError, match=r"tagger.*: gpt-9 is not a row of .*language_models\.tsv; it has chat, base"
        ):
            plan(names)
    # The demo has a prompt for base models in Spanish only.
    assert plan({"taggers": ["base"], "gold": ["demo"]}, **DEMO).taggers == ["base"]
    with pytest.raises(ConfigError, match=r"chat is asked in chat mode, and .*prompts\.tsv has no prompt demo in spa"):
        plan({"taggers": ["chat"], "gold": ["demo"]}, **DEMO)


def test_the_corpus_tagger_reads_the_languages_it_has_a_prompt_for(plan):
    both = [plan({"corpus_tagger": name}).tagged_languages() for name in ("chat", "base")]
    assert both == [["cat", "spa"]] * 2
    assert plan({"corpus_tagger": "base"}, **DEMO).tagged_languages() == ["spa"]
    assert plan({"taggers": ["chat"]}).tagged_languages() == []


def test_a_corpus_tagger_without_a_prompt_is_a_config_error(plan):
    with pytest.raises(ConfigError, match=r"corpus_tagger: .* has no prompt demo for the chat mode of chat"):
        plan({"corpus_tagger": "chat"}, **DEMO)


def test_of_a_corpus_english_is_wanted_and_what_has_a_prompt(plan, mirror):
    def gaps(prompt):
        return sorted(plan({"corpora": ["europarl_1"], "gold": []}, mirror=mirror, tagging={"prompt": prompt}).gaps)

    assert gaps("tag_words") == [("europarl_1", "eng"), ("europarl_1", "spa")]
    assert gaps("none") == [("europarl_1", "eng")]


def test_what_cannot_be_read_is_left_out_where_that_is_wanted_or_nobody_can_fetch_it(plan, mirror):
    study = {"corpora": ["europarl_1", "boua_1"], "gold": [], "methods": []}
    unpublished = plan(study, mirror=mirror)
    assert unpublished.corpora == ["europarl_1"]
    assert [row[0] for row in unpublished.not_run] == ["boua_1"]
    skipped = plan(study, mirror=mirror, skip_unavailable=True)
    assert skipped.corpora == []
    assert {row[0] for row in skipped.not_run} == {"europarl_1", "boua_1"}


def test_persons_are_counted_in_the_languages_of_the_study_by_what_is_installed(plan):
    study = {"corpora": ["europarl_1"], "gold": [], "methods": ["words", "persons"]}
    counted = plan(study, person_pipelines={"eng": "no_such_pipeline", "spa": "none_here"})
    assert counted.counted == [("europarl_1", "eng"), ("europarl_1", "spa")]
    assert counted.persons.methods("spa") == ["words"]
    assert [row[:3] for row in counted.not_run] == [["europarl_1", lang, "persons"] for lang in ("eng", "spa")]
    without = plan(study | {"methods": []})
    assert (without.counted, without.not_run) == ([], [])
    with pytest.raises(ConfigError, match=r"person_pipelines: xyz is not a row of"):
        plan(study, person_pipelines={"xyz": "some"})


def test_texts_are_tagged_by_the_chosen_models(plan):
    assert plan({"corpora": ["europarl_1"], "gold": []}).units == []
    tagged = plan({"corpora": ["europarl_1"], "gold": ["spanish"], "taggers": ["chat"], "corpus_tagger": "chat"})
    assert tagged.units == [("gold/spanish", "chat"), ("corpora/europarl_1/spa", "chat")]


def test_the_words_that_the_scoring_leaves_out_are_those_of_the_prompts_language(plan):
    demo = plan({"gold": ["demo"]}, **DEMO)
    assert demo.gold_with_skip_list == ["demo"]
    assert demo.skip_list("demo").endswith("resources/demo/prompts/skip_list.spa.txt")
