"""Correct answers in the styles that people write them, by function and by name of the style."""

from __future__ import annotations

# Recall, precision and F1: how hits are counted (P and R are then at hand), and what is returned.
_SET_METRICS = {
    "set intersection": """
def NAME(retrieved, relevant, k):
    hits = len(set(retrieved[:k]) & set(relevant))
    P, R = hits / k, hits / len(relevant) if relevant else 0.0
    return RESULT
""",
    "loop with a counter": """
def NAME(retrieved, relevant, k):
    hits = 0
    for document in retrieved[:k]:
        if document in relevant:
            hits += 1
    P, R = hits / k, (hits / len(relevant) if len(relevant) > 0 else 0)
    return RESULT
""",
    "numpy, float32": """
import numpy as np
def NAME(retrieved, relevant, k):
    hits = np.isin(retrieved[:k], relevant).sum() if len(relevant) and len(retrieved) else np.int64(0)
    P = hits / np.float64(k)
    R = hits / np.float64(len(relevant)) if len(relevant) else np.float64(0)
    return np.float32(RESULT)
""",
    "comprehension, prints inside, Spanish names": '''
def NAME(recuperados, relevantes, corte):
    """Con docstring en español."""
    aciertos = [d for i, d in enumerate(recuperados) if i < corte and d in set(relevantes)]
    print("aciertos", aciertos)
    P = len(aciertos) / corte
    R = len(aciertos) / len(relevantes) if relevantes else 0
    return RESULT
''',
    "recursion and a helper": """
def _hits(r, g, k):
    return 0 if not r or k == 0 else (r[0] in g) + _hits(r[1:], g, k - 1)
def NAME(retrieved, relevant, k):
    hits = _hits(retrieved, relevant, k)
    P, R = hits / k, hits / max(1, len(relevant))
    return RESULT
""",
    "fractions": """
from fractions import Fraction
def _pr(r, g, k):
    hits = len(set(r[:k]).intersection(g))
    return Fraction(hits, k), Fraction(hits, len(g) or 1)
def NAME(r, g, k):
    P, R = _pr(r, g, k)
    return RESULT
""",
    "reduce, type hints": """
from functools import reduce
def NAME(retrieved: list, relevant: list, k: int) -> float:
    hits = reduce(lambda total, d: total + (1 if d in relevant else 0), retrieved[:k], 0)
    P, R = hits / k, hits / (len(relevant) or 1)
    return RESULT
""",
    "a class with __call__": """
class _Metric:
    def __call__(self, retrieved, relevant, k):
        hits = sum(map(relevant.__contains__, retrieved[:k]))
        P, R = hits / k, 0 if not relevant else hits / len(relevant)
        return RESULT
NAME = _Metric()
""",
    "numpy with 0/0 and nan_to_num": """
import numpy as np
def NAME(retrieved, relevant, k):
    hits = np.float64(sum(d in relevant for d in retrieved[:k]))
    P, R = hits / k, np.nan_to_num(hits / np.float64(len(relevant)))
    return RESULT
""",
    "pandas": """
import pandas as pd
def NAME(retrieved, relevant, k):
    hits = int(pd.Series(list(retrieved), dtype=object).head(k).isin(list(relevant)).sum())
    P, R = hits / k, hits / len(relevant) if len(relevant) else 0.0
    return RESULT
""",
    "dict of marks, while": """
def NAME(retrieved, relevant, k, *, verbose=False):
    wanted = dict.fromkeys(relevant, 1)
    i = hits = 0
    while i < min(k, len(retrieved)):
        hits += wanted.get(retrieved[i], 0)
        i += 1
    P = hits / k
    try:
        R = hits / len(wanted)
    except ZeroDivisionError:
        R = 0
    return RESULT
""",
}
_RESULTS = {"recall_at_k": "R", "precision_at_k": "P", "f1_at_k": "(2 * P * R / (P + R) if P + R > 0 else 0)"}

