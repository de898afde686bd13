"""The file of answers: shared, damaged, exported."""

import json
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from textparity.llm.budget import Budget
from textparity.llm.cache import ResponseCache, Spending
from textparity.llm.errors import BudgetExceededError, ResponseCacheError
from textparity.llm.exchange import Answer, Request


def pair(text, error=""):
    request = Request("http://h/v1", "m", "completion", text, max_tokens=9)
    return request, Answer(request.digest(), f"{text} 誰", "stop", 3, 4, "m-1", error)


@pytest.fixture
def cache(tmp_path):
    with ResponseCache(tmp_path / "new" / "answers.sqlite") as opened:
        yield opened


def test_answers_come_back(cache):
    pairs = [pair(f"q{number}") for number in range(1200)]
    cache.put_many(pairs)
    cache.put(*pair("more"))
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
    cache.put(request, answer)
    cache.put(request, Answer(answer.digest, "later", "stop", 0, 0, "m"))
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
        other.put(*pairs[3])
        assert other.import_answers(tmp_path / "a.jsonl") == 20
        assert list(other.iterate()) == list(cache.iterate())
        other.export_answers(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("damage", "said"),
    [(lambda line: line[:50], "line 2: no request with its answer"),
     (lambda line: line.replace('"prompt":"q', '"prompt":"Q'), "line 2: the answer belongs to another request"),
     (lambda line: '{"request": {}, "answer": 3}', "line 2: no request with its answer")],
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
        with pytest.raises(ResponseCacheError, match="no such file of answers"):
            other.import_answers(tmp_path / "none.jsonl")


@pytest.mark.parametrize("use", [lambda cache: cache.get_many(["x"]), lambda cache: cache.put(*pair("q"))])
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
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: .*malformed; it is damaged"):
        list(cache.iterate())


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "answers.sqlite").mkdir()
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: unable to open .*; check the folder"):
        ResponseCache(tmp_path / "answers.sqlite").put(*pair("q"))


def test_a_lock_is_waited_for_but_not_for_ever(cache):
    cache.put(*pair("q"))
    with ResponseCache(cache.path) as other, ResponseCache(cache.path, wait_seconds=0.1) as hasty:
        other.get_many(["x"])
        other._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(ResponseCacheError, match="another process has held it for"):
            hasty.put(*pair("r"))
        cache_put = threading.Thread(target=lambda: ResponseCache(cache.path).put(*pair("r")))
        cache_put.start()
        time.sleep(0.2)
        other._connection.execute("COMMIT")
        cache_put.join()
    assert len(list(cache.iterate())) == 2


WRITER = """
import sys
from textparity.llm.cache import ResponseCache
from textparity.llm.exchange import Answer, Request

path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with ResponseCache(path) as cache:
    for number in range(first, last):
        request = Request("http://h/v1", "m", "completion", f"q{number}", max_tokens=9)
        cache.put(request, Answer(request.digest(), f"a{number}", "stop", 1, 1, "m"))
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
        cache.put(*pair("q2"))
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
    first = Budget(maximum_cost=10, maximum_requests=5)
    first.reserve(3)
    first.settle(3, 2)
    first.reserve(3)
    cache.put_many([], first.take_unrecorded())
    # What is under way is sent, but what it cost is not known.
    assert cache.spending() == Spending(2, 2)
    first.settle(3, 4)
    cache.put_many([], first.take_unrecorded())
    assert first.take_unrecorded() == Spending(0, 0)
    second = Budget(maximum_cost=10, maximum_requests=5, before=ResponseCache(cache.path).spending())
    assert second.take_unrecorded() == Spending(0, 0)
    assert second.fits(4)
    assert not second.fits(4.1)
    second.reserve(1)
    second.settle(1, 1)
    cache.put_many([], second.take_unrecorded())
    assert cache.spending() == Spending(3, 7)
    third = Budget(maximum_requests=3, before=cache.spending())
    with pytest.raises(BudgetExceededError, match="budget: 3 requests were sent through this cache, and 3 are allowed"):
        third.reserve(0)


def test_answers_from_before_spending_was_counted_are_still_there(tmp_path):
    with ResponseCache(tmp_path / "old.sqlite") as old:
        old.put(*pair("q"))
    with sqlite3.connect(tmp_path / "old.sqlite") as connection:
        connection.execute("DROP TABLE spending")
    with ResponseCache(tmp_path / "old.sqlite") as old:
        assert old.get_many([pair("q")[1].digest])
        assert old.spending() == Spending(0, 0.0)
