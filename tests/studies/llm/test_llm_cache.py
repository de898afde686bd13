"""The file of answers: shared, damaged, exported."""

import contextlib
import dataclasses
import json
import random
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from textparity.errors import BudgetExceededError, LanguageModelError, ResponseCacheError
from textparity_studies.llm.cache import ResponseCache, Spending
from textparity_studies.llm.client import Budget
from textparity_studies.llm.models import Answer, ModelRow, Request

ROW = ModelRow("m", "http://h/v1", "m", "completion", "", None, None, 9, None)


def pair(text, error=""):
    request = Request(ROW, text)
    return request, Answer(request.digest(), f"{text} 誰", "stop", 3, 4, "m-1", error)


@pytest.fixture
def cache(tmp_path):
    with ResponseCache(tmp_path / "new" / "answers.sqlite") as opened:
        yield opened


def test_answers_come_back(cache):
    pairs = [pair(f"q{number}") for number in range(1200)]
    cache.put_many(pairs)
    cache.put_many([pair("more")])
    digests = [request.digest() for request, _ in pairs]
    assert cache.get_many([*digests, "unknown"]) == {answer.digest: answer for _, answer in pairs}
    listed = list(cache.iterate())
    assert [answer.digest for _, answer in listed] == sorted([*digests, pair("more")[1].digest])
    assert all(payload["body"]["prompt"] + " 誰" == answer.text for payload, answer in listed)


def test_reading_creates_nothing(cache):
    assert cache.get_many(["x"]) == {}
    assert list(cache.iterate()) == []
    assert cache.drop_errors() == 0
    assert not cache.path.parent.exists()


def test_the_first_answer_stays(cache):
    request, answer = pair("q")
    cache.put_many([(request, answer)])
    cache.put_many([(request, Answer(answer.digest, "later", "stop", 0, 0, "m"))])
    assert cache.get_many([answer.digest]) == {answer.digest: answer}


def test_errors_can_be_dropped(cache):
    cache.put_many([pair("good"), pair("bad", "HTTP 400: no"), pair("worse", "refusal: no")])
    assert cache.drop_errors() == 2
    assert [answer.text for _, answer in cache.iterate()] == ["good 誰"]


def test_a_recorded_cache_can_be_shipped(cache, tmp_path):
    pairs = [pair(f"q{number}") for number in range(20)]
    cache.put_many(pairs)
    assert cache.export_answers(tmp_path / "a.jsonl") == 20
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["answer"]["digest"] for line in lines] == sorted(answer.digest for _, answer in pairs)
    with ResponseCache(tmp_path / "b.sqlite") as other:
        other.put_many([pairs[3]])
        assert other.import_answers(tmp_path / "a.jsonl") == 20
        assert list(other.iterate()) == list(cache.iterate())
        other.export_answers(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("damage", "said"),
    [(lambda line: line[:50], "line 2: is not a request with its answer"),
     (lambda line: line.replace('"prompt":"q', '"prompt":"Q'), "line 2: the answer belongs to another request"),
     (lambda line: '{"request": {}, "answer": 3}', "line 2: is not a request with its answer")],
)  # fmt: skip
def test_a_damaged_record_is_named_and_nothing_of_it_taken(cache, tmp_path, damage, said):
    cache.put_many([pair("q1"), pair("q2")])
    file = tmp_path / "a.jsonl"
    cache.export_answers(file)
    first, second = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{first}\n{damage(second)}\n", encoding="utf-8")
    with ResponseCache(tmp_path / "b.sqlite") as other:
        with pytest.raises(ResponseCacheError, match=rf"a\.jsonl, {said}"):
            other.import_answers(file)
        assert list(other.iterate()) == []
        with pytest.raises(ResponseCacheError, match="file of answers does not exist"):
            other.import_answers(tmp_path / "none.jsonl")


@pytest.mark.parametrize("use", [lambda cache: cache.get_many(["x"]), lambda cache: cache.put_many([pair("q")])])
def test_a_file_that_is_no_cache_is_named(tmp_path, use):
    file = tmp_path / "answers.sqlite"
    file.write_bytes(b"not a database, " * 1000)
    with (
        ResponseCache(file) as cache,
        pytest.raises(ResponseCacheError, match=r"answers\.sqlite: file is not a data.*m"),
    ):
        use(cache)
    assert file.read_bytes() == b"not a database, " * 1000


