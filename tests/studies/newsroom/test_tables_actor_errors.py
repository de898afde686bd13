"""What the actors that were read are: errors by gender, and women's share with and without them."""

from textparity.files import write_text
from textparity_studies.newsroom.tables import ERROR_COLUMNS, count_actor_errors


def test_errors_and_shares_are_those_of_the_actors_that_were_read(tmp_path):
    rows = [
        ("a", "Ann", "feminine", "first name", "woman", "1"), ("a", "Asia", "feminine", "first name", "no person", "1"),
        ("b", "Bea", "feminine", "first name", "not known", "2"), ("b", "Bob", "masculine", "pronouns", "man", "4"),
    ]  # fmt: skip
    path = tmp_path / "actors.tsv"
    write_text(path, "\n".join("\t".join(row) for row in (ERROR_COLUMNS, *rows)) + "\n")
    women, men = count_actor_errors(path)
    assert [women[name] for name in ("read", "found", "woman", "no_person", "not_known", "right_percent")] == [
        3, 4, 1, 1, 1, 50
    ]  # fmt: skip
    assert (men["read"], men["right_percent"]) == (1, 100)
    assert (women["women_percent_found"], women["women_percent_true"]) == (50, 20)
