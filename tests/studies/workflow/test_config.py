import math
import re

import pytest
import yaml

from textparity.errors import ConfigError
from textparity_studies.workflow.config import load_config


def test_defaults_are_the_shipped_config(repository):
    shipped = yaml.safe_load((repository / "config.yaml").read_text("utf-8"))
    assert load_config(shipped, {}) == load_config({}, {})


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"sede": 3}, "sede: unknown key"),
        ({"lexicon": {"corpus": ["ntrex"]}}, "lexicon.corpus: unknown key"),
        ({"seed": "many"}, "seed: "),
        ({"lexicon": "{engines: [icu]}"}, "lexicon: "),
        ({"lexicon": {"engines": ["published"]}}, "lexicon.engines.0: input should be 'paper' or 'icu'"),
        ({"bootstrap": {"confidence_level": 95}}, "bootstrap.confidence_level: "),
        ({"studies": ["lexikon"]}, "studies.0: "),
        ({"sampling": {"letters": "latin"}}, "sampling.letters: "),
        ({"keep_going": True}, "keep_going: is now skip_unavailable"),
        ({"representation": {"gold_runs": 2}}, "representation.gold_runs: is now tagging.gold_runs"),
        ({"propagation": {"doses": [1]}}, "propagation.doses: is now propagation.checkpoint_steps"),
        ({"propagation": {"steps": 9}}, "propagation.steps: is now the column steps of tables.base_models"),
        ({"newsroom": {"coreference": "stanza"}}, "newsroom.coreference: "),
        ({"newsroom": {"corpora": []}}, "newsroom.corpora: "),
        ({"newsroom": {"spacy_model": ""}}, "newsroom.spacy_model: "),
        ({"newsroom": {"parts": 0}}, "newsroom.parts: "),
        ({"newsroom": {"parts": 10**20}}, "newsroom.parts: "),
        ({"bootstrap": {"resamples": 10**20}}, "bootstrap.resamples: "),
        ({"bootstrap": {"confidence_level": math.nan}}, "bootstrap.confidence_level: "),
        ({"sampling": {"documents": 10**20}}, "sampling.documents: "),
        ({"lexicon": {"documents": 10}}, "lexicon.documents: is now sampling.documents"),
        ({"seed": -1}, "seed: "),
        ({"swapping": {"recognition": {"seeds": [2**32]}}}, "swapping.recognition.seeds.0: "),
        ({"newsroom": {"flags": {"subject_gap": math.nan}}}, "newsroom.flags.subject_gap: "),
        ({"newsroom": {"balance": {"lower": math.nan}}}, "newsroom.balance.lower: "),
        ({"language_models": {"budget": {"cost": math.nan}}}, "language_models.budget.cost: "),
        ({"newsroom": {"pronoun_share": 0}}, "newsroom.pronoun_share: "),
        ({"newsroom": {"pronoun_share": 70}}, "newsroom.pronoun_share: "),
        ({"newsroom": {"flags": {"subject_gap": -0.5}}}, "newsroom.flags.subject_gap: "),
        ({"newsroom": {"flags": {"minimum": 5}}}, "newsroom.flags.minimum: "),
        ({"newsroom": {"balance": {"procedures": ["greedy"]}}}, "newsroom.balance.procedures.0: "),
        ({"swapping": {"review_file": "reviews.csv"}}, "swapping.review_file: "),
        ({"newsroom": {"balance": {"lower": 1.5}}}, "newsroom.balance: value error, lower (1.5) is above upper (1.25)"),
    ],
)
def test_a_wrong_key_or_value_is_named(values, named):
    with pytest.raises(ConfigError, match="the configuration is not valid") as error:
        load_config(values, {})
    assert named in str(error.value)


def keys_offering_null(text):
    """Yield the keys, from the outermost on, of each value whose comment says what null means."""
    path, comment = {}, ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("#"):
            comment += f" {stripped}"
            continue
        if match := re.match(r"( *)(\w+):(.*)", line):
            depth = len(match[1])
            path = {at: key for at, key in path.items() if at < depth} | {depth: match[2]}
            if match[3] and re.search(r"\bnull\b", comment):
                yield tuple(path.values())
        comment = ""


def test_every_null_that_a_comment_offers_can_be_given_on_the_command_line(repository):
    offered = list(keys_offering_null((repository / "config.yaml").read_text("utf-8")))
    assert ("lexicon", "revision") in offered and len(offered) >= 9
    for keys in offered:
        # As Snakemake passes --config 'lexicon={revision: null}'.
        values: object = "null"
        for key in reversed(keys):
            values = {key: values}
        value: object = load_config(values).model_dump()
        for key in keys:
            value = value[key]
        assert value is None, keys


def test_a_mirror_needs_its_table(tmp_path):
    with pytest.raises(ConfigError, match=r"has no urls\.tsv"):
        load_config({"mirror": str(tmp_path)}, {})
    (tmp_path / "urls.tsv").write_text("url\tpath\tsha256\n")
    assert load_config({}, {"TEXTPARITY_MIRROR": str(tmp_path)}).mirror == str(tmp_path)


def test_the_environment_fills_unset_model_folders():
    config = load_config({"models": {"nltk": "/here"}}, {"NLTK_DATA": "/there", "STANZA_RESOURCES_DIR": "/models"})
    assert (config.models.nltk, config.models.stanza) == ("/here", "/models")


def test_a_value_without_end_is_shown_in_short():
    endless = []
    endless.append(endless)
    laughs = "x" * 9
    for _ in range(40):
        laughs = [laughs] * 9
    for value in (endless, laughs, "x" * 10**6):
        with pytest.raises(ConfigError) as raised:
            load_config({"audit": value}, {})
        assert len(str(raised.value)) < 2000
