"""What no reader was made for ends in a message, or is read; never in a traceback."""

import pytest
from lexicons import WITH_NOUNS

from textparity.command import main


@pytest.mark.parametrize(
    "page", ["<![foo[ bar ]]><p>man", "<![if !IE]>", "<![CDATA[x", "<!DOCTYPE [<!ELEMENT", "<?php x"]
)
def test_a_marked_section_of_html_is_read_or_named(tmp_path, capsys, page):
    (tmp_path / "a.html").write_text(f"<p>A woman.</p>\n{page}")
    code = main(["audit", str(tmp_path / "a.html"), "--lang", "eng", *WITH_NOUNS])
    said = capsys.readouterr()
    assert "women" in said.out if code == 0 else (code == 2 and "HTML" in said.err)
