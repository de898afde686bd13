import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity.corpora import reading
from textparity.errors import InputError

SCHEMA = pa.schema([("id", pa.int64())])


def batches(count, size=3, fail=False):
    for number in range(count):
        yield [{"id": number * size + place} for place in range(size)]
    if fail:
        raise RuntimeError("broken")
    return {"batches": count}


def test_batches_are_joined_into_few_row_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "ROW_GROUP_ROWS", 7)
    path = tmp_path / "new" / "rows.parquet"
    reading.write_batches(path, SCHEMA, batches(5))
    assert pq.read_table(path)["id"].to_pylist() == list(range(15))
    assert pq.read_metadata(path).num_row_groups == 2
    assert reading.count_rows(path) == 15
    assert reading.read_metadata(path) == {"batches": 5}
    assert [len(batch["id"]) for batch in reading.read_batches(path, 4)] == [4, 4, 4, 3]


def test_a_failure_leaves_nothing_and_spares_what_was_there(tmp_path):
    path = tmp_path / "rows.parquet"
    reading.write_batches(path, SCHEMA, batches(1))
    with pytest.raises(RuntimeError):
        reading.write_batches(path, SCHEMA, batches(2, fail=True))
    assert reading.count_rows(path) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["rows.parquet"]


def test_no_rows_are_a_file_too(tmp_path):
    reading.write_batches(tmp_path / "rows.parquet", SCHEMA, iter([[]]))
    assert reading.count_rows(tmp_path / "rows.parquet") == 0


@pytest.mark.parametrize("size", [0, 3, 100, -1])
@pytest.mark.parametrize(
    "read",
    [reading.read_rows, reading.read_metadata, reading.count_rows, lambda path: list(reading.read_batches(path, 2))],
    ids=["rows", "metadata", "count", "batches"],
)
def test_a_truncated_file_is_named_with_the_mend(tmp_path, read, size):
    path = tmp_path / "rows.parquet"
    reading.write_batches(path, SCHEMA, batches(5))
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(InputError, match=r"rows\.parquet: cannot be read as Parquet \(.*: delete it and run again"):
        read(path)


def test_a_missing_file_is_not_called_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        reading.read_rows(tmp_path / "rows.parquet")


def test_a_flipped_bit_in_the_rows_is_never_read_as_other_rows(tmp_path):
    path = tmp_path / "rows.parquet"
    written = [{"id": str(n), "text": f"She sees {n * n} of them"} for n in range(200)]
    reading.write_batches(path, reading.TEXT_SCHEMA, [written])
    whole, column = path.read_bytes(), pq.read_metadata(path).row_group(0).column(3)
    right, noticed = reading.read_rows(path), 0
    start = column.dictionary_page_offset or column.data_page_offset
    places = range(start, start + column.total_compressed_size, 7)
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        # Of a page's header, not every bit says something.
        try:
            assert reading.read_rows(path) == right
            assert [
                row for batch in reading.iterate_batches(path, 50) for row in batch.to_pylist()
            ] == right.to_pylist()
        except InputError as error:
            assert "rows.parquet: " in str(error)
            noticed += 1
    assert noticed > 0.9 * len(places)


def test_damaged_metadata_are_named_with_the_mend(tmp_path):
    path = tmp_path / "rows.parquet"
    reading.write_batches(path, SCHEMA, batches(5))
    path.write_bytes(path.read_bytes().replace(b'{"batches": 5}', b'{"batches"; 5}'))
    with pytest.raises(InputError, match=r"rows\.parquet: "):
        reading.read_metadata(path)


def test_a_file_is_not_held_in_memory_while_it_is_read(tmp_path):
    path, schema = tmp_path / "large.parquet", pa.schema([("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for _ in range(40):
            writer.write_table(pa.table({"text": ["x" * 1000] * 200}, schema=schema))
    before = pa.total_allocated_bytes()
    held = [pa.total_allocated_bytes() - before for _ in reading.read_batches(path, 100)]
    assert max(held) < path.stat().st_size / 4
