"""Sphinx makes a site of the pages of this folder, and of those elsewhere that they link to.

`make docs` runs it on the whole repository, so that links are the same here and there, and fails on any warning, broken
links included.
"""

project = "textparity"
author = "The textparity authors"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/papers/*.md", "benchmarks/README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
# Not looked into.
exclude_patterns = [".*", "demo", "logs", "results", "site", "src", "tests"]
source_suffix = {".md": "markdown"}
# Links to headings, as GitHub makes them.
myst_heading_anchors = 4
nitpicky = True
# Light, dark and on a phone; wide tables scroll by themselves.
html_theme = "furo"
html_title = "textparity"
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
