"""The course on nbgrader: the commands lab, check and grade, and how hand-ins are graded."""