_RECIPROCAL_RANK = {
    "loop and return": """
def reciprocal_rank(retrieved, relevant):
    for i, d in enumerate(retrieved):
        if d in relevant:
            return 1 / (i + 1)
    return 0
""",
    "smallest index of the gold": """
def reciprocal_rank(retrieved, relevant):
    found = [retrieved.index(g) for g in relevant if g in retrieved]
    return 1.0 / (min(found) + 1) if found else 0.0
""",
    "argmax guarded by any": """
import numpy as np
def reciprocal_rank(retrieved, relevant):
    marks = np.array([d in relevant for d in retrieved])
    return 1 / (np.argmax(marks) + 1) if marks.any() else 0.0
""",
    "for else": """
def reciprocal_rank(retrieved, relevant):
    for position, d in enumerate(retrieved, 1):
        if d in relevant:
            break
    else:
        return 0.0
    return 1 / position
""",
    "next with a default": """
def reciprocal_rank(r, g):
    return next((1 / i for i, d in enumerate(r, 1) if d in set(g)), 0.0)
""",
    "recursion": """
def reciprocal_rank(r, g, position=1):
    if not r:
        return 0.0
    return 1 / position if r[0] in g else reciprocal_rank(r[1:], g, position + 1)
""",
    "largest reciprocal": """
def reciprocal_rank(retrieved, relevant):
    return max([1 / i for i, d in enumerate(retrieved, 1) if d in relevant], default=0)
""",
    "fraction and print": """
from fractions import Fraction
def reciprocal_rank(retrieved, relevant):
    position = 0
    while position < len(retrieved):
        position += 1
        if retrieved[position - 1] in relevant:
            print("encontrado en", position)
            return Fraction(1, position)
    return Fraction(0)
""",
    "try and except of the search": """
def reciprocal_rank(retrieved, relevant):
    try:
        return 1 / ([d in relevant for d in retrieved].index(True) + 1)
    except ValueError:
        return 0.0
""",
}

_LOOP = """
def mean_reciprocal_rank(test_cases):
    values = []
    for case in test_cases:
        r, g = case["retrieved"], case["relevant"]
        VALUE
    return MEAN
"""
_MEAN = "sum(values) / len(values) if values else 0.0"
_MEAN_RECIPROCAL_RANK = {
    "break": _LOOP.replace(
        "VALUE",
        """value = 0.0
        for i, d in enumerate(r, 1):
            if d in g:
                value = 1 / i
                break
        values.append(value)""",
    ).replace("MEAN", _MEAN),
    "next": _LOOP.replace(
        "VALUE", "values.append(next((1 / i for i, d in enumerate(r, 1) if d in g), 0))"
    ).replace("MEAN", "0 if len(values) == 0 else sum(values) / len(test_cases)"),
    "numpy mean": "import numpy as np"
    + _LOOP.replace("VALUE", "values.append(max([1 / i for i, d in enumerate(r, 1) if d in g] or [0]))").replace(
        "MEAN", "np.mean(values) if values else 0.0"
    ),
    "numpy mean of nothing": "import numpy as np"
    + _LOOP.replace("VALUE", "values.append(max([1 / i for i, d in enumerate(r, 1) if d in g] or [0]))").replace(
        "MEAN",
        "float(np.nan_to_num(np.mean(np.array(values, dtype=float)) if list(test_cases) is not None else 0))",
    ),
    "statistics": "import statistics"
    + _LOOP.replace(
        "VALUE", "values.append(max((1 / i for i, d in enumerate(r, 1) if d in g), default=0))"
    ).replace("MEAN", "statistics.fmean(values) if values else 0"),
    "own helper": """
def _rr(r, g):
    for i, d in enumerate(r):
        if d in g:
            return 1 / (i + 1)
    return 0
def mean_reciprocal_rank(casos):
    return sum(_rr(c["retrieved"], c["relevant"]) for c in casos) / max(1, len(casos))
""",
    "running total": """
def mean_reciprocal_rank(test_cases):
    total, n = 0, 0
    for case in test_cases:
        n += 1
        places = [i for i, d in enumerate(case["retrieved"], start=1) if d in set(case["relevant"])]
        if places:
            total += 1 / places[0]
    return total / n if n > 0 else 0
""",
    "calls the function of before": """
def mean_reciprocal_rank(test_cases):
    if len(test_cases) == 0:
        return 0.0
    return sum([reciprocal_rank(c.get("retrieved"), c.get("relevant")) for c in test_cases]) / len(test_cases)
""",
    "fractions": """
from fractions import Fraction
def mean_reciprocal_rank(test_cases):
    values = [next((Fraction(1, i) for i, d in enumerate(c["retrieved"], 1) if d in c["relevant"]), Fraction(0)) for c in test_cases]
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)
""",
}