def test_a_damaged_page_is_named(cache):
    cache.put_many([pair(f"q{number}" * 50) for number in range(300)])
    cache.close()
    content = bytearray(cache.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    cache.path.write_bytes(content)
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: .*; it is damaged"):
        list(cache.iterate())


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "answers.sqlite").mkdir()
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: unable to open .*; check the folder"):
        ResponseCache(tmp_path / "answers.sqlite").put_many([pair("q")])


def test_a_lock_is_waited_for_but_not_for_ever(cache):
    cache.put_many([pair("q")])
    with ResponseCache(cache.path) as other, ResponseCache(cache.path, wait_seconds=0.1) as hasty:
        other.get_many(["x"])
        other._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(ResponseCacheError, match="another process has held it for"):
            hasty.put_many([pair("r")])
        cache_put = threading.Thread(target=lambda: ResponseCache(cache.path).put_many([pair("r")]))
        cache_put.start()
        time.sleep(0.2)
        other._connection.execute("COMMIT")
        cache_put.join()
    assert len(list(cache.iterate())) == 2


WRITER = """
import sys
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.models import Answer, ModelRow, Request

row = ModelRow("m", "http://h/v1", "m", "completion", "", None, None, 9, None)
path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with ResponseCache(path) as cache:
    for number in range(first, last):
        request = Request(row, f"q{number}")
        cache.put_many([(request, Answer(request.digest(), f"a{number}", "stop", 1, 1, "m"))])
        assert cache.get_many([request.digest()])
"""


def test_two_processes_lose_nothing(tmp_path):
    path = tmp_path / "answers.sqlite"
    # Both also write what the other does, from 50 to 100.
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), *span]) for span in (("0", "100"), ("50", "150"))
    ]
    assert [job.wait(60) for job in jobs] == [0, 0]
    with ResponseCache(path) as cache:
        assert sorted(answer.text for _, answer in cache.iterate()) == sorted(f"a{number}" for number in range(150))
    assert not list(tmp_path.glob("*-wal"))


def test_spending_is_kept_with_the_answers_for_everyone_who_opens_the_file(cache):
    assert cache.spending() == (0, 0)
    assert not cache.path.exists()
    with ResponseCache(cache.path) as other:
        cache.put_many([pair("q1")], Spending(2, 0.5))
        other.put_many([], Spending(1, 0.25))
        cache.put_many([pair("q2")])
        assert cache.spending() == other.spending() == Spending(3, 0.75)
    cache.drop_errors()
    assert ResponseCache(cache.path).spending() == Spending(3, 0.75)


def test_spending_is_not_shipped_with_recorded_answers(cache, tmp_path):
    cache.put_many([pair("q")], Spending(2, 0.5))
    cache.export_answers(tmp_path / "a.jsonl")
    with ResponseCache(tmp_path / "b.sqlite") as other:
        other.import_answers(tmp_path / "a.jsonl")
        assert other.spending() == Spending(0, 0)


def test_a_budget_goes_on_where_earlier_runs_stopped(cache):
    def record(budget):
        spent = budget.unrecorded
        budget.record(spent, cache.put_many([], spent))

    first = Budget(maximum_cost=10, maximum_requests=5)
    first.reserve(3)
    first.settle(3, 2)
    first.reserve(3)
    record(first)
    # What is under way is sent, but what it cost is not known.
    assert cache.spending() == Spending(2, 2)
    first.settle(3, 4)
    record(first)
    assert first.unrecorded == Spending(0, 0)
    second = Budget(maximum_cost=10, maximum_requests=5)
    record(second)
    assert second.fits(4)
    assert not second.fits(4.1)
    second.reserve(1)
    second.settle(1, 1)
    record(second)
    assert cache.spending() == Spending(3, 7)
    third = Budget(maximum_requests=3)
    record(third)
    with pytest.raises(BudgetExceededError, match="budget: 3 requests were sent through this cache, and 3 are allowed"):
        third.reserve(0)


