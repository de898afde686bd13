"""Reviews of candidates: the file that people make, what the page's server lets through, the authors' reviews."""

import csv
import http.client
import json
import re
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from ukrainian_lists import write_lists

from textparity.corpora.rows import write_batches
from textparity.errors import InputError
from textparity_studies.swapping.candidates.reviews import (
    Candidate,
    read_candidates,
    read_review_file,
    read_reviews,
)
from textparity_studies.swapping.candidates.swapped_corpora import import_reviews
from textparity_studies.swapping.entity_corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA
from textparity_studies.swapping.review import (
    Conflict,
    RefusedDecision,
    ReviewServer,
    ReviewStore,
    main,
    read_failed_checks,
)

CANDIDATES = [
    Candidate("aa", 0, "Лікар прийшов.", "Лікарка прийшла.", {"Лікар": "JOB"}, (), ("Ольга", "Ніна"), ("Петро",)),
    Candidate("aa", 4, "Учитель читав.", "Учителька читала.", {"Учитель": "JOB"}),
    Candidate("bb", 0, "Швець шив.", "", {"Швець": "JOB"}, ("no single sentence",)),
]
HEADER = "document,line,original,swapped,decision,decided_at\n"
ACCEPTED = "aa,0,Лікар прийшов.,Лікарка прийшла.,accept,2026-01-02T03:04:05Z\n"
CORRECTED = "aa,4,Учитель читав.,Учителька вже читала.,correct,\n"


def write(path, *lines):
    path.write_text("".join(lines), "utf-8")
    return path


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def candidates_file(tmp_path):
    return write(
        tmp_path / "candidates.csv",
        "document,line,original,swapped,feminine_names,masculine_names,entities,repairs\n",
        'aa,0,Лікар прийшов.,Лікарка прийшла.,Ольга; Ніна,Петро,"{""Лікар"": ""JOB""}",\n',
        'aa,4,Учитель читав.,Учителька читала.,,,"{""Учитель"": ""JOB""}",\n',
        'bb,0,Швець шив.,,,,"{""Швець"": ""JOB""}",no single sentence\n',
    )


def test_candidates_are_read_with_what_is_doubtful_about_them(candidates_file):
    assert read_candidates(candidates_file) == CANDIDATES


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("aa,4,Учитель читав.,Учителька.,agree,\n", "row 2: 'agree' is not a decision; write accept, correct, dismiss"),
        ("aa,5,Учитель читав.,Учителька читала.,accept,\n", "row 2: aa, line 5 is not a candidate"),
        ("aa,4,Учитель писав.,Учителька читала.,accept,\n", "row 2: aa, line 4 was reviewed as 'Учитель писав.'"),
        ("aa,4,Учитель читав.,Вона читала.,accept,\n", "row 2: 'Вона читала.' was accepted, but the candidate"),
        (ACCEPTED, "row 2: aa, line 0 is decided twice"),
        ("bb,0,Швець шив.,,accept,\n", "row 2: an empty sentence cannot be kept"),
        ("aa,x,Учитель читав.,Учителька читала.,accept,\n", "row 2: the line 'x' is not a number"),
        ("aa,4,Учитель читав.\n", "row 2: has more or fewer cells than the header"),
    ],
)  # fmt: skip
def test_a_review_that_cannot_be_is_named_with_file_and_row(tmp_path, line, named):
    path = write(tmp_path / "reviews.csv", HEADER, ACCEPTED, line)
    with pytest.raises(InputError) as error:
        read_review_file(path, CANDIDATES)
    assert str(error.value).startswith(f"{path}, {named}")


def test_a_file_without_a_column_is_named(tmp_path):
    with pytest.raises(InputError, match=r"reviews\.csv: has no column decision"):
        read_review_file(write(tmp_path / "reviews.csv", "document,line,original,swapped\n"), CANDIDATES)


def test_reviews_are_checked_put_in_order_and_counted(tmp_path, candidates_file):
    people = write(tmp_path / "people.csv", HEADER, CORRECTED, ACCEPTED)
    read_reviews(candidates_file, [people], tmp_path / "reviews.csv", tmp_path / "counts.csv", "small", str(people))
    assert [(row["document"], row["line"], row["decision"]) for row in table(tmp_path / "reviews.csv")] == [
        ("aa", "0", "accept"), ("aa", "4", "correct"),
    ]  # fmt: skip
    assert [tuple(row.values()) for row in table(tmp_path / "counts.csv")] == [
        ("accept", "1"), ("correct", "1"), ("dismiss", "0"), ("undecided", "1"),
    ]  # fmt: skip


