"""Métricas de retrieval para RAG: qué tan bien tu sistema encuentra los documentos relevantes.

>>> import ragmetrics
>>> ragmetrics.recall_at_k(["d1", "d3", "d5"], relevant=["d3", "d7"], k=3)
0.5
"""

from ragmetrics.comparison import Comparison, compare
from ragmetrics.evaluation import Evaluation, evaluate, evaluate_arrays
from ragmetrics.evaluator import MeanMetrics, RetrievalEvaluator, evaluate_multiple_queries
from ragmetrics.files import read_qrels, read_run, read_test_cases, write_qrels, write_run, write_test_cases
from ragmetrics.metrics import (
    average_precision,
    dcg_at_k,
    f1_at_k,
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from ragmetrics.rankings import chunks_to_documents, ranking_from_scores, unique

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Evaluation",
    "MeanMetrics",
    "RetrievalEvaluator",
    "__version__",
    "average_precision",
    "chunks_to_documents",
    "compare",
    "dcg_at_k",
    "evaluate",
    "evaluate_arrays",
    "evaluate_multiple_queries",
    "f1_at_k",
    "hit_rate_at_k",
    "ndcg_at_k",
    "precision_at_k",
    "ranking_from_scores",
    "read_qrels",
    "read_run",
    "read_test_cases",
    "recall_at_k",
    "reciprocal_rank",
    "unique",
    "write_qrels",
    "write_run",
    "write_test_cases",
]
