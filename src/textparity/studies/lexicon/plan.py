"""What the `lexicon` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class LexiconPlan(StudyPlan):
    """The plan of the `lexicon` study."""


STUDY = Study("lexicon", "Lexicon (Muller 2023)", LexiconPlan)
