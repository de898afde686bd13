"""Describe in a paragraph how a result was counted, for the methods section of a paper, with its references."""

from pathlib import Path
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing import rendering
from textparity.auditing.formats import number_of
from textparity.auditing.reliability import describe_error
from textparity.persons.mentions import NOUNS, PERSONS, PUBLISHED, WORDS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult

_REFERENCES = Path(__file__).parent / "templates" / "citation.references.bib"
_METHODS = {
    PERSONS: "in which a language pipeline finds the names, nouns and pronouns of persons",
    WORDS: "which matches lists of {layers}",
    NOUNS: "which matches a list of person nouns",
    PUBLISHED: "which follows the procedure of Muller et al. (2023)",
}


def methods_paragraph(result: "AuditResult") -> str:
    """Write the paragraph, or one per method. All of it comes from the result and its settings."""
    if result.of_methods:
        return " ".join(map(methods_paragraph, result.of_methods))
    settings = result.settings
    names = sorted({item.name for item in result.languages})
    languages = f" in {names[0]}" if len(names) == 1 else f" in {len(names)} languages" * bool(names)
    layers = ", ".join(settings.counted_layers)
    source = ", that of Muller et al. 2023" if settings.method == PUBLISHED else ""
    tokenizers = {
        item.row["tokenizer"] + ", a stand-in for the official model" * item.row["stand_in"]
        for item in result.languages
    }
    errors = sorted({describe_error(item.error) for item in result.languages if item.error})
    sentences = [
        f"{rendering.counted_in(result)} were counted in {number_of(result.texts, result.unit)} "
        f"({number_of(result.words, 'word')}){languages} with textparity {__version__} by the method "
        f"{settings.method}, {_METHODS[settings.method].format(layers=layers)} (lexicon "
        f"{rendering.lexicon_of(result)}{source})",
        f"Texts were split into words by {'; '.join(sorted(tokenizers))}" * bool(tokenizers),
        f"The language of each {settings.detect} was detected (Joulin et al. 2017), and texts below a probability of "
        f"{settings.minimum_certainty:g} were left out" * any(item.detected for item in result.languages),
        f"A text that occurs more than once{' in a group' * bool(settings.group_by)} was counted once"
        * settings.unique,
        "Women % is the number of feminine matches in percent of feminine and masculine matches",
        f"Its {rendering.level_of(result)} % interval is Student's t interval of its logit over {result.unit}s, with "
        f"the jackknife's error and the effective number of {result.unit}s (Kish 1965)",
        f"Intervals of rates are percentiles of a bootstrap over {result.unit}s ({settings.resamples:,} resamples, "
        f"seed {settings.seed})",
        f"The interval with error also covers the error of the method ({'; '.join(errors)})" * bool(errors),
        "M : F is the number of masculine matches per feminine match, computed from the share",
        f"The verdict comes from {rendering.verdict_of(result)}",
    ]
    groups = f" By {settings.group_by}: {rendering.groups_of(result)}" if result.groups else ""
    return f"{'. '.join(filter(None, sentences))}.{groups}"


def references(result: "AuditResult") -> str:
    """List in BibTeX what the paragraph cites."""
    software, lexicon, identifier, survey = _REFERENCES.read_text("utf-8").strip().split("\n\n")
    cited = [software.replace("VERSION", __version__)]
    cited += [lexicon] if result.settings.method == PUBLISHED else []
    cited += [identifier] if any(item.detected for item in result.languages) else []
    cited.append(survey)
    return "\n\n".join(cited)