@pytest.fixture
def filled(cache):
    """A cache with rows of one page and of several, and what is in it."""
    pairs = [pair(f"q{number} " * (700 if number % 20 == 0 else 5)) for number in range(100)]
    for each in pairs:
        cache.put_many([each], Spending(1, 0.1))
    cache.close()
    return cache, {answer.digest: answer for _, answer in pairs}


def test_no_flipped_bit_is_silent(filled, tmp_path):
    cache, answers = filled
    good = cache.path.read_bytes()
    spent = cache.spending()
    cache.close()
    chance = random.Random(17)
    new = pair("new " * 500)
    said = 0
    for number in range(120):
        damaged = bytearray(good)
        # A third of them in the header and the first page, where few bits are much.
        bit = chance.randrange(8 * (4096 if number % 3 == 0 else len(good)))
        damaged[bit // 8] ^= 1 << bit % 8
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.sqlite").write_bytes(damaged)
        try:
            with ResponseCache(folder / "a.sqlite") as opened:
                assert opened.get_many(answers) == answers, bit
                assert opened.spending() == spent, bit
                opened.put_many([new])
            with ResponseCache(folder / "a.sqlite") as opened:
                assert {answer.digest: answer for _, answer in opened.iterate()} == answers | {new[1].digest: new[1]}, (
                    bit
                )
        except ResponseCacheError as error:
            said += 1
            assert "a.sqlite: " in str(error)
    # The others are in space that holds nothing.
    assert said > 30


@pytest.mark.parametrize("part", ["digest", "request", "answer", "cost", "requests"])
def test_what_was_changed_is_said_even_if_sqlite_sees_nothing_wrong(filled, part):
    cache, _ = filled
    with contextlib.closing(sqlite3.connect(cache.path)) as connection, connection:
        if part in ("cost", "requests"):
            connection.execute(f"UPDATE spending SET {part} = 0")
        else:
            connection.execute(f"UPDATE kept SET {part} = replace({part}, 'a', 'b')")
    is_spending = part in ("cost", "requests")
    said = "the record of the spending" if is_spending else "the answer [0-9a-f]{64}"
    use = cache.spending if is_spending else lambda: list(cache.iterate())
    with pytest.raises(ResponseCacheError, match=rf"answers\.sqlite: {said} is not .*restore a copy, or move it away"):
        use()


def test_damage_while_the_file_is_open_is_said_too(filled):
    cache, answers = filled
    assert cache.get_many(answers) == answers
    with contextlib.closing(sqlite3.connect(cache.path)) as connection, connection:
        connection.execute("UPDATE kept SET answer = replace(answer, 'stop', 'stow') WHERE digest = ?", [max(answers)])
    with pytest.raises(ResponseCacheError, match="is not as it was stored"):
        cache.get_many(answers)


@pytest.mark.parametrize(
    "use",
    [lambda cache: cache.get_many(["x"]), lambda cache: cache.put_many([pair("q")]), lambda cache: cache.spending()],
)
def test_an_empty_file_is_not_a_new_cache(filled, use):
    cache, _ = filled
    cache.path.write_bytes(b"")
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: .*it is damaged"):
        use(cache)
    assert cache.path.read_bytes() == b""


@pytest.mark.parametrize("share", [0.99, 0.5, 0.02])
def test_a_cut_file_is_named_and_stays_as_it_is(filled, share):
    cache, _ = filled
    content = cache.path.read_bytes()
    cut = content[: int(len(content) * share)]
    cache.path.write_bytes(cut)
    for use in (lambda: cache.get_many(["x"]), lambda: cache.put_many([pair("q")]), cache.spending):
        with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: .*it is damaged .*move it away"):
            use()
    assert cache.path.read_bytes() == cut


@pytest.mark.parametrize(
    ("tables", "missing"),
    [
        (["kept (digest TEXT, request TEXT, answer TEXT, sha256 TEXT)", "totals (requests, cost)"], "spending"),
        (["answers (digest TEXT, request TEXT, answer TEXT)", "spending (requests, cost)"], "kept"),
        (["answers (digest TEXT, request TEXT, answer TEXT)"], "kept and spending"),
    ],
)
def test_a_cache_of_an_earlier_version_says_what_to_do(tmp_path, tables, missing):
    path = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in tables:
            connection.execute(f"CREATE TABLE {table}")
    before = path.read_bytes()
    said = rf"old\.sqlite: lacks the table {missing}, .*export it with .*language_models\.recorded, or move it away"
    cache = ResponseCache(path)
    for use in (lambda: cache.get_many(["x"]), lambda: cache.put_many([pair("q")]), cache.spending):
        with pytest.raises(ResponseCacheError, match=said):
            use()
    assert path.read_bytes() == before


def test_what_ends_a_transaction_takes_nothing_else_along(cache):
    cache.put_many([pair("before")])

    def stopped(connection):
        connection.execute("DELETE FROM kept")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache._write(stopped)
    cache.put_many([pair("after")])
    assert {answer.text for _, answer in cache.iterate()} == {"before 誰", "after 誰"}


@pytest.mark.parametrize(
    ("field", "value"),
    [("finish_reason", "\ud800"), ("model", "\udfff"), ("text", "a\ud83d"), ("error", "\ud800"), ("text", None),
     ("model", 3), ("prompt_tokens", -1), ("prompt_tokens", 2**31), ("completion_tokens", 10**400),
     ("completion_tokens", True), ("completion_tokens", 1.0), ("prompt_tokens", None)],
)  # fmt: skip
def test_what_cannot_be_a_row_is_no_answer(cache, tmp_path, field, value):
    whole = vars(pair("q")[1])
    with pytest.raises(ValueError, match=rf"^{field} is not a "):
        Answer(**whole | {field: value})
    record = {"request": pair("q")[0].payload(), "answer": whole | {field: value}}
    (tmp_path / "a.jsonl").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ResponseCacheError, match="line 1: is not a request with its answer"):
        cache.import_answers(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"request": {"a": NaN}, "answer": %s}', '{"request": {"a": "\\ud800"}, "answer": %s}']
)
def test_a_hostile_record_is_named(cache, tmp_path, line):
    (tmp_path / "a.jsonl").write_text(line.replace("%s", json.dumps(vars(pair("q")[1]))), encoding="utf-8")
    with pytest.raises(ResponseCacheError, match="line 1: is not a request with its answer"):
        cache.import_answers(tmp_path / "a.jsonl")
    assert not cache.path.exists()


