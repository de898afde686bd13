"""Render self-contained web pages: one file, one style, light and dark, no network, and all text escaped."""

from base64 import b64encode
from functools import cache
from hashlib import sha256

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined


@cache
def page_environment(*packages: str) -> Environment:
    """Make the environment for the templates of `packages`. It escapes all text, and raises an error for an undefined
    name.

    `{% include "pages.base.css" %}` has the colours that all pages share, `pages.text.css` headings and tables. The
    filter `csp_hash` permits one inline script in a page whose policy forbids all others.
    """
    environment = Environment(
        loader=ChoiceLoader([*map(PackageLoader, packages), PackageLoader("textparity")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["csp_hash"] = csp_hash
    return environment


def csp_hash(script: str) -> str:
    """Compute the source of a Content-Security-Policy that permits this inline script and no other."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
