"""Render checks as a JUnit report, which services of continuous integration show."""

from xml.etree import ElementTree

from textparity.auditing.checks import CheckedRow, Checks, Outcome
from textparity.files import printable


def render_junit(checks: Checks) -> str:
    """Render a JUnit report with one test case for each check and row. What could not be compared is skipped."""
    suite = ElementTree.Element("testsuite", name="textparity", tests=str(len(checks.rows)))
    suite.set("failures", str(len(checks.failures)))
    skipped = [row for row in checks.rows if row.outcome == Outcome.NOT_COMPARED]
    suite.set("skipped", str(len(skipped)))
    for row in checks.rows:
        _add_case(suite, row)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, row: CheckedRow) -> None:
    names = {"classname": printable(row.condition), "name": printable(str(row.name))}
    case = ElementTree.SubElement(suite, "testcase", names)
    values = printable(row.values)
    if row.outcome == Outcome.FAILED:
        ElementTree.SubElement(case, "failure", message=values).text = printable(str(row))
    elif row.outcome == Outcome.NOT_COMPARED:
        ElementTree.SubElement(case, "skipped", message=values)
    else:
        ElementTree.SubElement(case, "system-out").text = values
