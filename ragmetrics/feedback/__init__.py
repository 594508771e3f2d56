"""The checks of the assignments: what a graded cell calls, and what it tells the student."""

from ragmetrics.feedback.check import Case, CheckError, Group, check_fraction, check_function, check_value

__all__ = ["Case", "CheckError", "Group", "check_fraction", "check_function", "check_value"]
