"""Settings of the `representation` study."""

from typing import Annotated

from pydantic import Field

from textparity_studies.workflow.settings import Closed, Method


class RepresentationSettings(Closed):
    """Settings of the `representation` study (Derner 2025)."""

    corpora: Annotated[list[str], Field(min_length=1)] = [
        f"{name}_{sample}"
        for name in ("europarl", "ccaligned", "global_voices", "wmt_news", "boua", "dogv_dogcv", "dscv_dsccv")
        for sample in (1, 2)
    ]
    gold: list[str] = ["spanish", "valencian"]
    taggers: list[str] = []
    corpus_tagger: str | None = None
    methods: list[Method] = ["words", "persons"]


RENAMED = {"sampling": "sampling"} | {
    key: f"tagging.{key}" for key in ("prompt", "polarity_words", "epicene_words", "gold_runs", "corpus_runs")
}
