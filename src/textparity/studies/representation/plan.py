"""What the `representation` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class RepresentationPlan(StudyPlan):
    """The plan of the `representation` study."""


STUDY = Study("representation", "Representation (Derner 2025)", RepresentationPlan)