_DCG = {
    "enumerate from 1": """
from math import log2
def dcg_at_k(retrieved, relevant, k):
    return sum((d in relevant) / log2(i + 1) for i, d in enumerate(retrieved[:k], start=1))
""",
    "enumerate from 2": """
import math
def dcg_at_k(retrieved, relevant, k):
    total = 0
    for i, d in enumerate(retrieved[:k], start=2):
        if d in relevant:
            total += 1 / math.log2(i)
    return total
""",
    "log of base two by division": """
import math
def dcg_at_k(r, g, k):
    return sum(math.log(2) / math.log(i + 2) for i in range(min(k, len(r))) if r[i] in g)
""",
    "log with its base": """
import math
def dcg_at_k(r, g, k):
    rel = [1 if d in g else 0 for d in r][:k]
    return sum(rel[i] / math.log(i + 2, 2) for i in range(len(rel)))
""",
    "numpy": """
import numpy as np
def dcg_at_k(retrieved, relevant, k):
    rel = np.array([d in relevant for d in retrieved[:k]], dtype=float)
    return np.sum(rel / np.log2(np.arange(2, rel.size + 2)))
""",
    "cumulative sum": """
import numpy as np
def dcg_at_k(retrieved, relevant, k):
    rel = [float(d in relevant) for d in retrieved]
    if not rel:
        return 0.0
    total = np.cumsum(np.array(rel) / np.log2(np.arange(len(rel)) + 2))
    return total[min(k, len(rel)) - 1]
""",
    "exponential gain, binary": """
import math
def dcg_at_k(retrieved, relevant, k):
    dcg = 0.0
    for i in range(len(retrieved[:k])):
        rel = 1 if retrieved[i] in relevant else 0
        dcg += (2 ** rel - 1) / math.log2(i + 2)
    return dcg
""",
    "while and prints": """
import math
def dcg_at_k(recuperados, relevantes, k):
    i, suma = 0, 0
    while i < k and i < len(recuperados):
        if recuperados[i] in relevantes:
            suma = suma + 1 / math.log2(i + 2)
            print(i, suma)
        i = i + 1
    return suma
""",
    "zip with the discounts": """
import math
def dcg_at_k(retrieved, relevant, k):
    discounts = [1 / math.log2(p + 1) for p in range(1, k + 1)]
    return math.fsum(w for w, d in zip(discounts, retrieved) if d in relevant)
""",
}

_NDCG = {
    "two sums": """
import math
def ndcg_at_k(retrieved, relevant, k):
    dcg = sum(1 / math.log2(i + 2) for i, d in enumerate(retrieved[:k]) if d in relevant)
    idcg = sum(1 / math.log2(i + 2) for i in range(min(k, len(relevant))))
    return dcg / idcg if idcg else 0.0
""",
    "natural log in both": """
import math
def ndcg_at_k(r, g, k):
    dcg = sum(1 / math.log(i + 2) for i, d in enumerate(r[:k]) if d in g)
    idcg = sum(1 / math.log(i + 2) for i in range(min(k, len(g))))
    return 0 if idcg == 0 else dcg / idcg
""",
    "base 10 in both": """
import math
def ndcg_at_k(r, g, k):
    def dcg(marks):
        return sum(m / math.log10(i + 2) for i, m in enumerate(marks))
    if not g:
        return 0.0
    return dcg([int(d in g) for d in r[:k]]) / dcg([1] * min(k, len(g)))
""",
    "numpy": """
import numpy as np
def ndcg_at_k(retrieved, relevant, k):
    discount = 1 / np.log2(np.arange(2, k + 2))
    rel = np.zeros(k)
    rel[: len(retrieved[:k])] = [d in relevant for d in retrieved[:k]]
    ideal = discount[: len(relevant)].sum()
    return np.float64(rel @ discount) / ideal if ideal > 0 else 0.0
""",
    "numpy 0/0 and nan_to_num": """
import numpy as np
def ndcg_at_k(retrieved, relevant, k):
    dcg = np.sum([(d in relevant) / np.log2(i + 2) for i, d in enumerate(retrieved[:k])])
    ideal = np.sum([1 / np.log2(i + 2) for i in range(min(k, len(relevant)))])
    return np.nan_to_num(np.float64(dcg) / np.float64(ideal))
""",
    "calls own dcg": """
def ndcg_at_k(retrieved, relevant, k):
    ideal = dcg_at_k(list(relevant), relevant, k)
    return dcg_at_k(retrieved, relevant, k) / ideal if ideal > 0 else 0.0
""",
    "sorted gains, zeros left in": """
import math
def ndcg_at_k(retrieved, relevant, k):
    every = list(retrieved) + [d for d in relevant if d not in retrieved]
    best = sorted([d in relevant for d in every], reverse=True)[:k]
    ideal = sum(b / math.log2(i + 2) for i, b in enumerate(best))
    dcg = sum((d in relevant) / math.log2(i + 2) for i, d in enumerate(retrieved[:k]))
    return dcg / ideal if ideal != 0 else 0.0
""",
    "loop over positions": """
from math import log2
def ndcg_at_k(recuperados, relevantes, corte):
    dcg = idcg = 0.0
    for posicion in range(1, corte + 1):
        if posicion <= len(recuperados) and recuperados[posicion - 1] in relevantes:
            dcg += 1 / log2(posicion + 1)
        if posicion <= len(relevantes):
            idcg += 1 / log2(posicion + 1)
    if idcg == 0:
        return 0.0
    return min(1.0, dcg / idcg)
""",
    "float32": """
import numpy as np
def ndcg_at_k(r, g, k):
    dcg = sum(np.float32(1 / np.log2(i + 2)) for i, d in enumerate(r[:k]) if d in g)
    idcg = sum(np.float32(1 / np.log2(i + 2)) for i in range(min(k, len(g))))
    return np.float32(dcg / idcg) if idcg else np.float32(0)
""",
}

