"""The real workflow and a real server of a language model: two jobs at once, keys, refusals, dry runs.

A kill while the model answers is a round of tests/faults (`hostile_model`).
"""

import csv
import threading
import time
from itertools import count

import pytest
from llm_server import LanguageModelServer
from tagging_project import (
    AT_ONCE,
    KEY,
    KEY_PARTS,
    KEY_VARIABLE,
    TAGGER,
    TaggingProject,
    command_lines,
    make_sentences,
    sentence_of,
    tag,
)

pytestmark = pytest.mark.workflow

# Long enough for any machine; nothing waits for it where all is well.
PATIENCE_SECONDS = 120


def wait_until(holds):
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture(scope="module")
def shared(repository, tmp_path_factory):
    """Two corpora tagged at the same time, with a server that answers each question differently every time.

    Of one question, the second answer comes only when the job that got the first is done. Once the server answers 400
    and once 500, and repeats the key both times.
    """
    # Own sentences come first: each job has looked into the cache before anyone has asked for those of both.
    sentences = {"one": make_sentences(0, 60), "two": make_sentences(60, 100) + make_sentences(40, 60)}
    own = {name: set(sentences[name]) - set(sentences[other]) for name, other in (("one", "two"), ("two", "one"))}
    started = {name: threading.Event() for name in own}
    met, seen, number, arrivals = [], set(), count(), count()

    def reply(body):
        sentence = sentence_of(body["prompt"])
        for name, other in (("one", "two"), ("two", "one")):
            if sentence in own[name] and not (started["one"].is_set() and started["two"].is_set()):
                started[name].set()
                met.append(started[other].wait(PATIENCE_SECONDS / 2))
                seen.update(command_lines())
        if sentence == sentences["one"][50] and next(arrivals) == 1:
            wait_until(lambda: any(project.results.glob("tagging/answers/corpora/*/*.parquet")))
        return f"{tag(body)}\nnúmero {next(number)} - N, M"

    with LanguageModelServer(latency=0.005, key=KEY) as server:
        server.reply = reply
        project = TaggingProject(repository, tmp_path_factory.mktemp("shared"), server.url, sentences)
        project.sentences, project.server, project.command_lines = sentences, server, seen
        server.faults = {project.prompt(sentences["one"][20]): ["400"], project.prompt(sentences["two"][20]): ["500"]}
        wanted = [f"results/tagging/tags/corpora/{name}/spa.{TAGGER}.parquet" for name in sentences]
        project.said = project.build(*wanted, "--resources", "language_models=2")
        assert met and all(met), "the jobs did not run at the same time"
        yield project


def test_two_jobs_share_a_cache_and_lose_nothing(shared):
    one, two = shared.sentences.values()
    both = set(one) & set(two)
    assert len(both) == 20
    asked = {sentence_of(prompt): times for prompt, times in shared.server.counts.items()}
    repeated = {sentence for sentence, times in asked.items() if times > 1}
    assert repeated == both | {two[20]}
    kept = shared.kept()
    texts = {sentence: answer.text for sentence, answer in kept}
    assert len(kept) == len(texts) == 100
    # The first of two answers counts, for both.
    assert shared.answers("one") == {sentence: texts[sentence] for sentence in one}
    assert shared.answers("two") == {sentence: texts[sentence] for sentence in two}
    assert [sentence for sentence, answer in kept if answer.error] == [one[20]]
    assert all(text.startswith(tag({"prompt": f'"{sentence}"'})) for sentence, text in texts.items() if text)


def test_the_key_is_in_no_file_and_no_argument(shared):
    for part in KEY_PARTS:
        assert shared.files_with(part) == set()
        assert part not in shared.said
        assert not any(part in line for line in shared.command_lines)
    # Where its place was, and that the search sees into every kind of file.
    assert shared.files_with("you sent [key] so so") >= {
        "answers.sqlite",
        f"logs/ask_tagger/corpora/two/spa.{TAGGER}.log",
        f"results/tagging/answers/corpora/one/spa.{TAGGER}.parquet",
        f"results/tagging/problems/corpora/one/spa.{TAGGER}.csv",
    }
    assert any(file.startswith(".snakemake/metadata/") for file in shared.files_with(KEY_VARIABLE))
    assert any(str(shared.folder) in line and "step.py" in line for line in shared.command_lines)


def test_a_refused_key_stops_at_once_and_names_its_variable(repository, tmp_path):
    sentences = {"town": make_sentences(0, 200)}
    with LanguageModelServer(key="sk-another-key") as server:
        project = TaggingProject(repository, tmp_path, server.url, sentences)
        done = project.run()
        assert done.returncode != 0
        assert server.total <= AT_ONCE
    said = done.stdout + done.stderr
    assert "HTTP 401: Incorrect API key provided: [key]" in said
    assert f"the key in the environment variable {KEY_VARIABLE} is not accepted" in said
    assert "Traceback" not in said
    assert f"logs/ask_tagger/corpora/town/spa.{TAGGER}.log" in project.files_with("provided: [key]")
    for part in KEY_PARTS:
        assert part not in said
        assert project.files_with(part) == set()


def test_without_a_key_the_run_ends_well_and_says_what_is_missing(repository, tmp_path):
    with LanguageModelServer(key=KEY) as server:
        server.reply = tag
        sentences = {"europarl_1": make_sentences(0, 30)}
        project = TaggingProject(repository, tmp_path, server.url, sentences, skip_unavailable=True)
        del project.environment[KEY_VARIABLE]
        project.build("representation")
        with (project.results / "representation" / "tables" / "answers.csv").open(encoding="utf-8") as file:
            (row,) = csv.DictReader(file)
        assert (row["texts"], row["answers"], row["missing"]) == ("corpora/europarl_1/spa", "0", "30")
        with (project.results / "ledger" / "representation.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if KEY_VARIABLE in row["reason"]]
        assert {row["table"] for row in rows} >= {"1", "5"}
        # What follows from other printed numbers needs no key.
        not_run = [row for row in rows if row["evidence"] != "arithmetic"]
        assert {row["verdict"] for row in not_run} == {"not run"}
        assert {row["reason"] for row in not_run} == {f"gated: the environment variable {KEY_VARIABLE} is not set"}
        assert server.total == 0
        project.environment[KEY_VARIABLE] = KEY
        assert project.planned("representation")["ask_tagger"] == 1
        assert server.total == 0


def test_an_estimate_and_a_dry_run_send_nothing(repository, tmp_path):
    with LanguageModelServer(key=KEY) as server:
        project = TaggingProject(repository, tmp_path, server.url, {"town": make_sentences(0, 30)})
        del project.environment[KEY_VARIABLE]
        said = project.build("--dry-run")
        assert f"{TAGGER}, corpora/town/spa: its texts do not exist yet; `snakemake estimate`" in said
        said = project.build("estimate")
        assert "estimated requests and costs; nothing was sent" in said
        line = next(line.split() for line in said.splitlines() if line.startswith("corpora/town/spa "))
        assert line[:4] == ["corpora/town/spa", TAGGER, "0", "30"]
        said = project.build("-n")
        assert f"{TAGGER}, corpora/town/spa: 0 answers in the cache, 30 requests to send, about " in said
        assert server.total == 0
        assert not (project.folder / "answers.sqlite").exists()
