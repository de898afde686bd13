"""Write a cache of answers as JSON lines: `make record-demo` ends with it."""

import sys
from pathlib import Path

from textparity_studies.llm.cache import ResponseCache

with ResponseCache(sys.argv[1]) as cache:
    print(cache.export_answers(Path(sys.argv[2])), "answers in", sys.argv[2])