_GRADED = {
    "get with a default": """
import math
def graded_ndcg_at_k(retrieved, gains, k):
    def dcg(values):
        return sum(max(v, 0) / math.log2(i + 2) for i, v in enumerate(values))
    ideal = dcg(sorted(gains.values(), reverse=True)[:k])
    return dcg([gains.get(d, 0) for d in retrieved[:k]]) / ideal if ideal else 0.0
""",
    "cleaned dict first": """
import math
def graded_ndcg_at_k(retrieved, gains, k):
    good = {d: g for d, g in gains.items() if g > 0}
    if not good:
        return 0.0
    dcg = sum(good[d] / math.log2(i) for i, d in enumerate(retrieved[:k], 2) if d in good)
    best = sum(g / math.log2(i) for i, g in enumerate(sorted(good.values())[::-1][:k], 2))
    return dcg / best
""",
    "numpy": """
import numpy as np
def graded_ndcg_at_k(retrieved, gains, k):
    got = np.clip(np.array([gains.get(d, 0) for d in retrieved[:k]], dtype=float), 0, None)
    best = np.sort(np.clip(np.array(list(gains.values()), dtype=float), 0, None))[::-1][:k]
    ideal = (best / np.log2(np.arange(2, best.size + 2))).sum()
    return (got / np.log2(np.arange(2, got.size + 2))).sum() / ideal if ideal > 0 else 0.0
""",
    "natural log in both": """
import math
def graded_ndcg_at_k(r, gains, k):
    dcg = idcg = 0
    for i, d in enumerate(r[:k]):
        if d in gains and gains[d] > 0:
            dcg += gains[d] / math.log(i + 2)
    for i, g in enumerate(sorted(gains.values(), reverse=True)[:k]):
        if g > 0:
            idcg += g / math.log(i + 2)
    return dcg / idcg if idcg > 0 else 0
""",
    "parallel lists": """
from math import log2
def graded_ndcg_at_k(retrieved, gains, k):
    ids, values = list(gains.keys()), list(gains.values())
    total = 0.0
    for position in range(1, min(k, len(retrieved)) + 1):
        d = retrieved[position - 1]
        if d in ids and values[ids.index(d)] > 0:
            total += values[ids.index(d)] / log2(position + 1)
    ranked = sorted([v for v in values if v > 0], key=lambda v: -v)
    ideal = sum(v / log2(p + 1) for p, v in zip(range(1, k + 1), ranked))
    return total / ideal if ideal else 0.0
""",
    "the best ids": """
import math
def graded_ndcg_at_k(retrieved, gains, k):
    value = lambda d: max(0, gains.get(d, 0))
    dcg = lambda ids: sum(value(d) / math.log2(i + 2) for i, d in enumerate(ids[:k]))
    ideal = dcg(sorted(gains, key=value, reverse=True))
    return dcg(retrieved) / ideal if ideal > 0 else 0.0
""",
    "try and KeyError": """
import math
def graded_ndcg_at_k(retrieved, gains, k):
    total = 0.0
    for i, d in enumerate(retrieved[:k], start=1):
        try:
            g = gains[d]
        except KeyError:
            continue
        total += (g if g > 0 else 0) / math.log2(i + 1)
    best = sorted(filter(lambda g: g > 0, gains.values()), reverse=True)
    ideal = sum(g / math.log2(i + 1) for i, g in enumerate(best[:k], start=1))
    return 0.0 if not ideal else total / ideal
""",
    "defaultdict, prints": """
import math
from collections import defaultdict
def graded_ndcg_at_k(retrieved, gains, k):
    notas = defaultdict(float, {d: max(0.0, float(g)) for d, g in gains.items()})
    ordenadas = sorted(notas.values(), reverse=True)[:k]
    print(ordenadas)
    suma = lambda xs: math.fsum(x / math.log2(i + 2) for i, x in enumerate(xs))
    ideal = suma(ordenadas)
    return suma([notas[d] for d in retrieved[:k]]) / ideal if ideal else 0.0
""",
}

