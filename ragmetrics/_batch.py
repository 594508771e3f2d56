"""Where many queries found their relevant documents, and the formulas of the metrics over all of them.

Lists are read query by query with set operations, so that the work grows with the cut and the hits and not
with all that was retrieved; arrays of integers are read by numpy. Both give the same flat arrays of hits.
`ragmetrics.metrics`, one query at a time, is the reference for every value.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import compress, count
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ragmetrics._inputs import Relevant, as_gains, as_query, shorten

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]

LAST = np.iinfo(np.int64).max - 1  # beyond any position
FEW = 16  # hits of a query up to which looking up each one is the fastest
CHUNK = 256  # queries read at a time: their sets stay in the processor's cache


class Gains(NamedTuple):
    """Gains of documents in some order, as flat arrays: whose query, which position (from 0), how much."""

    query: Ints
    position: Ints
    gain: Floats | None  # None when all are 1


class Hits(NamedTuple):
    """What n queries found, in order of query and then of position."""

    relevant: Ints  # (n) how many relevant documents each query has
    found: Gains  # the relevant documents among the results that were looked at
    ideal: Gains | None  # all relevant documents, best first; None when all gains are 1
    below: Ints  # (n) where a query without hits above the cut has its first one below; else -1


def hits_in_lists(
    names: Sequence[Hashable],
    rankings: Sequence[Sequence[Hashable]],
    relevant: Sequence[Relevant],
    depth: int | None,
    look_below: bool = False,
) -> Hits:
    """Find the hits among the first `depth` results of each query; None looks at all results."""
    graded = any(issubclass(kind, Mapping) for kind in set(map(type, relevant)))
    totals: list[int] = []
    counts: list[int] = []
    positions: list[int] = []
    gains: list[float] = []
    ideal: list[float] = []
    below = np.full(len(names), -1)
    for start in range(0, len(names), CHUNK):
        part = slice(start, start + CHUNK)
        try:
            wanted = [_gains(ids) for ids in relevant[part]] if graded else relevant[part]
            sets = list(map(set, wanted))
            tops = rankings[part] if depth is None else [ranking[:depth] for ranking in rankings[part]]
            hits = list(map(set.intersection, sets, tops))
            found = list(map(len, hits))
            missed = [index for index, hits_found in enumerate(found) if not hits_found]
            if look_below:
                firsts = [
                    next(compress(count(), map(sets[index].__contains__, rankings[start + index])), -1)
                    for index in missed
                ]
                below[start + np.array(missed, np.int64)] = firsts
                missed = [index for index, first in zip(missed, firsts, strict=True) if first < 0]
            for index in missed:
                _check_can_match(rankings[start + index], sets[index])
        except (TypeError, ValueError) as error:
            _blame(error, names[part], rankings[part], relevant[part])
        totals += map(len, sets)
        counts += found
        if max(found) <= FEW:
            positions += [top.index(doc_id) for top, ids in zip(tops, hits, strict=True) for doc_id in ids]
        else:
            for top, ids in zip(tops, hits, strict=True):
                positions += _positions(top, ids)
        if graded:
            gains += [values[doc_id] for values, ids in zip(wanted, hits, strict=True) for doc_id in ids]  # type: ignore[index]
            for values in wanted:
                ideal += sorted(values.values(), reverse=True)  # type: ignore[union-attr]
    found_gains = _in_order(np.array(counts, np.int64), np.array(positions, np.int64), gains if graded else None)
    all_relevant = np.array(totals, np.int64)
    best = Gains(*_runs(all_relevant), np.array(ideal, np.float64)) if graded else None
    return Hits(all_relevant, found_gains, best, below)


def _positions(top: Sequence[Hashable], ids: set[Hashable]) -> list[int]:
    """Return the first position of each id; many are found in one pass, where looking one by one is quadratic."""
    if len(ids) <= FEW:
        return [top.index(doc_id) for doc_id in ids]
    first = dict(zip(reversed(top), range(len(top) - 1, -1, -1), strict=True))
    return [first[doc_id] for doc_id in ids]


def _gains(relevant: Relevant) -> Mapping[Hashable, float]:
    """Return the gains above 0: the dict itself when it holds nothing else, else a checked copy."""
    if type(relevant) is dict:
        gains = relevant.values()
        if gains and set(map(type, gains)) <= {int, float} and min(gains) > 0 and sum(gains) < 1e300:
            return relevant
    return as_gains(relevant)


def _check_can_match(ranking: Sequence[Hashable], wanted: set[Hashable]) -> None:
    """Raise an error when a query without hits could not have any; the first ids tell, save in mixed lists."""
    if wanted and ranking and type(ranking[0]) is not type(next(iter(wanted))):
        as_query(ranking, wanted)


def _blame(
    error: Exception,
    names: Sequence[Hashable],
    rankings: Sequence[Sequence[Hashable]],
    relevant: Sequence[Relevant],
) -> NoReturn:
    """Raise the error of the first query that has one, with the name of the query in front."""
    for name, ranking, ids in zip(names, rankings, relevant, strict=True):
        try:
            as_query(ranking, ids)
        except (TypeError, ValueError) as own:
            raise type(own)(f"Query {shorten(name)}: {own}") from None
    raise error


def hits_in_arrays(
    retrieved: Ints,
    retrieved_offsets: Ints,
    relevant: Ints,
    relevant_offsets: Ints,
    gains: Floats | None,
    depth: int | None,
    look_below: bool = False,
) -> Hits:
    """Find the hits where query i retrieved `retrieved[retrieved_offsets[i]:retrieved_offsets[i + 1]]`."""
    n = len(retrieved_offsets) - 1
    lengths = np.diff(retrieved_offsets)
    owner = np.repeat(np.arange(n), np.diff(relevant_offsets))
    lowest, highest = _span(retrieved, relevant)
    width = highest - lowest + 1
    if n and width > np.iinfo(np.int64).max // n:  # query and id do not fit in one number: renumber the ids
        ids, codes = np.unique(np.concatenate([retrieved, relevant]), return_inverse=True)
        retrieved, relevant = np.split(codes.astype(np.int64), [len(retrieved)])
        lowest, width = 0, len(ids)
    if gains is not None:
        _check_gains_agree(owner, owner * width + (relevant - lowest), gains)
        owner, relevant, gains = owner[gains > 0], relevant[gains > 0], gains[gains > 0]
    wanted, first = np.unique(owner * width + (relevant - lowest), return_index=True)
    totals = np.bincount(owner[first], minlength=n)

    def look(query: Ints, position: Ints) -> tuple[Ints, Ints, Ints]:
        """Return query, position and place in `wanted` of those that are hits, repeats left out."""
        keys = query * width + (retrieved[retrieved_offsets[query] + position] - lowest)
        place = np.minimum(np.searchsorted(wanted, keys), max(len(wanted) - 1, 0))
        hit = wanted[place] == keys if len(wanted) else np.zeros(len(keys), bool)
        query, position, place = query[hit], position[hit], place[hit]
        once = np.sort(np.unique(place, return_index=True)[1])
        return query[once], position[once], place[once]

    looked_at = lengths if depth is None else np.minimum(lengths, min(depth, LAST))
    query, position, place = look(*_runs(looked_at))
    counts = np.bincount(query, minlength=n)
    below = np.full(n, -1)
    if look_below:
        missing = np.flatnonzero((counts == 0) & (totals > 0) & (lengths > looked_at))
        rows, columns = _runs(lengths[missing])
        late_query, late_position, _ = look(missing[rows], columns)
        below[late_query[::-1]] = late_position[::-1]
    if gains is None:
        return Hits(totals, Gains(query, position, None), None, below)
    gains = gains[first]
    best = np.lexsort([-gains, owner[first]])
    ideal = Gains(*_runs(totals), gains[best])
    return Hits(totals, Gains(query, position, gains[place]), ideal, below)


def _check_gains_agree(owner: Ints, keys: Ints, gains: Floats) -> None:
    """Refuse a relevant document that comes twice in a query with different gains."""
    order = np.lexsort([gains, keys])
    clash = (np.diff(keys[order]) == 0) & (np.diff(gains[order]) != 0)
    if clash.any():
        query = owner[order][1:][clash][0]
        raise ValueError(
            f"Un documento de relevant viene dos veces con ganancias distintas, en la query de posición {query}. "
            "Deja una sola."
        )


def _span(retrieved: Ints, relevant: Ints) -> tuple[int, int]:
    """Return the lowest and the highest id of both."""
    parts = [ids for ids in (retrieved, relevant) if len(ids)]
    if not parts:
        return 0, 0
    return min(int(ids.min()) for ids in parts), max(int(ids.max()) for ids in parts)


def _runs(lengths: Ints) -> tuple[Ints, Ints]:
    """Return, for runs of these lengths, the run of each element and its place in the run."""
    run = np.repeat(np.arange(len(lengths)), lengths)
    return run, np.arange(len(run)) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _in_order(counts: Ints, position: Ints, gain: list[float] | None) -> Gains:
    """Return the hits of each query in order of position."""
    query = np.repeat(np.arange(len(counts)), counts)
    if gain is None:
        width = int(position.max(initial=0)) + 1
        return Gains(query, np.sort(query * width + position) - query * width, None)
    order = np.lexsort([position, query])
    return Gains(query, position[order], np.array(gain, np.float64)[order])


def recall(hits: Hits, k: int) -> Floats:
    """Hits in the top k over all relevant documents."""
    return _ratio(_count(hits, k), hits.relevant)


def precision(hits: Hits, k: int) -> Floats:
    """Hits in the top k over k."""
    return _count(hits, k) / _as_float(k)


def f1(hits: Hits, k: int) -> Floats:
    """Harmonic mean of precision and recall."""
    return 2 * _count(hits, k) / (_as_float(k) + hits.relevant)


def hit_rate(hits: Hits, k: int) -> Floats:
    """1 where there is a hit in the top k."""
    return (_count(hits, k) > 0).astype(np.float64)


def reciprocal_rank(hits: Hits, k: int | None) -> Floats:
    """1 over the position of the first hit."""
    first = np.where(hits.below >= 0, hits.below, LAST)
    query, position, _ = hits.found
    first[query[::-1]] = position[::-1]  # the first hit of a query is written last
    inside = first < (LAST if k is None else min(k, LAST))
    return np.where(inside, 1.0 / (first + 1), 0.0)


def average_precision(hits: Hits, k: int | None) -> Floats:
    """Sum of the precisions at each hit over all relevant documents."""
    query, position, _ = hits.found
    counts = np.bincount(query, minlength=len(hits.relevant))
    rank = np.arange(len(query)) - (np.cumsum(counts) - counts)[query] + 1
    inside = slice(None) if k is None else position < min(k, LAST)
    sums = np.bincount(query[inside], (rank / (position + 1))[inside], len(hits.relevant))
    return _ratio(sums, hits.relevant)


def dcg(hits: Hits, k: int, gain: str) -> Floats:
    """Sum of the discounted gains of the hits in the top k."""
    return _discounted(hits.found, k, gain, len(hits.relevant))


def ndcg(hits: Hits, k: int, gain: str) -> Floats:
    """DCG over that of the best possible order."""
    n = len(hits.relevant)
    if hits.ideal is None:
        most = min(k, int(hits.relevant.max(initial=0)))
        table = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, most + 2)))])
        ideal = table[np.minimum(hits.relevant, most)]
    else:
        ideal = _discounted(hits.ideal, k, gain, n)
    return np.minimum(_ratio(dcg(hits, k, gain), ideal), 1.0)  # rounding can leave it a hair above 1


def _as_float(k: int) -> float:
    return float(min(k, 10**308))  # a larger one changes nothing and is no float


def _count(hits: Hits, k: int) -> Ints:
    query, position, _ = hits.found
    return np.bincount(query[position < min(k, LAST)], minlength=len(hits.relevant))


def _discounted(gains: Gains, k: int, gain: str, n: int) -> Floats:
    inside = gains.position < min(k, LAST)
    query, position = gains.query[inside], gains.position[inside]
    values = np.ones(len(query)) if gains.gain is None else gains.gain[inside]
    with np.errstate(over="ignore"):
        if gain == "exponential" and gains.gain is not None:
            values = np.where(values >= 1, np.exp2(values) - 1, np.expm1(values * np.log(2)))
        sums = np.bincount(query, values / np.log2(position + 2), n).astype(np.float64, copy=False)
    if not np.isfinite(sums).all():
        raise ValueError(
            "Las ganancias de los relevantes son demasiado grandes: el DCG se sale de lo que cabe en un float. "
            'Usa una escala menor (por ejemplo, de 0 a 3) o gain="linear".'
        )
    return sums


def _ratio(values: Ints | Floats, whole: Ints | Floats) -> Floats:
    """Return values / whole, 0 where the whole is 0."""
    return np.divide(values, whole, out=np.zeros(len(whole)), where=whole > 0)
