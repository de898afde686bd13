"""Write the findings of the method `persons` in annotated texts, for the demo, which has no pipeline.

snakemake results/instruments/found/{spanish,demo}/spa.parquet \\
    --config 'studies=[instruments]' 'instruments={gold: [spanish, demo]}'
  python tools/record_mentions.py resources/demo/persons_spa.jsonl results/instruments/found/{spanish,demo}/spa.parquet
"""

import json
import sys
from pathlib import Path

from textparity.corpora.reading import read_metadata, read_rows
from textparity.files import write_text

target, *found = map(Path, sys.argv[1:])
lines = [{name: read_metadata(found[0])[name] for name in ("pipeline", "grammatical")}]
for path in found:
    rows = read_rows(path, columns=["text", "found_persons"]).to_pylist()
    lines += [{"text": row["text"], "mentions": row["found_persons"]} for row in rows]
write_text(target, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
