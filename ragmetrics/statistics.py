"""Cuánto azar hay en una media: intervalos de confianza, prueba pareada y corrección de Holm."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ragmetrics._inputs import shorten

Floats = np.ndarray[Any, np.dtype[np.float64]]

RESAMPLES = 2000  # leaves the ends of a 95 % interval with an error of 1.5 % of its width
SIGN_FLIPS = 10_000  # leaves a p near 0.05 with an error of 0.002
BLOCK = 2_000_000  # random numbers or sums held at a time, so that memory stays bounded
ROUNDING = 1e-12  # of the sum of the differences: sums that should be equal differ by less


def mean_intervals(values: Floats, confidence: float = 0.95, seed: int = 0, resamples: int = RESAMPLES) -> Floats:
    """Intervalo de confianza de la media de cada columna, por bootstrap de percentiles.

    Fórmula: se sacan n filas con reposición y se calcula su media, muchas veces; el intervalo del 95 % va del
    percentil 2,5 al 97,5 de esas medias.

    Args:
        values: array (n, m): una fila por query y una columna por métrica.
        confidence: nivel del intervalo, entre 0 y 1.
        seed: semilla; la misma da los mismos intervalos.
        resamples: cuántas veces se remuestrea.

    Returns:
        Un array (2, m) con los extremos inferior y superior. Con una sola fila no se sabe nada del azar: nan.

    Raises:
        TypeError, ValueError: si seed o resamples no son enteros, o son menores que 0 o que 1.

    Convención: las mismas filas remuestreadas sirven para todas las columnas. Con pocas queries (menos de unas
    20) el intervalo sale algo estrecho.

    Fuente: Efron y Tibshirani (1993), An Introduction to the Bootstrap, cap. 13; Sakai (2006), Evaluating
    evaluation metrics based on the bootstrap, SIGIR, doi:10.1145/1148170.1148261.

    >>> import numpy as np
    >>> low, high = mean_intervals(np.array([[0.0], [0.5], [0.5], [1.0]]))
    >>> low.tolist(), high.tolist()
    ([0.125], [0.875])
    """
    rng = _generator(seed)
    _check_count("resamples", resamples, 1)
    check_confidence(confidence)
    n, columns = values.shape
    if n < 2:
        return np.full((2, columns), np.nan)
    means = np.empty((resamples, columns))
    step = max(1, BLOCK // n)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        picks = rng.integers(n, size=(size, n))
        counts = np.stack([np.bincount(row, minlength=n) for row in picks])
        means[start : start + size] = counts @ values / n
    tail = (1 - confidence) / 2
    return np.quantile(means, [tail, 1 - tail], axis=0)


def randomization_test(differences: Iterable[float], seed: int = 0, resamples: int = SIGN_FLIPS) -> float:
    """Prueba de aleatorización pareada: ¿cabe en el azar la diferencia media entre dos sistemas?

    Si los dos sistemas fueran intercambiables, en cada query la diferencia podría haber salido con el signo
    contrario. La p es la parte de todas las maneras de poner los signos cuya media se aleja de 0 al menos
    tanto como la observada (prueba de dos colas).

    Fórmula: p = (maneras con |Σ ±dᵢ| ≥ |Σ dᵢ|) / 2ⁿ; si son más que `resamples`, se sortean `resamples` de ellas
    y p = (aciertos + 1) / (resamples + 1).

    Args:
        differences: la diferencia entre los dos sistemas en cada query.
        seed: semilla del sorteo; la misma da la misma p.
        resamples: cuántas maneras se sortean cuando no se miran todas.

    Returns:
        Un float mayor que 0 y menor o igual que 1. Con n diferencias distintas de 0 no baja de 2 / 2ⁿ.

    Raises:
        ValueError: si no hay diferencias o alguna no es finita.
        TypeError, ValueError: si seed o resamples no son enteros, o son menores que 0 o que 1.

    Convención: las diferencias 0 no cambian nada; si todas lo son, p = 1.0. La p no depende del orden de las
    queries ni de qué sistema se resta de cuál.

    Fuente: Smucker, Allan y Carterette (2007), A comparison of statistical significance tests for information
    retrieval evaluation, CIKM, doi:10.1145/1321440.1321528; el + 1, de Phipson y Smyth (2010), Permutation
    p-values should never be zero, doi:10.2202/1544-6115.1585.

    >>> randomization_test([0.25, 0.5, 0.125, 0.5])  # 2 de las 16 maneras: todas + y todas -
    0.125
    """
    column = np.asarray(differences if hasattr(differences, "__len__") else list(differences), dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"differences debe tener una dimensión, un valor por query, y tiene {column.ndim}.")
    return float(randomization_tests(column[:, np.newaxis], seed, resamples)[0])


def randomization_tests(differences: Floats, seed: int = 0, resamples: int = SIGN_FLIPS) -> Floats:
    """Hace `randomization_test` con cada columna; la p de una no depende de qué otras haya.

    Args:
        differences: array (n, m): una fila por query y una columna por comparación.
        seed, resamples: como en `randomization_test`.

    Returns:
        Un array (m) con la p de cada columna.

    Raises:
        TypeError, ValueError: los de `randomization_test`.

    >>> import numpy as np
    >>> randomization_tests(np.array([[0.25, 0.0], [0.5, 0.0], [0.5, 0.25]]))
    array([0.25, 1.  ])
    """
    _generator(seed)
    _check_count("resamples", resamples, 1)
    if not len(differences):
        raise ValueError("differences está vacío: hace falta al menos la diferencia de una query.")
    if not np.isfinite(differences).all():
        raise ValueError("differences tiene valores que no son números finitos.")
    # Largest first: p then depends neither on the order of the queries nor on how many zeros there are.
    sizes = -np.sort(-np.abs(differences), axis=0)
    limits = np.abs(differences.sum(axis=0)) - ROUNDING * sizes.sum(axis=0)
    nonzero = np.count_nonzero(sizes, axis=0)
    few = nonzero <= math.log2(resamples) + 1  # by symmetry only half of the 2^n ways need to be looked at
    p = np.empty(differences.shape[1])
    for column in np.flatnonzero(few):
        p[column] = np.mean(np.abs(_all_sums(sizes[: nonzero[column], column])) >= limits[column])
    many = np.flatnonzero(~few)
    step = max(1, BLOCK // resamples)
    for start in range(0, len(many), step):
        columns = many[start : start + step]
        sums = _random_sums(sizes[: nonzero[columns].max(), columns], np.random.default_rng(seed), resamples)
        p[columns] = (np.count_nonzero(np.abs(sums) >= limits[columns], axis=0) + 1) / (resamples + 1)
    return p


def holm(p_values: Iterable[float]) -> Floats:
    """Corrige varias p por haber hecho varias comparaciones (Holm).

    De cada 20 comparaciones entre sistemas iguales, una da p < 0,05 por puro azar. Con las p corregidas, la
    probabilidad de que alguna la dé no pasa de 0,05.

    Fórmula: ordenadas p₁ ≤ … ≤ pₘ, la corregida de pᵢ es el máximo de min(1, (m - j + 1)·pⱼ) con j ≤ i.

    Args:
        p_values: las p de las comparaciones.

    Returns:
        Un array con las p corregidas, en el mismo orden; ninguna es menor que la suya ni mayor que 1.

    Raises:
        ValueError: si alguna no está entre 0 y 1.

    Fuente: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6; Carterette (2012), Multiple testing in statistical analysis of systems-based information
    retrieval experiments, ACM TOIS 30, doi:10.1145/2094072.2094076.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(list(p_values), dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"Las p deben estar entre 0 y 1 y llegó {shorten(p.tolist())}.")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order]), 1.0)
    return adjusted