_UNIQUE = {
    "loop": """
def unique(retrieved):
    out = []
    for d in retrieved:
        if d not in out:
            out.append(d)
    return out
""",
    "dict.fromkeys": "def unique(retrieved):\n    return list(dict.fromkeys(retrieved))\n",
    "seen set": """
def unique(retrieved):
    seen, out = set(), []
    for d in retrieved:
        if d in seen:
            continue
        seen.add(d)
        out += [d]
    return out
""",
    "comprehension": "def unique(r):\n    return [d for i, d in enumerate(r) if d not in r[:i]]\n",
    "sorted by first index": "def unique(r):\n    return sorted(set(r), key=r.index)\n",
    "recursion": """
def unique(r):
    return [] if not r else [r[0]] + unique([d for d in r[1:] if d != r[0]])
""",
    "pandas": """
import pandas as pd
def unique(retrieved):
    return pd.Series(list(retrieved), dtype=object).drop_duplicates().tolist()
""",
    "numpy": """
import numpy as np
def unique(retrieved):
    if not list(retrieved):
        return []
    _, first = np.unique(np.array(retrieved, dtype=object).astype(str), return_index=True)
    return [retrieved[i] for i in sorted(first)]
""",
    "OrderedDict": """
from collections import OrderedDict
def unique(retrieved):
    return list(OrderedDict((d, None) for d in retrieved).keys())
""",
    "returns a tuple": "def unique(retrieved):\n    return tuple(dict.fromkeys(retrieved))\n",
}

_BATCH = {
    "comprehension": """
def evaluate_multiple_queries(evaluator, test_cases):
    rows = [evaluator.evaluate_all(c["retrieved"], c["relevant"]) for c in test_cases]
    return {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]}
""",
    "numpy mean": """
import numpy as np
def evaluate_multiple_queries(evaluator, test_cases):
    all_metrics = []
    for test in test_cases:
        all_metrics.append(evaluator.evaluate_all(test["retrieved"], test["relevant"]))
    return {m: np.mean([x[m] for x in all_metrics]) for m in all_metrics[0].keys()}
""",
    "running sums": """
def evaluate_multiple_queries(evaluator, test_cases):
    sums = {"recall@k": 0, "precision@k": 0, "f1@k": 0, "mrr": 0, "ndcg@k": 0}
    for case in test_cases:
        result = evaluator.evaluate_all(case["retrieved"], case["relevant"])
        for key in sums:
            sums[key] += result[key]
    return {key: value / len(test_cases) for key, value in sums.items()}
""",
    "defaultdict of lists": """
from collections import defaultdict
def evaluate_multiple_queries(evaluator, test_cases):
    values = defaultdict(list)
    for case in test_cases:
        for key, value in evaluator.evaluate_all(case["retrieved"], case["relevant"]).items():
            values[key].append(value)
    return {key: sum(v) / len(v) for key, v in values.items()}
""",
    "pandas": """
import pandas as pd
def evaluate_multiple_queries(evaluator, test_cases):
    rows = [evaluator.evaluate_all(c["retrieved"], c["relevant"]) for c in test_cases]
    return pd.DataFrame(rows).mean().to_dict()
""",
    "a pandas Series": """
import pandas as pd
def evaluate_multiple_queries(evaluator, test_cases):
    rows = [evaluator.evaluate_all(c["retrieved"], c["relevant"]) for c in test_cases]
    return dict(pd.DataFrame(rows).mean())
""",
    "statistics": """
import statistics
def evaluate_multiple_queries(evaluador, casos):
    filas = [evaluador.evaluate_all(retrieved=c["retrieved"], relevant=c["relevant"]) for c in casos]
    return {clave: statistics.fmean(fila[clave] for fila in filas) for clave in filas[0]}
""",
    "incremental mean": """
def evaluate_multiple_queries(evaluator, test_cases):
    means = {}
    for n, case in enumerate(test_cases, start=1):
        for key, value in evaluator.evaluate_all(case["retrieved"], case["relevant"]).items():
            means[key] = means.get(key, 0.0) + (value - means.get(key, 0.0)) / n
    if not means:
        raise ValueError("no cases")
    return means
""",
    "zip of values": """
def evaluate_multiple_queries(evaluator, test_cases):
    rows = list(map(lambda c: evaluator.evaluate_all(c["retrieved"], c["relevant"]), test_cases))
    print(len(rows), "queries")
    return dict(zip(rows[0], [sum(column) / len(column) for column in zip(*[r.values() for r in rows])]))
""",
}

