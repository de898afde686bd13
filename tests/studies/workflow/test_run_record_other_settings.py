"""A second configuration in the same folder makes the tables of the first anew, and says so."""

import logging

from textparity_studies.workflow.run_record import warn_of_other_settings

FIRST = {"seed": 1, "languages": ["eng"], "studies": ["lexicon"], "lexicon": {"engines": ["icu"], "layers": []}}


def test_only_another_configuration_is_warned_of(tmp_path, caplog):
    def said(**changes):
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            warn_of_other_settings(FIRST | changes, tmp_path / "settings.json")
        return caplog.text

    assert said() == said() == ""
    # Another study's tables are other files.
    assert said(studies=["newsroom"]) == ""
    text = said(languages=["swe"], lexicon={"engines": ["paper"], "layers": []})
    assert "another configuration (languages, lexicon.engines): tables under results/" in text
    assert "--directory FOLDER" in text
    # What is compared is the run before, whatever was before that.
    assert "languages" in said()
    assert said() == ""


def test_a_setting_that_is_not_there_any_more_is_a_change(tmp_path, caplog):
    warn_of_other_settings(FIRST, tmp_path / "settings.json")
    fewer = {name: value for name, value in FIRST.items() if name != "seed"}
    with caplog.at_level(logging.WARNING):
        warn_of_other_settings(fewer, tmp_path / "settings.json")
    assert "(seed)" in caplog.text
