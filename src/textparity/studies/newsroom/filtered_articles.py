"""The measures of the articles that balancing leaves in a corpus."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.corpora.rows import iterate_batches, open_batches, read_metadata
from textparity.studies.newsroom.article_rows import read_excluded

_BATCH_ROWS = 50_000


def keep_articles(articles: list[Path], excluded: Path, kept: Path) -> None:
    """Write the rows of `articles` whose id is not in the CSV file `excluded`; memory holds a batch of them."""
    gone = pa.array(read_excluded(excluded)["id"].to_numpy(dtype=object), pa.string())
    with open_batches(kept, pq.read_schema(articles[0]).remove_metadata()) as writer:
        for path in articles:
            for batch in iterate_batches(path, _BATCH_ROWS):
                writer.write_table(pa.table(batch.filter(pc.invert(pc.is_in(batch["id"], value_set=gone)))))
        writer.metadata = read_metadata(articles[0])