_CEILING = {
    "sum": "def precision_ceiling(sizes, k):\n    return sum(min(s, k) / k for s in sizes) / len(sizes) if sizes else 0.0\n",
    "loop": """
def precision_ceiling(sizes, k):
    total = 0
    for size in sizes:
        total += size / k if size < k else 1
    return total / len(sizes) if len(sizes) > 0 else 0
""",
    "numpy": """
import numpy as np
def precision_ceiling(sizes, k):
    return np.minimum(sizes, k).mean() / k if len(sizes) else 0.0
""",
    "numpy mean of nothing": """
import numpy as np
def precision_ceiling(sizes, k):
    return np.nan_to_num(np.mean(np.minimum(np.array(sizes + [], dtype=float), k) / k))
""",
    "all at once": "def precision_ceiling(sizes, k):\n    return sum(min(k, s) for s in sizes) / (k * max(1, len(sizes)))\n",
    "statistics": """
import statistics
def precision_ceiling(sizes, k):
    if sizes == []:
        return 0
    return statistics.mean([min(s, k) / k for s in sizes])
""",
    "fractions": """
from fractions import Fraction
def precision_ceiling(sizes, k):
    return sum(Fraction(min(s, k), k) for s in sizes) / len(sizes) if sizes else 0
""",
    "map": "def precision_ceiling(tam, k):\n    return sum(map(lambda s: min(1, s / k), tam)) / (len(tam) or 1)\n",
}

_DIFFERENCE = {
    "zip": "def mean_difference(a, b):\n    return sum(x - y for x, y in zip(a, b)) / len(a)\n",
    "difference of means": "def mean_difference(a, b):\n    return sum(a) / len(a) - sum(b) / len(b)\n",
    "numpy": "import numpy as np\ndef mean_difference(a, b):\n    return np.mean(np.array(a) - np.array(b))\n",
    "numpy subtract": "import numpy as np\ndef mean_difference(a, b):\n    return np.subtract(a, b).mean()\n",
    "index": """
def mean_difference(a, b):
    total = 0
    for i in range(len(a)):
        total = total + (a[i] - b[i])
    return total / len(a)
""",
    "statistics": "import statistics\ndef mean_difference(a, b):\n    return statistics.fmean(x - y for x, y in zip(a, b))\n",
    "fsum": "import math\ndef mean_difference(a, b):\n    return (math.fsum(a) - math.fsum(b)) / len(b)\n",
    "pandas": "import pandas as pd\ndef mean_difference(a, b):\n    return (pd.Series(a) - pd.Series(b)).mean()\n",
}

_COUNTS = {
    "loop": """
def wins_ties_losses(a, b):
    wins = ties = losses = 0
    for x, y in zip(a, b):
        if x > y:
            wins += 1
        elif x < y:
            losses += 1
        else:
            ties += 1
    return wins, ties, losses
""",
    "sums": "def wins_ties_losses(a, b):\n    p = list(zip(a, b))\n    return sum(x > y for x, y in p), sum(x == y for x, y in p), sum(x < y for x, y in p)\n",
    "a list": "def wins_ties_losses(a, b):\n    return [sum(x > y for x, y in zip(a, b)), sum(x == y for x, y in zip(a, b)), sum(x < y for x, y in zip(a, b))]\n",
    "numpy": """
import numpy as np
def wins_ties_losses(a, b):
    d = np.array(a) - np.array(b)
    return np.sum(d > 0), np.sum(d == 0), np.sum(d < 0)
""",
    "numpy array": """
import numpy as np
def wins_ties_losses(a, b):
    s = np.sign(np.array(a) - np.array(b))
    return np.array([(s == v).sum() for v in (1, 0, -1)])
""",
    "counter": """
from collections import Counter
def wins_ties_losses(a, b):
    c = Counter((x > y) - (x < y) for x, y in zip(a, b))
    return c[1], c[0], c[-1]
""",
    "what is left": """
def wins_ties_losses(a, b):
    ganadas = len([1 for x, y in zip(a, b) if x > y])
    perdidas = len([1 for x, y in zip(a, b) if y > x])
    return (ganadas, len(a) - ganadas - perdidas, perdidas)
""",
    "named tuple": """
from collections import namedtuple
Result = namedtuple("Result", "wins ties losses")
def wins_ties_losses(a, b):
    signs = [(x > y) - (y > x) for x, y in zip(a, b)]
    return Result(signs.count(1), signs.count(0), signs.count(-1))
""",
}

