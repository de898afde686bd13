"""BERTScore by a tiny model in a cache of the hub, without a network; skipped without bert-score (extra bert-score)."""

import json
import os
import subprocess
import sys

import pytest
from tiny_encoder import make_tiny_encoder

pytest.importorskip("bert_score")
pytestmark = pytest.mark.propagation

# A process of its own: the hub's client reads its settings once, when it is imported.
SCORE = """
import json, socket
asked = []
def refuse(*address, **_):
    asked.append(str(address[0]))
    raise socket.gaierror("there is no network")
socket.getaddrinfo = refuse
from textparity_studies.swapping.scores import bert_scores, missing_bert_score
missing = missing_bert_score("uk")
scores = bert_scores(["sunny day", "", "rainy day", " "], ["sunny day", "rainy day", "sunny day", "day"], "uk")
alone = bert_scores([""], ["day"], "uk")
print(json.dumps({"missing": missing, "scores": scores, "alone": alone, "asked": asked}))
"""


def test_a_score_needs_no_network_and_a_blank_output_has_none(tmp_path):
    hub = tmp_path / "hub" / "models--bert-base-multilingual-cased"
    snapshot = hub / "snapshots" / ("0" * 40)
    snapshot.mkdir(parents=True)
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("0" * 40, "utf-8")
    # The package takes the ninth layer's states for this model.
    make_tiny_encoder(snapshot, layers=9)
    environment = {name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"}
    done = subprocess.run(
        [sys.executable, "-c", SCORE], env=environment | {"HF_HOME": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["missing"], found["asked"], found["alone"]) == ("", [], [0.0])
    same, blank, other, white_space = found["scores"]
    assert same == pytest.approx(1, abs=1e-5)
    assert (blank, white_space) == (0, 0)
    assert 0 < other < same
