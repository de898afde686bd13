"""What the `swapping` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class SwappingPlan(StudyPlan):
    """The plan of the `swapping` study."""


STUDY = Study("swapping", "Swapping (Nahurna 2025)", SwappingPlan)