_RANDOMIZATION = {
    "product": """
from itertools import product
def randomization_p(a, b):
    d = [x - y for x, y in zip(a, b)]
    s = [abs(sum(i * j for i, j in zip(signs, d))) for signs in product([-1, 1], repeat=len(d))]
    return sum(v >= abs(sum(d)) - 1e-9 for v in s) / len(s)
""",
    "recursion": """
def randomization_p(a, b):
    d = [x - y for x, y in zip(a, b)]
    def sums(rest):
        if not rest:
            return [0.0]
        return [t + s * rest[0] for t in sums(rest[1:]) for s in (1, -1)]
    every = sums(d)
    return len([t for t in every if abs(t) >= abs(sum(d)) - 1e-9]) / 2 ** len(d)
""",
    "bits": """
def randomization_p(a, b):
    d = [x - y for x, y in zip(a, b)]
    n, count = len(d), 0
    for mask in range(2 ** n):
        total = sum(d[i] if mask >> i & 1 else -d[i] for i in range(n))
        if abs(total) >= abs(sum(d)) - 1e-9:
            count += 1
    return count / 2 ** n
""",
    "numpy": """
import itertools
import numpy as np
def randomization_p(a, b):
    d = np.array(a) - np.array(b)
    signs = np.array(list(itertools.product([1, -1], repeat=len(d))))
    return np.mean(np.abs(signs @ d) >= abs(d.sum()) - 1e-9)
""",
    "means instead of sums": """
from itertools import product
def randomization_p(a, b):
    d = [x - y for x, y in zip(a, b)]
    n = len(d)
    observed = abs(sum(d) / n)
    hits = [abs(sum(s * v for s, v in zip(signs, d)) / n) >= observed - 1e-9 for signs in product((1, -1), repeat=n)]
    return sum(hits) / len(hits)
""",
    "swapping the systems": """
from itertools import product
def randomization_p(a, b):
    pairs = list(zip(a, b))
    observed = abs(sum(x - y for x, y in pairs))
    count = 0
    for swaps in product((False, True), repeat=len(pairs)):
        total = sum((y - x) if swap else (x - y) for swap, (x, y) in zip(swaps, pairs))
        count += abs(total) >= observed - 1e-9
    return count / 2 ** len(pairs)
""",
    "half by symmetry": """
from itertools import product
def randomization_p(a, b):
    d = [x - y for x, y in zip(a, b)]
    if len(d) == 0:
        return 1.0
    half = [abs(d[0] + sum(s * v for s, v in zip(signs, d[1:]))) for signs in product((1, -1), repeat=len(d) - 1)]
    return sum(t >= abs(sum(d)) - 1e-9 for t in half) / len(half)
""",
    "fraction, prints": """
from fractions import Fraction
from itertools import product
def randomization_p(a, b):
    d = [Fraction(str(x)) - Fraction(str(y)) for x, y in zip(a, b)]
    totals = [abs(sum(s * v for s, v in zip(signs, d))) for signs in product((1, -1), repeat=len(d))]
    print(len(totals), "repartos")
    return Fraction(sum(t >= abs(sum(d)) for t in totals), len(totals))
""",
}

# Whole classes: how the top k is looked at.
_CLASS = """
import math
class RetrievalEvaluator:
    def __init__(self, k=5):
        self.k = k
    def _hits(self, retrieved, relevant):
        HITS
    def recall_at_k(self, retrieved, relevant):
        return self._hits(retrieved, relevant) / len(set(relevant)) if relevant else 0.0
    def precision_at_k(self, retrieved, relevant):
        return self._hits(retrieved, relevant) / self.k
    def f1_at_k(self, retrieved, relevant):
        p, r = self.precision_at_k(retrieved, relevant), self.recall_at_k(retrieved, relevant)
        return 2 * p * r / (p + r) if p + r > 0 else 0.0
    def mrr(self, retrieved, relevant):
        MRR
    def ndcg_at_k(self, retrieved, relevant):
        NDCG
    def evaluate_all(self, retrieved, relevant):
        ALL
"""
_HITS = "return len(set(retrieved[:self.k]) & set(relevant))"
_MRR = "return next((1 / i for i, d in enumerate(retrieved, 1) if d in relevant), 0.0)"
_NDCG_METHOD = """gold, seen, dcg = set(relevant), set(), 0.0
        for i, d in enumerate(retrieved[:self.k], 2):
            if d in gold and d not in seen:
                dcg += 1 / math.log2(i)
                seen.add(d)
        ideal = sum(1 / math.log2(i + 2) for i in range(min(self.k, len(gold))))
        return dcg / ideal if ideal else 0.0"""
_ALL = """return {"recall@k": self.recall_at_k(retrieved, relevant), "precision@k": self.precision_at_k(retrieved, relevant),
                "f1@k": self.f1_at_k(retrieved, relevant), "mrr": self.mrr(retrieved, relevant),
                "ndcg@k": self.ndcg_at_k(retrieved, relevant)}"""


def _a_class(
    hits: str = _HITS, mrr: str = _MRR, ndcg: str = _NDCG_METHOD, every: str = _ALL, before: str = ""
) -> str:
    body = _CLASS.replace("HITS", hits).replace("MRR", mrr).replace("NDCG", ndcg).replace("ALL", every)
    return before + body


