"""The checks of the assignments: what a graded cell calls, and what it tells the student.

`cases` holds what is asked, `misconceptions` the catalogue of mistakes, `exercises` binds them to the
functions that students write, `answer` calls those, `diagnosis` names the mistake, `check` gives the points
and `report` shows them.
"""

from ragmetrics.feedback.cases import Case, Group, MustRaise
from ragmetrics.feedback.check import (
    CheckError,
    check_choice,
    check_cutoff,
    check_fraction,
    check_function,
    check_methods,
    check_option,
    check_range,
    check_value,
)

__all__ = [
    "Case",
    "CheckError",
    "Group",
    "MustRaise",
    "check_choice",
    "check_cutoff",
    "check_fraction",
    "check_function",
    "check_methods",
    "check_option",
    "check_range",
    "check_value",
]
