"""What the `lengths` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.files import require_rows
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class LengthsPlan(StudyPlan):
    """The plan of the `lengths` study: the languages of one corpus."""

    table = "results/lengths/tables/lengths.csv"

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.langs: list[str] = []
        if not context.is_on("lengths"):
            return
        corpus = self.config.lengths.corpus
        require_rows("lengths.corpus", [corpus], self.registry.corpora, self.registry.paths["corpora"])
        for lang in self.registry.select_languages(self.config.languages):
            if not self.registry.corpus_has(corpus, lang):
                continue
            reason = missing_file(self.registry.corpus_file(corpus, lang), self.config.mirror)
            if reason and self.config.skip_unavailable:
                self.not_run.append([corpus, lang, "", reason])
            else:
                self.langs.append(lang)
        self.targets.append(self.table)

    @property
    def texts(self) -> list[str]:
        """The texts of each language."""
        return [f"results/corpora/{self.config.lengths.corpus}/{lang}.parquet" for lang in self.langs]


STUDY = Study("lengths", "Lengths (Nobody 2026)", LengthsPlan)
