"""Plan the `lengths` study: the languages whose sentences it measures, and those that it cannot measure here."""

from textparity.files import require_rows
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

# The languages of the paper.
LANGS = ("arb", "deu", "eng", "rus", "spa")


class LengthsPlan(StudyPlan):
    """Plan the `lengths` study: `langs` are measured in `corpus`."""

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.corpus = self.config.lengths.corpus
        self.langs: list[str] = []
        if not context.is_on("lengths"):
            return
        require_rows("lengths.corpus", [self.corpus], self.registry.corpora, self.registry.paths["corpora"])
        for lang in self.registry.select_languages(self.config.languages):
            if lang not in LANGS or not self.registry.corpus_has(self.corpus, lang):
                continue
            reason = missing_file(self.registry.corpus_file(self.corpus, lang), self.config.mirror)
            if reason and self.config.skip_unavailable:
                self.not_run.append([self.corpus, lang, "", reason])
            else:
                self.langs.append(lang)


STUDY = Study("lengths", "Lengths (Nobody 2026)", LengthsPlan)
