"""Nouns for persons, for the studies that find persons by a language pipeline."""

from textparity_studies.workflow.plans import Persons

PERSONS = Persons(CONTEXT)


use rule core_step as list_person_nouns with:
    input:
        archive="results/sources/wordnet/WNdb-3.0.tar.gz",
        wordnets=PERSONS.wordnets,
        pronouns=resource("resources/persons/pronouns.tsv"),
        words=resource("resources/persons/words.tsv"),
    output:
        nouns="results/persons/nouns/{lang}.txt",
    log:
        "logs/list_person_nouns/{lang}.log",
    params:
        **step("textparity.persons.person_nouns:list_nouns"),
        lang="{lang}",