def test_a_request_that_cannot_be_sent_is_an_error_before(cache):
    request = dataclasses.replace(pair("q")[0], prompt="half \ud83d")
    with pytest.raises(
        LanguageModelError, match="model m at http://h/v1: a prompt with half of a surrogate pair cannot"
    ):
        request.digest()


def test_many_processes_make_one_file(tmp_path):
    path = tmp_path / "folder" / "answers.sqlite"
    jobs = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n), str(n + 5)]) for n in range(0, 30, 5)]
    assert [job.wait(60) for job in jobs] == [0] * 6
    with ResponseCache(path) as cache:
        assert len(list(cache.iterate())) == 30
    assert [file.name for file in path.parent.iterdir()] == ["answers.sqlite"]


def test_a_link_that_leads_to_no_file_yet_stays_one(tmp_path):
    (tmp_path / "answers.sqlite").symlink_to(tmp_path / "disk" / "paid.sqlite")
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        assert cache.get_many(["x"]) == {}
        cache.put_many([pair("q")])
    assert (tmp_path / "answers.sqlite").is_symlink()
    assert len(list(ResponseCache(tmp_path / "disk" / "paid.sqlite").iterate())) == 1


def test_a_file_deleted_while_it_is_open_loses_no_later_answer(cache):
    cache.put_many([pair("q1")])
    cache.path.unlink()
    with contextlib.suppress(ResponseCacheError):
        cache.put_many([pair("q2")])
    cache.put_many([pair("q2")])
    assert [answer.text for _, answer in ResponseCache(cache.path).iterate()] == ["q2 誰"]