def test_without_reviews_nothing_is_accepted_and_the_command_is_said(tmp_path, candidates_file, caplog):
    read_reviews(candidates_file, [], tmp_path / "reviews.csv", tmp_path / "counts.csv", "small", "reviews/small.csv")
    assert table(tmp_path / "reviews.csv") == []
    assert table(tmp_path / "counts.csv")[-1] == {"decision": "undecided", "sentences": "3"}
    command = f"python -m textparity_studies.swapping.review --candidates {candidates_file} --reviews reviews/small.csv"
    assert command in caplog.text


@pytest.fixture
def store(tmp_path):
    return ReviewStore(tmp_path / "reviews.csv", CANDIDATES)


def test_each_decision_is_on_disk_at_once_and_taken_up_again(tmp_path, store):
    store.decide(("aa", 4), "correct", " Учителька \nвже читала. ", 0)
    store.decide(("aa", 0), "accept", "whatever the page says", 0)
    rows = table(tmp_path / "reviews.csv")
    assert [(row["line"], row["swapped"]) for row in rows] == [
        ("0", "Лікарка прийшла."), ("4", "Учителька вже читала."),
    ]  # fmt: skip
    assert all(row["decided_at"].endswith("Z") for row in rows)
    again = ReviewStore(tmp_path / "reviews.csv", CANDIDATES)
    assert [state.decision for state in again.states()] == ["accept", "correct", "undecided"]
    assert again.decide(("aa", 0), "undecided", "", 0).swapped == "Лікарка прийшла."
    assert [row["line"] for row in table(tmp_path / "reviews.csv")] == ["4"]


@pytest.mark.parametrize(
    ("key", "decision", "swapped", "said"),
    [
        (("aa", 4), "correct", "Учителька читала.", "Nothing was corrected"),
        (("aa", 4), "correct", " \n", "an empty sentence cannot be kept"),
        (("bb", 0), "accept", "Швачка шила.", "an empty sentence cannot be kept"),
        (("aa", 4), "agree", "", "is not a decision"),
        (("cc", 0), "dismiss", "", "is not a candidate"),
    ],
)
def test_what_is_no_decision_is_refused_and_nothing_is_written(tmp_path, store, key, decision, swapped, said):
    with pytest.raises(RefusedDecision, match=said):
        store.decide(key, decision, swapped, 0)
    assert not (tmp_path / "reviews.csv").exists()


def test_a_decision_about_what_has_changed_is_a_conflict(tmp_path, store):
    store.decide(("aa", 0), "accept", "", 0)
    with pytest.raises(Conflict, match="decided elsewhere"):
        store.decide(("aa", 0), "dismiss", "", 0)
    # Another program: a spreadsheet, or a second review of the same file.
    other = ReviewStore(tmp_path / "reviews.csv", CANDIDATES)
    other.decide(("aa", 4), "accept", "", 0)
    with pytest.raises(Conflict, match="Another program has written"):
        store.decide(("aa", 0), "dismiss", "", 1)
    assert [row["decision"] for row in table(tmp_path / "reviews.csv")] == ["accept", "accept"]


def test_decisions_that_come_at_once_are_all_kept(tmp_path):
    many = [Candidate("aa", line, "Він.", "Вона.", {}) for line in range(60)]
    store = ReviewStore(tmp_path / "reviews.csv", many)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda candidate: store.decide(candidate.key, "accept", "", 0), many))
    assert len(table(tmp_path / "reviews.csv")) == 60


@pytest.fixture
def server(store):
    running = ReviewServer(store, {}, "small")
    threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


DECISION = {"document": "aa", "line": 0, "decision": "accept", "swapped": "", "version": 0}


def send(server, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    defaults = {"Origin": server.origin, "Content-Type": "application/json"} if body is not None else {}
    sent = None if body is None else body if isinstance(body, str) else json.dumps(body)
    connection.request(method, path, sent, {name: value for name, value in (defaults | headers).items() if value})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer, said


def test_the_page_decides(server, tmp_path):
    answer, said = send(server, "POST", f"/{server.token}/decide", DECISION)
    assert (answer.status, json.loads(said)) == (
        200, {"decision": "accept", "swapped": "Лікарка прийшла.", "version": 1},
    )  # fmt: skip
    assert len(table(tmp_path / "reviews.csv")) == 1
    answer, said = send(server, "POST", f"/{server.token}/decide", DECISION)
    assert answer.status == 409 and "decided elsewhere" in said


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "example.org"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Length": "99999999"}, 413),
        ({"Content-Length": "9" * 5000}, 413),
    ],
)
def test_other_pages_cannot_decide(server, tmp_path, headers, status):
    assert send(server, "POST", f"/{server.token}/decide", DECISION, **headers)[0].status == status
    assert not (tmp_path / "reviews.csv").exists()


