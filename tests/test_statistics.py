"""Intervals, the randomization test and Holm's correction: by eye, against other code and by simulation."""

import math
import tracemalloc
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ragmetrics import statistics
from ragmetrics.statistics import holm, mean_intervals, randomization_test, randomization_tests

QUICK = settings(deadline=None, derandomize=True, max_examples=100)
tenths = st.integers(-10, 10).map(lambda tenth: tenth / 10)  # many ties, and sums that rounding tears apart


def column(*values):
    return np.array(values, np.float64)[:, np.newaxis]


# --- intervals of means -------------------------------------------------------------------------------


def test_equal_values_leave_nothing_to_chance():
    assert mean_intervals(column(0.5, 0.5, 0.5)).tolist() == [[0.5], [0.5]]


def test_one_row_says_nothing():
    ends = mean_intervals(np.array([[0.2, 0.7]]))
    assert ends.shape == (2, 2)
    assert np.isnan(ends).all()


def test_two_rows_reach_from_one_to_the_other():
    """A quarter of the resamples is twice the first row, and a quarter twice the second."""
    assert mean_intervals(column(0.0, 1.0)).tolist() == [[0.0], [1.0]]


def test_intervals_agree_with_scipy():
    values = np.random.default_rng(3).beta(2, 3, size=40)
    low, high = mean_intervals(values[:, np.newaxis], 0.9, resamples=20_000)[:, 0]
    theirs = scipy.stats.bootstrap(
        (values,),
        np.mean,
        confidence_level=0.9,
        n_resamples=20_000,
        method="percentile",
        random_state=0,
    ).confidence_interval
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.002)


def test_a_higher_confidence_makes_wider_intervals():
    values = np.random.default_rng(0).random((25, 1))
    widths = [
        float(np.diff(mean_intervals(values, confidence), axis=0)[0, 0]) for confidence in (0.5, 0.9, 0.95, 0.99)
    ]
    assert widths == sorted(widths)
    assert len(set(widths)) == 4


def test_intervals_are_those_of_the_seed():
    values = np.random.default_rng(0).random((30, 2))
    first = mean_intervals(values, seed=7)
    assert first.tolist() == mean_intervals(values, seed=7).tolist()
    assert first.tolist() != mean_intervals(values, seed=8).tolist()


def test_an_interval_does_not_depend_on_the_other_columns():
    values = np.random.default_rng(0).random((30, 4))
    assert mean_intervals(values)[:, 2] == pytest.approx(mean_intervals(values[:, 2:3])[:, 0], abs=1e-12)


def test_intervals_mirror_when_the_values_do():
    values = np.random.default_rng(0).normal(size=(30, 1))
    low, high = mean_intervals(values)[:, 0]
    assert mean_intervals(-values)[:, 0] == pytest.approx((-high, -low), abs=1e-12)


def test_drawing_in_blocks_changes_nothing(monkeypatch):
    values = np.random.default_rng(0).random((30, 2))
    whole = mean_intervals(values, resamples=500)
    monkeypatch.setattr(statistics, "BLOCK", 100)
    assert mean_intervals(values, resamples=500) == pytest.approx(whole, abs=1e-12)


def test_intervals_cover_the_true_mean_about_as_often_as_they_say():
    """2000 experiments of 30 skewed values: percentile intervals are known to fall a little short of 95 %."""
    values = np.random.default_rng(1).beta(1, 3, size=(30, 2000))
    low, high = mean_intervals(values)
    assert 0.915 < np.mean((low <= 1 / 4) & (high >= 1 / 4)) < 0.955


# --- randomization test -------------------------------------------------------------------------------


def exact(differences):
    """Count all the ways to put the signs, in exact arithmetic."""
    tens = [round(10 * difference) for difference in differences]
    sums = [
        abs(sum(sign * ten for sign, ten in zip(signs, tens, strict=True)))
        for signs in product((1, -1), repeat=len(tens))
    ]
    return float(Fraction(sum(total >= abs(sum(tens)) for total in sums), len(sums)))


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([0.3], 1.0),  # + and - are equally far from 0
        ([0.3, 0.3], 0.5),  # ++ and -- of 4
        ([0.3, -0.3], 1.0),
        ([1, 1, 1, 1], 2 / 16),
        ([1, 1, 1, -1], 10 / 16),  # 2 of sum 4 and 8 of sum 2
        ([1, 0.5, 0.25], 2 / 8),
        ([0.1, 0.2, -0.3], 1.0),  # its sum is 5.6e-17 instead of 0
        ([0.3, 0.2, 0.1, 0.1], 2 / 16),
        ([0.1] * 10, 2 / 1024),
        ([0.0, 0.0, 0.0], 1.0),
        ([0.0], 1.0),
        ([-0.0, 0.5, 0.0, 0.5], 0.5),
    ],
)
def test_p_by_eye(differences, p):
    assert randomization_test(differences) == p


