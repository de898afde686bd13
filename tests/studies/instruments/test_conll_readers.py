"""Readers of the column formats, on tiny texts."""


def conllu(*rows):
    lines = ["# newdoc id = one", "# meta::genre = news"]
    for number, (form, tag, misc) in enumerate(rows, start=1):
        lines.append("\t".join([str(number), form, "_", tag, "_", "_", "0", "_", "_", misc]))
    return "\n".join(lines) + "\n"


def test_gum_gives_a_chain_the_gender_of_its_pronouns(read, shown):
    rows = [
        ("Kim", "PROPN", "Entity=(1-person-new-1)"), ("saw", "VERB", "_"), ("the", "DET", "Entity=(2-place-new-2"),
        ("town", "NOUN", "Entity=2)"), ("he", "PRON", "Entity=(1-person-giv-1)"),
        ("you", "PRON", "Entity=(3-person-new-1)|SpaceAfter=No"), (".", "PUNCT", "_"),
    ]  # fmt: skip
    (text,) = read("gum", "one.conllu", conllu(*rows))
    assert (text.id, text.genre, text.text) == ("one", "news", "Kim saw the town he you. ")
    assert shown(text) == [("Kim", "name", "masculine"), ("he", "pronoun", "masculine")]


def test_openboek_has_the_gender_of_its_features(read, shown):
    coref = "\n".join(["#begin document (one);", "one\t0\t0\tJan\tSPEC[deeleigen]\t(1)", "one\t0\t1\tlacht\tWW\t-", ""])
    features = "filename\tsentno\tbegin\tend\tgender\tcategory\none\t0\t0\t1\tm\tname\n"
    (text,) = read("openboek", "coref/one.conll", coref, **{"features/one__tsv": features})
    assert shown(text) == [("Jan", "name", "masculine")]


def play(*sentences):
    """A play of GerDraCor: tokens of form, tag, number and chains."""
    lines = []
    for sentence in sentences:
        for place, (form, tag, number, chains) in enumerate(sentence):
            lines.append("\t".join(["a", "000", str(place), form, tag, "*", "-", number, "-", "-", chains]))
        lines.append("")
    return "\n".join(lines)


def test_gerdracor_takes_the_chains_that_speak_for_persons(read, shown):
    text = play(
        [("EMILIA", "NE", "sg", "(1"), (".", "$.", "-", "1)")],
        [
            ("Ich", "PPER", "sg", "(1)"),
            ("rief", "VVFIN", "sg", "-"),
            ("den", "ART", "sg", "(2"),
            ("Brief", "NN", "sg", "2)"),
        ],
        [("Er", "PPER", "sg", "(2)"), ("sah", "VVFIN", "sg", "-"), ("sie", "PPER", "sg", "(1)")],
        [("Rufen", "VVFIN", "pl", "-"), ("Sie", "PPER", "pl", "(1)"), ("sie", "PPER", "pl", "(1)")],
    )
    (piece,) = read("gerdracor", "Emilia.xml.conll", text, lang="deu")
    assert (piece.id, piece.unit, piece.genre) == ("Emilia/1", "Emilia", "play")
    # Without the full stop after the speaker, what is no person, and pronouns that address somebody.
    assert shown(piece) == [
        ("EMILIA", "name", "feminine"), ("sie", "pronoun", "feminine"), ("sie", "pronoun", "feminine"),
    ]  # fmt: skip


def test_a_group_that_speaks_of_itself_shows_no_woman_by_ihr(read, shown):
    text = play(
        [("wir", "PPER", "pl", "(1)"), ("und", "KON", "-", "-"), ("wir", "PPER", "pl", "(1)")],
        [("seid", "VAFIN", "pl", "-"), ("ihr", "PPER", "sg", "(1)"), ("Räuber", "NN", "pl", "(1)")],
    )
    (piece,) = read("gerdracor", "Räuber.conll", text, lang="deu")
    assert {gender for _, _, gender in shown(piece)} == {"unspecified"}