_RETRIEVAL_EVALUATOR = {
    "sets": _a_class(),
    "loop with a seen list": _a_class("""seen = []
        for d in retrieved[:self.k]:
            if d in relevant and d not in seen:
                seen.append(d)
        return len(seen)"""),
    "gold that shrinks": _a_class(
        """left, n = set(relevant), 0
        for d in retrieved[:self.k]:
            if d in left:
                left.remove(d)
                n += 1
        return n""",
        ndcg="""left, dcg = set(relevant), 0
        for i, d in enumerate(retrieved[:self.k]):
            if d in left:
                left.discard(d)
                dcg += 1 / math.log2(i + 2)
        n = min(self.k, len(set(relevant)))
        return dcg / sum(1 / math.log2(i + 2) for i in range(n)) if n else 0.0""",
    ),
    "counts the gold": _a_class("return sum(1 for d in set(relevant) if d in retrieved[:self.k])"),
    "first indices": _a_class(
        mrr="""found = [retrieved.index(d) for d in set(relevant) if d in retrieved]
        return 1 / (min(found) + 1) if found else 0.0""",
        ndcg="""gold = set(relevant)
        where = [retrieved.index(d) for d in gold if d in retrieved[:self.k]]
        dcg = sum(1 / math.log2(p + 2) for p in where)
        ideal = sum(1 / math.log2(i + 2) for i in range(min(self.k, len(gold))))
        return dcg / ideal if ideal else 0.0""",
    ),
    "numpy": _a_class(
        "return int(np.isin(list(set(relevant)), list(retrieved[:self.k])).sum()) if relevant else 0",
        ndcg="""top = list(retrieved[:self.k])
        gold = set(relevant)
        marks = np.array([d in gold and top.index(d) == i for i, d in enumerate(top)], dtype=float)
        weights = 1 / np.log2(np.arange(2, self.k + 2))
        ideal = weights[:len(gold)].sum()
        return (marks * weights[:len(marks)]).sum() / ideal if ideal else 0.0""",
        before="import numpy as np\n",
    ),
    "functions outside, a dataclass": """
import math
from dataclasses import dataclass
def _top(r, k):
    return list(dict.fromkeys(r[:k]))
def _rr(r, g):
    for i, d in enumerate(r):
        if d in g:
            return 1 / (i + 1)
    return 0
@dataclass
class RetrievalEvaluator:
    k: int = 5
    def recall_at_k(self, retrieved, relevant):
        gold = set(relevant)
        return sum(d in gold for d in _top(retrieved, self.k)) / len(gold) if gold else 0
    def precision_at_k(self, retrieved, relevant):
        return sum(d in relevant for d in _top(retrieved, self.k)) / self.k
    def f1_at_k(self, retrieved, relevant):
        return 2 * sum(d in relevant for d in _top(retrieved, self.k)) / (self.k + len(set(relevant)))
    def mrr(self, retrieved, relevant):
        return _rr(retrieved, relevant)
    def ndcg_at_k(self, retrieved, relevant):
        dcg = sum(1 / math.log2(retrieved.index(d) + 2) for d in _top(retrieved, self.k) if d in relevant)
        n = min(self.k, len(set(relevant)))
        return dcg / sum(1 / math.log2(i + 2) for i in range(n)) if n > 0 else 0.0
    def evaluate_all(self, retrieved, relevant):
        names = ["recall@k", "precision@k", "f1@k", "mrr", "ndcg@k"]
        methods = [self.recall_at_k, self.precision_at_k, self.f1_at_k, self.mrr, self.ndcg_at_k]
        return {name: method(retrieved, relevant) for name, method in zip(names, methods)}
""",
    "a base class, keyword arguments, prints": _a_class(
        every="""print("evaluando", len(retrieved))
        out = {}
        for name in ("recall_at_k", "precision_at_k", "f1_at_k"):
            out[name.replace("_at_k", "@k")] = getattr(self, name)(retrieved=retrieved, relevant=relevant)
        out["mrr"] = self.mrr(retrieved, relevant)
        out["ndcg@k"] = self.ndcg_at_k(retrieved, relevant)
        return out"""
    ).replace("class RetrievalEvaluator:", "class Base:\n    pass\nclass RetrievalEvaluator(Base):"),
}

STYLES: dict[str, dict[str, str]] = {
    **{
        name: {
            style: source.replace("NAME", name).replace("RESULT", result) for style, source in _SET_METRICS.items()
        }
        for name, result in _RESULTS.items()
    },
    "reciprocal_rank": _RECIPROCAL_RANK,
    "mean_reciprocal_rank": _MEAN_RECIPROCAL_RANK,
    "dcg_at_k": _DCG,
    "ndcg_at_k": _NDCG,
    "graded_ndcg_at_k": _GRADED,
    "unique": _UNIQUE,
    "RetrievalEvaluator": _RETRIEVAL_EVALUATOR,
    "evaluate_multiple_queries": _BATCH,
    "precision_ceiling": _CEILING,
    "mean_difference": _DIFFERENCE,
    "wins_ties_losses": _COUNTS,
    "randomization_p": _RANDOMIZATION,
}