def test_p_is_a_python_float():
    assert type(randomization_test(np.array([0.5, 0.25]))) is float
    assert randomization_test(iter([0.5, 0.25])) == 0.5
    assert randomization_test((0.5, 0.25)) == 0.5


@QUICK
@given(st.lists(tenths, min_size=1, max_size=9))
def test_p_is_the_one_of_counting_all_ways(differences):
    assert randomization_test(differences) == exact(differences)


@pytest.mark.parametrize("seed", range(5))
def test_p_agrees_with_scipy(seed):
    differences = np.random.default_rng(seed).normal(0.3, 1, size=10)
    theirs = scipy.stats.permutation_test(
        (differences, np.zeros(10)), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    )
    assert randomization_test(differences) == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_drawn_ways_come_close_to_all_ways(seed):
    """17 differences, ties and rounding included: 65 536 ways to count against 10 000 drawn."""
    differences = np.random.default_rng(seed).integers(-4, 8, size=17) / 10
    counted, drawn = randomization_test(differences, resamples=2**17), randomization_test(differences, seed=seed)
    assert counted == exact(differences)
    assert counted != drawn  # else nothing was drawn
    assert drawn == pytest.approx(counted, abs=4.5 * math.sqrt(counted * (1 - counted) / 10_000) + 1e-4)


def test_drawn_p_is_never_zero():
    assert randomization_test([1.0] * 100) == 1 / 10_001
    assert randomization_test([1.0] * 100, resamples=99) == 1 / 100


def test_counting_stops_where_drawing_costs_less():
    differences = [1.0] * 14
    assert randomization_test(differences) == 2 / 2**14
    assert randomization_test([*differences, 1.0]) >= 1 / 10_001
    assert randomization_test([1.0] * 4, resamples=8) == 2 / 16


@pytest.mark.parametrize("n", [8, 40])  # counted and drawn
def test_p_does_not_depend_on_what_should_not_matter(n):
    rng = np.random.default_rng(n)
    differences = rng.normal(0.4, 1, size=n).round(1)
    p = randomization_test(differences)
    assert 0 < p < 1
    assert randomization_test(-differences) == p
    assert randomization_test(rng.permutation(differences)) == p
    assert randomization_test(np.insert(differences, [0, 3, 3, n], 0.0)) == p
    assert randomization_test(differences * 1000) == p
    assert randomization_test(differences.tolist()) == p


@QUICK
@given(st.lists(tenths, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_p_is_a_probability_and_symmetric(differences, random):
    p = randomization_test(differences, resamples=50)
    least = 2.0 ** (1 - max(1, np.count_nonzero(differences)))
    assert min(least, 1 / 51) <= p <= 1
    shuffled = [-difference for difference in differences] + [0.0]
    random.shuffle(shuffled)
    assert randomization_test(shuffled, resamples=50) == p


def test_drawn_p_is_the_one_of_the_seed():
    differences = np.random.default_rng(0).normal(0.1, 1, size=40)
    assert randomization_test(differences, seed=1) == randomization_test(differences, seed=1)
    assert len({randomization_test(differences, seed=seed) for seed in range(5)}) > 1


def test_p_of_a_column_does_not_depend_on_the_others(monkeypatch):
    rng = np.random.default_rng(0)
    differences = rng.normal(0.2, 1, size=(30, 6)).round(2)
    differences[5:, 1] = 0  # this one is counted
    differences[20:, 3] = 0  # fewer differences than the rest
    p = randomization_tests(differences)
    assert p.tolist() == [randomization_test(each) for each in differences.T]
    monkeypatch.setattr(statistics, "BLOCK", 20_000)  # two columns at a time
    assert randomization_tests(differences).tolist() == p.tolist()
    assert randomization_tests(differences[:, :0]).shape == (0,)


def test_equal_systems_are_told_apart_as_seldom_as_alpha_says():
    """2000 experiments in which signs are pure chance: p <= alpha in a share of alpha, drawn or counted."""
    rng = np.random.default_rng(0)
    for n in (10, 25):
        p = randomization_tests(rng.standard_t(4, size=(n, 2000)))
        for alpha in (0.05, 0.2, 0.5):
            assert np.mean(p <= alpha) == pytest.approx(alpha, abs=4 * math.sqrt(alpha * (1 - alpha) / 2000))


def test_different_systems_are_told_apart():
    p = randomization_tests(np.random.default_rng(0).normal(0.8, 1, size=(25, 500)))
    assert 0.93 < np.mean(p <= 0.05) <= 1  # a t test has 97 % of power here


def test_memory_is_bounded_with_100_000_queries():
    differences = np.random.default_rng(0).normal(size=(100_000, 2))
    tracemalloc.start()
    try:
        randomization_tests(differences)
        mean_intervals(differences, resamples=60)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 80e6  # all the signs at once would be 1000 MB


# --- Holm ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),  # R: p.adjust(p, "holm")
        ([0.05, 0.01, 0.04, 0.02, 0.03], [0.09, 0.05, 0.09, 0.08, 0.09]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.01, 0.04, 0.04], [0.03, 0.08, 0.08]),
        ([0.6, 0.7], [1, 1]),
        ([0.5, 0.5, 0.0001], [1, 1, 0.0003]),
        ([0, 1], [0, 1]),
    ],
)
def test_holm_by_hand(p_values, adjusted):
    assert holm(p_values).tolist() == pytest.approx(adjusted)


