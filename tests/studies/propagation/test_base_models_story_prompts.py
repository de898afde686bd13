"""The beginnings of stories: the table is the paper's, and a bad one is told of."""

import pytest

from textparity.errors import ConfigError, TableError
from textparity.files import read_tsv
from textparity_studies.propagation.base_models import load_story_prompts, select_story_prompts

HEADER = "lang\tnumber\ttopic\tprompt\n"


def test_the_papers_prompts_are_ten_in_each_language_on_the_same_topics(repository):
    table = repository / "resources" / "registry" / "story_prompts.tsv"
    found = load_story_prompts(table)
    assert {lang: len(prompts) for lang, prompts in found.items()} == {"spa": 10, "cat": 10, "eng": 10}
    topics = [[row["topic"] for row in read_tsv(table) if row["lang"] == lang] for lang in found]
    assert topics[0] == topics[1] == topics[2]
    for lang, ending in (("spa", " cuenta que"), ("cat", " conta que"), ("eng", " tells that")):
        assert all(prompt.endswith(ending) for prompt in found[lang])
    assert found["eng"][7] == "A story about a professional synchronized swimming team tells that"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("eng\t1\tsea\t\n", "line 2, column prompt: '' is empty"),
        ("eng\t1\tsea\tA story at sea \n", "line 2, column prompt: 'A story at sea ' is empty, or has a space"),
        ("eng\t2\tsea\tA story\n", "line 2, column number: '2' must be 1"),
        ("eng\t1\tsea\tA story\neng\tone\tsea\tA tale\n", "line 3, column number: 'one' must be 2"),
        ("eng\t1\tsea\tA story\neng\t2\tair\tA story\n", "line 3, column prompt: 'A story' is a duplicate for eng"),
        ("\t1\tsea\tA story\n", "line 2, column lang"),
    ],
)
def test_a_bad_table_is_told_of_with_its_line(tmp_path, rows, said):
    table = tmp_path / "prompts.tsv"
    table.write_text(HEADER + rows, "utf-8")
    with pytest.raises(TableError) as error:
        load_story_prompts(table)
    assert f"{table}, {said}" in str(error.value)


def test_languages_without_prompts_are_told_of(tmp_path):
    table = tmp_path / "prompts.tsv"
    table.write_text(HEADER + "eng\t1\tsea\tA story\nspa\t1\tmar\tUna historia\n", "utf-8")
    prompts = load_story_prompts(table)
    assert list(select_story_prompts(["spa"], prompts, str(table))) == ["spa"]
    with pytest.raises(ConfigError, match=r"training_languages: cat has no prompt in .*prompts.tsv"):
        select_story_prompts(["eng", "cat"], prompts, str(table))
