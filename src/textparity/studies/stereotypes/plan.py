"""What the `stereotypes` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class StereotypesPlan(StudyPlan):
    """The plan of the `stereotypes` study."""


STUDY = Study("stereotypes", "Stereotypes (Soundararajan 2023)", StereotypesPlan)