@QUICK
@given(st.lists(st.integers(0, 100).map(lambda p: p / 100), min_size=1, max_size=6))
def test_holm_is_the_closed_test_of_bonferroni(p_values):
    """Its definition from outside: each p pays for the hardest set of comparisons that holds it."""
    indices = range(len(p_values))
    sets = [chosen for size in range(1, len(p_values) + 1) for chosen in combinations(indices, size)]
    expected = [
        min(1, max(len(chosen) * min(p_values[j] for j in chosen) for chosen in sets if i in chosen))
        for i in indices
    ]
    assert holm(p_values).tolist() == pytest.approx(expected)


@QUICK
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_the_bounds(p_values, random):
    adjusted = holm(p_values)
    assert all(
        p <= corrected <= min(1, len(p_values) * p) for p, corrected in zip(p_values, adjusted, strict=True)
    )
    assert (np.diff(adjusted[np.argsort(p_values)]) >= 0).all()
    places = list(range(len(p_values)))
    random.shuffle(places)
    assert holm([p_values[place] for place in places]).tolist() == adjusted[places].tolist()


def test_holm_keeps_the_errors_of_many_comparisons_at_alpha():
    """1000 experiments with 10 true nulls: some corrected p <= 0.05 in 5 % of them, and uncorrected in 40 %."""
    p = np.random.default_rng(0).random((1000, 10))
    assert np.mean([(holm(row) <= 0.05).any() for row in p]) == pytest.approx(0.05, abs=0.02)
    assert np.mean((p <= 0.05).any(axis=1)) > 0.35


# --- bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: randomization_test([]), ValueError, "vacío"),
        (lambda: randomization_test([0.1, float("nan")]), ValueError, "finitos"),
        (lambda: randomization_test([0.1, float("inf")]), ValueError, "finitos"),
        (lambda: randomization_test(np.zeros((3, 2))), ValueError, "una dimensión"),
        (lambda: randomization_test([0.1], seed=-1), ValueError, "seed .* 0 y llegó -1"),
        (lambda: randomization_test([0.1], seed=None), TypeError, "seed .* llegó None"),
        (lambda: randomization_test([0.1], seed=1.5), TypeError, "seed .* llegó 1.5"),
        (lambda: randomization_test([0.1], resamples=0), ValueError, "resamples .* 1 y llegó 0"),
        (lambda: randomization_test([0.1], resamples=1e4), TypeError, "resamples .* llegó 10000.0"),
        (lambda: mean_intervals(column(0.1, 0.2), seed=True), TypeError, "seed"),
        (lambda: mean_intervals(column(0.1, 0.2), seed="0"), TypeError, "seed"),
        (lambda: mean_intervals(column(0.1), seed=-1), ValueError, "seed"),
        (lambda: mean_intervals(column(0.1, 0.2), resamples=0), ValueError, "resamples"),
        (lambda: holm([0.1, 1.1]), ValueError, "entre 0 y 1"),
        (lambda: holm([-0.1]), ValueError, "entre 0 y 1"),
        (lambda: holm([float("nan")]), ValueError, "entre 0 y 1"),
    ],
)
def test_bad_input_is_refused_in_spanish(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_numpy_integers_are_integers():
    assert randomization_test([0.5, 0.5], seed=np.int64(3), resamples=np.int32(10)) == 0.5
