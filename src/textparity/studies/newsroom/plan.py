"""What the `newsroom` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class NewsroomPlan(StudyPlan):
    """The plan of the `newsroom` study."""


STUDY = Study("newsroom", "Newsroom (Urchs 2025)", NewsroomPlan)
