"""What the lessons show: figures with alternative text, quizzes, practice questions and the explorer."""

from ragmetrics.lessons.explorer import explorer
from ragmetrics.lessons.figures import show
from ragmetrics.lessons.practice import check
from ragmetrics.lessons.quiz import quiz

__all__ = ["check", "explorer", "quiz", "show"]