@pytest.mark.parametrize(
    "body",
    ["", "[]", "{}", json.dumps(DECISION | {"line": "0"}), json.dumps(DECISION | {"line": True}),
     "[" * 500_000, json.dumps(DECISION | {"document": "\ud800"}), json.dumps(DECISION | {"swapped": "a\udfff"})],
)  # fmt: skip
def test_what_is_no_json_of_a_decision_is_refused(server, tmp_path, body):
    assert send(server, "POST", f"/{server.token}/decide", body)[0].status == 400
    assert not (tmp_path / "reviews.csv").exists()


def test_nothing_is_shown_without_the_token(server):
    for path in ("/", "//", "/wrong/", f"/{server.token}", f"/{server.token[:-1]}/", "/wrong/states"):
        answer, said = send(server, "GET", path)
        assert answer.status == 403 and "Лікар" not in said
    assert send(server, "GET", f"/{server.token}/", Host="example.org")[0].status == 403
    assert send(server, "GET", f"/{server.token}/other")[0].status == 404


def test_the_page_is_its_own_and_loads_nothing(server):
    answer, page = send(server, "GET", f"/{server.token}/")
    assert answer.status == 200
    policy = answer.getheader("Content-Security-Policy")
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert not any(word in page for word in ("http://", "https://", "//cdn", "src="))


def test_a_text_cannot_end_the_page_s_data(tmp_path):
    nasty = Candidate("aa", 0, "</script><b>", "<!--", {})
    running = ReviewServer(ReviewStore(tmp_path / "reviews.csv", [nasty]), {}, "</title>")
    threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    page = send(running, "GET", f"/{running.token}/")[1]
    running.shutdown()
    running.server_close()
    assert page.count("</script>") == 2 and page.count("</title>") == 1 and "<!--" not in page