def _all_sums(sizes: Floats) -> Floats:
    """Return the sums of the sizes with every choice of signs, the first one's left positive."""
    sums = sizes[:1] if len(sizes) else np.zeros(1)
    for size in sizes[1:]:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _random_sums(sizes: Floats, rng: "np.random.Generator", resamples: int) -> Floats:
    """Return (resamples, m) sums of the columns with random signs, the same ones for all columns.

    Eight rows at a time: their 256 signed sums are worked out once, and a random byte picks one.
    """
    signs = 1.0 - 2.0 * (np.arange(256)[:, np.newaxis] >> np.arange(8) & 1)
    sums = np.zeros((resamples, sizes.shape[1]))
    for start in range(0, len(sizes), 8):
        rows = sizes[start : start + 8]
        sums += (signs[:, : len(rows)] @ rows)[rng.integers(256, size=resamples, dtype=np.uint8)]
    return sums


def check_seed(seed: object) -> None:
    """Refuse a seed that numpy would not take."""
    _check_count("seed", seed, 0)


def check_confidence(confidence: object, name: str = "confidence") -> None:
    """Refuse what is not a number between 0 and 1."""
    if (
        isinstance(confidence, bool)
        or not isinstance(confidence, (int, float, np.number))
        or not 0 < confidence < 1
    ):
        raise ValueError(f"{name} debe ser un número entre 0 y 1, como 0.95, y llegó {shorten(confidence)}.")


def _generator(seed: object) -> "np.random.Generator":  # in quotes: numpy loads its random module when named
    _check_count("seed", seed, 0)
    return np.random.default_rng(seed)  # type: ignore[arg-type]


def _check_count(name: str, value: object, least: int) -> None:
    """Refuse what is not an int from `least` up."""
    message = f"{name} debe ser un número entero mayor o igual que {least} y llegó {shorten(value)}."
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(message)
    if value < least:
        raise ValueError(message)
