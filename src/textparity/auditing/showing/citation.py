"""Describe in a paragraph how a result was counted, for the methods section of a paper, with its references."""

from pathlib import Path
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.reliability import describe_error
from textparity.auditing.showing.sentences import (
    counted_in,
    groups_of,
    level_of,
    lexicon_of,
    verdict_of,
    wording_of,
)
from textparity.files import number_of
from textparity.persons.mentions import MENTIONS, NOUNS, PERSONS, PUBLISHED, WORDS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData

_REFERENCES = Path(__file__).parent / "templates" / "citation.references.bib"
_METHODS = {
    PERSONS: "in which a language pipeline finds the names, nouns and pronouns of persons",
    WORDS: "which matches lists of {layers}",
    NOUNS: "which matches a list of person nouns",
    PUBLISHED: "which follows the procedure of Muller et al. (2023)",
}


def methods_paragraph(result: "AuditData") -> str:
    """Write the paragraph, or one per method. All of it comes from the result and its settings."""
    if result.of_methods:
        return " ".join(map(methods_paragraph, result.of_methods))
    sentences = [
        _counted(result),
        _tokenized(result),
        _detected(result),
        _counted_once(result),
        *_estimates(result),
        f"The verdict comes from {verdict_of(result)}",
    ]
    groups = f" By {result.settings.reading.group_by}: {groups_of(result)}" if result.groups else ""
    return f"{'. '.join(filter(None, sentences))}.{groups}"


def _counted(result: "AuditData") -> str:
    method = result.settings.counting.method
    texts = number_of(result.texts, result.unit)
    words = number_of(result.words, "word")
    layers = ", ".join(result.settings.counting.counted_layers)
    description = _METHODS[method].format(layers=layers)
    lexicon = lexicon_of(result)
    if method == PUBLISHED:
        lexicon += ", that of Muller et al. 2023"
    return (
        f"{counted_in(result)} were counted in {texts} ({words}){_in_languages(result)} with textparity {__version__} "
        f"by the method {method}, {description} (lexicon {lexicon})"
    )


def _in_languages(result: "AuditData") -> str:
    """Name a single language, or count several."""
    names = sorted({item.name for item in result.languages})
    if not names:
        return ""
    return f" in {names[0]}" if len(names) == 1 else f" in {len(names)} languages"


def _tokenized(result: "AuditData") -> str:
    tokenizers = set()
    for item in result.languages:
        instead = ", a stand-in for the official model" if item.statistics.stand_in else ""
        tokenizers.add(f"{item.statistics.tokenizer}{instead}")
    return f"Texts were split into words by {'; '.join(sorted(tokenizers))}" if tokenizers else ""


def _detected(result: "AuditData") -> str:
    if not any(item.detected for item in result.languages):
        return ""
    settings = result.settings
    detected = f"The language of each {settings.counting.detect} was detected (Joulin et al. 2017)"
    return f"{detected}, and texts below a probability of {settings.counting.minimum_certainty:g} were left out"


def _counted_once(result: "AuditData") -> str:
    if not result.settings.counting.unique:
        return ""
    within = " in a group" if result.settings.reading.group_by else ""
    return f"A text that occurs more than once{within} was counted once"


def _estimates(result: "AuditData") -> list[str]:
    """Describe the share, the rates, and their intervals."""
    estimating, unit = result.settings.estimating, result.unit
    counting = result.settings.counting
    wording = wording_of(counting.count, counting.same_names)
    share = wording.share
    if counting.count == MENTIONS:
        share = "feminine matches in percent of feminine and masculine matches"
    errors = sorted({describe_error(item.error) for item in result.languages if item.error})
    return [
        f"Women % is the number of {share}",
        f"Its {level_of(result)} % interval is Student's t interval of its logit over {unit}s, with the jackknife's "
        f"error and the effective number of {unit}s (Kish 1965)",
        f"Intervals of rates are percentiles of a bootstrap over {unit}s ({estimating.resamples:,} resamples, seed "
        f"{estimating.seed})",
        f"The interval with error also covers the error of the method ({'; '.join(errors)})" if errors else "",
        _corrected(result),
        f"M : F is the number of {wording.ratio}, computed from the share",
    ]


def _corrected(result: "AuditData") -> str:
    """Describe the corrected share, if texts were read for it."""
    texts = sum(item.statistics.texts_read for item in result.languages)
    if not texts:
        return ""
    return (
        f"The corrected share takes back the difference between the share found in {number_of(texts, result.unit)}, "
        "drawn at random with known probabilities and read, and in all (Egami et al. 2023); its interval is that of "
        "the design"
    )


def references(result: "AuditData") -> str:
    """List in BibTeX what the paragraph cites."""
    software, lexicon, identifier, survey, surrogates = _REFERENCES.read_text("utf-8").strip().split("\n\n")
    cited = [software.replace("VERSION", __version__)]
    if PUBLISHED in result.methods:
        cited.append(lexicon)
    if any(item.detected for item in result.languages):
        cited.append(identifier)
    cited.append(survey)
    if any(item.statistics.texts_read for item in result.rows):
        cited.append(surrogates)
    return "\n\n".join(cited)