def test_the_command_says_what_is_wrong(tmp_path, candidates_file, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad = write(tmp_path / "bad.csv", HEADER, "aa,9,Хто?,Хто?,accept,\n")
    assert main(["--candidates", str(candidates_file), "--reviews", str(bad), "--no-browser"]) == 1
    assert "bad.csv, row 1: aa, line 9 is not a candidate" in capsys.readouterr().err
    assert main(["--candidates", str(candidates_file), "--reviews", "results/reviews.csv", "--no-browser"]) == 1
    assert "put your decisions elsewhere" in capsys.readouterr().err


def test_the_token_is_in_no_argument_of_the_browser(tmp_path, candidates_file, capsys, monkeypatch):
    opened = []

    def open_browser(address):
        page = Path(unquote(urlsplit(address).path))
        opened.append((address, page.read_text(), stat.S_IMODE(page.parent.stat().st_mode)))

    def end(server):
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", open_browser)
    monkeypatch.setattr(ReviewServer, "serve_forever", end)
    assert main(["--candidates", str(candidates_file), "--reviews", str(tmp_path / "reviews.csv")]) == 0
    (url,) = re.findall(r"http://127\S+", capsys.readouterr().out)
    ((address, page, mode),) = opened
    assert url in page and urlsplit(url).path.strip("/") not in address
    assert mode == 0o700
    assert not Path(urlsplit(address).path).exists()


@pytest.mark.parametrize("sign", ["\r", "\r\n", "\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_correction_is_one_line_whatever_ends_lines(tmp_path, store, sign):
    state = store.decide(("aa", 0), "correct", f"{sign}Пані {sign} {sign}прийшла.{sign}", 0)
    assert state.swapped == "Пані прийшла."
    again = ReviewStore(tmp_path / "reviews.csv", store.candidates)
    assert again.states()[0].swapped == state.swapped


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\x7f", "\x9b"])
def test_a_correction_with_what_is_no_text_is_refused(tmp_path, store, sign):
    with pytest.raises(RefusedDecision, match="a character that cannot be shown"):
        store.decide(("aa", 0), "correct", f"Пані{sign} прийшла.", 0)
    assert not (tmp_path / "reviews.csv").exists()


def test_failed_checks_are_shown_with_what_failed(tmp_path):
    path = write(
        tmp_path / "checks.csv",
        "document,line,check,verdict,detail\n",
        "aa,0,token_count,passed,\naa,0,names,failed,Петро\naa,0,agreement,failed,\nbb,0,names,not applicable,\n",
    )
    assert read_failed_checks(path) == {("aa", 0): ["names: Петро", "agreement: failed"]}
    with pytest.raises(InputError, match="has no column verdict"):
        read_failed_checks(write(tmp_path / "checks.csv", "document,line,check,detail\n"))


MADE = ("candidates", "checks", "reviews", "reviewed_candidates", "reviewed_checks", "not_found", "counts")
PUBLISHED = "Оригінальне речення,Змінене речення,Анотації,Коректність речення,Виправлене речення\n"


@pytest.fixture
def corpus(tmp_path):
    texts = {"aa": "Лікар прийшов.\n\nУчитель читав. \nШвець шив.", "bb": "Учитель читав."}
    rows = [
        {"document": name, "subcorpus": "s", "split": "train", "text": text, "source_lines": []}
        for name, text in texts.items()
    ]
    write_batches(tmp_path / "documents.parquet", DOCUMENT_SCHEMA, [rows])
    write_batches(tmp_path / "entities.parquet", ENTITY_SCHEMA, [[]])
    return {"documents": tmp_path / "documents.parquet", "entities": tmp_path / "entities.parquet"}


def test_published_reviews_are_found_in_the_corpus_by_text(tmp_path, corpus):
    pytest.importorskip("pymorphy3_dicts_uk")
    published = write(
        tmp_path / "published.csv",
        PUBLISHED,
        "Учитель читав.,Учителька читала.,{'Учитель': 'JOB'},Містить помилки,Вчителька читала.\n",
        "Лікар прийшов.,Лікарка прийшла.,{'Лікар': 'JOB'},Правильне,Лікарка вже прийшла.\n",
        "Швець шив.,Шевчиня шила.,{'Швець': 'JOB'},,\n",
        "Кухар пік.,Кухарка пекла.,{'Кухар': 'JOB'},Важко визначити,\n",
    )
    made = {name: tmp_path / f"{name}.csv" for name in MADE}
    import_reviews([published], **corpus, **made, **write_lists(tmp_path), model="gpt")
    candidates = read_candidates(made["candidates"])
    assert [candidate.key for candidate in candidates] == [("aa", 0), ("aa", 2), ("aa", 3), ("bb", 0)]
    assert candidates[0].entities == {"Лікар": "JOB"}
    reviews = read_review_file(made["reviews"], candidates)
    # The reviewer's text counts only where the sentence was found wrong, as in the authors' notebook.
    assert {key: (review.decision, review.swapped) for key, review in reviews.items()} == {
        ("aa", 0): ("accept", "Лікарка прийшла."),
        ("aa", 2): ("correct", "Вчителька читала."),
        ("bb", 0): ("correct", "Вчителька читала."),
    }
    left = read_candidates(made["reviewed_candidates"])
    assert [len(table(made[name])) for name in ("checks", "reviewed_checks")] == [7 * len(candidates), 7 * len(left)]
    assert [(candidate.key, candidate.swapped) for candidate in left] == [
        (key, review.swapped) for key, review in reviews.items()
    ]
    assert [row["Оригінальне речення"] for row in table(made["not_found"])] == ["Кухар пік."]
    assert {row["what"]: row["number"] for row in table(made["counts"])} == {
        "correct": "1", "accept": "1", "dismiss": "1", "undecided": "1", "sentences": "4", "sentences not found": "1",
        "places in the corpus": "4", "sentences in several places": "1", "corrected sentences of other decisions": "1",
    }  # fmt: skip


def test_a_sentence_is_reviewed_once(tmp_path, corpus):
    published = write(tmp_path / "published.csv", PUBLISHED, "Швець шив.,Шевчиня шила.,{},Правильне,\n" * 2)
    made = {name: tmp_path / f"{name}.csv" for name in MADE}
    with pytest.raises(InputError, match=r"is reviewed twice; keep one row"):
        import_reviews([published], **corpus, **made, **write_lists(tmp_path), model="gpt")
    assert not any(path.exists() for path in made.values())
