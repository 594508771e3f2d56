"""Métricas de una sola query: funciones puras que devuelven un float.

Convenciones comunes:

- `retrieved` va del mejor resultado al peor. Un id repetido cuenta una vez, en su primera posición; las
  demás posiciones no se mueven (`ragmetrics.unique` quita los repetidos antes).
- `relevant` es una colección de ids (relevancia binaria) o un dict id → ganancia (relevancia graduada). Una
  ganancia menor o igual que 0 significa "no relevante", como en trec_eval. Lo que falta no es relevante.
- Sin documentos relevantes, o sin resultados, el valor es 0.0.
- Ids que nunca pueden coincidir (unos `str`, otros `int`) son un TypeError y no un 0.0 silencioso.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

from ragmetrics._inputs import Ids, Relevant, as_cutoff, as_query, check_gain_name


def recall_at_k(retrieved: Ids, relevant: Relevant, k: int) -> float:
    """Qué parte de todos los documentos relevantes está entre los k primeros resultados.

    Fórmula: Recall@k = relevantes en el top-k / R, donde R es el total de relevantes.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran; un entero mayor o igual que 1.

    Returns:
        Un float entre 0 y 1. Su techo es min(k, R) / R: con R > k no puede llegar a 1.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: divide por todos los relevantes, también los no recuperados; si no hay ninguno, 0.0.

    Fuente: Manning, Raghavan y Schütze (2008), Introduction to Information Retrieval, cap. 8.

    >>> recall_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=5)
    0.6666666666666666
    """
    first, gains = _hits(retrieved, relevant, as_cutoff(k))
    return len(first) / len(gains) if gains else 0.0


def precision_at_k(retrieved: Ids, relevant: Relevant, k: int) -> float:
    """Qué parte de los k primeros resultados es relevante.

    Fórmula: Precision@k = relevantes en el top-k / k.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran; un entero mayor o igual que 1.

    Returns:
        Un float entre 0 y 1. Su techo es min(k, R) / k: con menos de k relevantes no puede llegar a 1.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: divide por k aunque lleguen menos de k resultados, como trec_eval (P_k).

    Fuente: Manning, Raghavan y Schütze (2008), Introduction to Information Retrieval, cap. 8.

    >>> precision_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=5)
    0.4
    """
    k = as_cutoff(k)
    first, _ = _hits(retrieved, relevant, k)
    return len(first) / k


def f1_at_k(retrieved: Ids, relevant: Relevant, k: int) -> float:
    """Media armónica de Precision@k y Recall@k: solo es alta si las dos lo son.

    Fórmula: F1@k = 2·P·R / (P + R), que es lo mismo que 2 · aciertos / (k + total de relevantes).

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran; un entero mayor o igual que 1.

    Returns:
        Un float entre 0 y 1; 0.0 si no hay ningún acierto.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: la precisión divide por k y el recall por todos los relevantes. Con varias queries se
    calcula por query y luego se promedia: la media de los F1 no es el F1 de las medias.

    Fuente: van Rijsbergen (1979), Information Retrieval, cap. 7; Manning et al. (2008), cap. 8.

    >>> f1_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=5)
    0.5
    """
    k = as_cutoff(k)
    first, gains = _hits(retrieved, relevant, k)
    return 2 * len(first) / (k + len(gains))


def hit_rate_at_k(retrieved: Ids, relevant: Relevant, k: int) -> float:
    """Si hay al menos un documento relevante entre los k primeros resultados.

    Fórmula: HitRate@k = 1 si hay algún relevante en el top-k; si no, 0.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran; un entero mayor o igual que 1.

    Returns:
        1.0 o 0.0. Promediado sobre queries es la proporción de queries con algún acierto.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: trec_eval la llama success_k; en recomendadores se llama hit rate.

    Fuente: Deshpande y Karypis (2004), Item-Based Top-N Recommendation Algorithms, ACM TOIS 22(1).

    >>> hit_rate_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=2)
    1.0
    """
    first, _ = _hits(retrieved, relevant, as_cutoff(k))
    return 1.0 if first else 0.0


def reciprocal_rank(retrieved: Ids, relevant: Relevant, k: int | None = None) -> float:
    """Lo arriba que aparece el primer documento relevante. Su media sobre queries es el MRR.

    Fórmula: RR = 1 / posición del primer relevante; 0 si no aparece ninguno.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran (RR@k); sin k se mira todo el ranking.

    Returns:
        Un float entre 0 y 1: 1.0 en la primera posición, 0.5 en la segunda, 0.333… en la tercera.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: sin corte salvo que des k, como recip_rank en trec_eval.

    Fuente: Voorhees (1999), The TREC-8 Question Answering Track Report.

    >>> reciprocal_rank([1, 3, 5, 7, 9], relevant=[3, 7, 12])
    0.5
    """
    first, _ = _hits(retrieved, relevant, None if k is None else as_cutoff(k))
    return 1 / next(iter(first.values())) if first else 0.0


def average_precision(retrieved: Ids, relevant: Relevant, k: int | None = None) -> float:
    """Media de la precisión en cada posición donde aparece un relevante. Su media sobre queries es el MAP.

    Fórmula: AP = (1 / R) · Σ Precision@i, sumando en las posiciones i con un relevante.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes, o dict id → ganancia (es relevante si la ganancia es mayor que 0).
        k: cuántos resultados se miran (AP@k); sin k se mira todo el ranking.

    Returns:
        Un float entre 0 y 1. Un relevante que no aparece suma 0.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1 o una ganancia no es finita.

    Convención: divide por R, todos los relevantes, también con k (como map_cut en trec_eval), y entonces
    su techo es min(k, R) / R. Otras bibliotecas dividen por min(k, R) y su techo es 1.

    Fuente: Buckley y Voorhees (2005), Retrieval System Evaluation; Manning et al. (2008), cap. 8.

    >>> average_precision(["a", "x", "b"], relevant=["a", "b"])
    0.8333333333333333
    """
    first, gains = _hits(retrieved, relevant, None if k is None else as_cutoff(k))
    precisions = (found / position for found, position in enumerate(first.values(), start=1))
    return sum(precisions) / len(gains) if gains else 0.0


def dcg_at_k(retrieved: Ids, relevant: Relevant, k: int, gain: str = "linear") -> float:
    """Ganancia acumulada con descuento: cada relevante suma su ganancia, menos cuanto más abajo está.

    Fórmula: DCG@k = Σ g_i / log2(i + 1), con i = 1…k. Con gain="exponential" suma 2^g_i - 1 en vez de g_i.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes (ganancia 1), o dict id → ganancia.
        k: cuántos resultados se miran; un entero mayor o igual que 1.
        gain: "linear" o "exponential"; con relevancia binaria dan lo mismo.

    Returns:
        Un float mayor o igual que 0, sin máximo fijo: para comparar queries usa `ndcg_at_k`.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1, gain es otro nombre, una ganancia no es finita o la suma es demasiado grande.

    Convención: descuento log2(i + 1). La versión de 2002 no descuenta la posición 1 y luego usa log2(i).

    Fuente: Järvelin y Kekäläinen (2002), ACM TOIS 20(4); exponencial: Burges et al. (2005), ICML.

    >>> round(dcg_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=5), 3)
    1.062
    """
    check_gain_name(gain)
    first, gains = _hits(retrieved, relevant, as_cutoff(k))
    return _discounted_sum(((position, gains[doc_id]) for doc_id, position in first.items()), gain)


def ndcg_at_k(retrieved: Ids, relevant: Relevant, k: int, gain: str = "linear") -> float:
    """Lo cerca que está el ranking del mejor orden posible, mirando los k primeros.

    Fórmula: nDCG@k = DCG@k / IDCG@k; IDCG@k es el DCG@k de ordenar todos los relevantes de mejor a peor.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).
        relevant: ids relevantes (ganancia 1), o dict id → ganancia.
        k: cuántos resultados se miran; un entero mayor o igual que 1.
        gain: "linear" o "exponential" (2^g - 1); con relevancia binaria dan lo mismo.

    Returns:
        Un float entre 0 y 1; 1.0 solo si arriba están los mejores documentos en su orden.

    Raises:
        TypeError: si `retrieved` no tiene orden, los ids no sirven o no pueden coincidir, o k no es entero.
        ValueError: si k < 1, gain es otro nombre, una ganancia no es finita o la suma es demasiado grande.

    Convención: el ideal toma las min(k, R) mejores ganancias de todos los relevantes, no solo de los
    recuperados (como ndcg_cut en trec_eval).

    Fuente: Järvelin y Kekäläinen (2002), ACM TOIS 20(4); exponencial: Burges et al. (2005), ICML.

    >>> round(ndcg_at_k([1, 3, 5, 7, 9], relevant=[3, 7, 12], k=5), 3)
    0.498
    """
    check_gain_name(gain)
    k = as_cutoff(k)
    first, gains = _hits(retrieved, relevant, k)
    if not first:
        return 0.0
    dcg = _discounted_sum(((position, gains[doc_id]) for doc_id, position in first.items()), gain)
    ideal = _discounted_sum(enumerate(sorted(gains.values(), reverse=True)[:k], start=1), gain)
    return min(dcg / ideal, 1.0)  # rounding can leave it a hair above 1


def _hits(retrieved: Ids, relevant: Relevant, k: int | None) -> tuple[dict[Hashable, int], dict[Hashable, float]]:
    """Return the first position (from 1) of each relevant id in the top k, and the gains of all of them."""
    ranking, gains = as_query(retrieved, relevant)
    first: dict[Hashable, int] = {}
    for position, doc_id in enumerate(ranking[:k], start=1):
        if doc_id in gains and doc_id not in first:
            first[doc_id] = position
    return first, gains


def _discounted_sum(positions_and_gains: Iterable[tuple[int, float]], gain: str) -> float:
    """Return the sum of gain / log2(position + 1)."""
    try:
        total = 0.0
        for position, value in positions_and_gains:
            total += (value if gain == "linear" else _exponential(value)) / math.log2(position + 1)
    except OverflowError:
        total = math.inf
    if math.isinf(total):
        raise ValueError(
            "Las ganancias de relevant son demasiado grandes: el DCG se sale de lo que cabe en un float. "
            'Usa una escala menor (por ejemplo, de 0 a 3) o gain="linear".'
        )
    return total


def _exponential(value: float) -> float:
    """Return 2^value - 1; below 1 through expm1, where the subtraction would lose the digits."""
    return 2.0**value - 1 if value >= 1 else math.expm1(value * math.log(2))
