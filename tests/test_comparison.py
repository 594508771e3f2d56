"""compare: numbers that can be checked by eye, sentences that claim no more than the test allows, bad input."""

import copy
import csv
import io
import json
from html.parser import HTMLParser

import numpy as np
import pytest

import ragmetrics
from ragmetrics import Comparison, Evaluation, compare, evaluate, evaluate_arrays
from ragmetrics.comparison import _digits, _p
from ragmetrics.statistics import holm, mean_intervals, randomization_test

LESSON = ["recall@5", "precision@5", "f1@5", "ndcg@5", "mrr"]
QRELS = {"q1": ["a"], "q2": ["b", "c"], "q3": ["d"]}
WORDS = {"q1": ["a", "x"], "q2": ["x", "b", "c"], "q3": ["x", "y", "z"]}
DENSE = {"q1": ["x", "a"], "q2": ["b", "c", "x"], "q3": ["x", "d"]}


def measured(values, metric="ndcg@5", queries=None, k=(5,)):
    """Return an Evaluation with these values of one metric."""
    names = queries or [f"q{index}" for index in range(len(values))]
    return Evaluation(
        list(names), {metric: np.array(values, np.float64)}, k, [], [], [], "linear", "zero", 0.95, 0
    )


def compared(*columns, **options):
    """Compare systems A, B, C… with these values of nDCG@5."""
    return compare({"ABCDEFGH"[index]: measured(values) for index, values in enumerate(columns)}, **options)


def noisy(n, *shifts, seed=0):
    """Return values of some systems on n queries, each better than the first by its shift."""
    rng = np.random.default_rng(seed)
    return [np.clip(rng.normal(0.5 + shift, 0.2, size=n), 0, 1) for shift in shifts]


# --- numbers ------------------------------------------------------------------------------------------


def test_the_numbers_of_a_pair_by_eye():
    comparison = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k=2)
    pair = next(pair for pair in comparison.pairs if pair.metric == "mrr")
    assert (pair.a, pair.b, pair.n) == ("palabras", "denso", 3)
    assert pair.mean_a == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert pair.mean_b == pytest.approx((1 / 2 + 1 + 1 / 2) / 3)
    assert pair.difference == pytest.approx(1 / 6)
    assert comparison.differences("mrr", "palabras", "denso").tolist() == [-0.5, 0.5, 0.5]
    assert (pair.wins, pair.ties, pair.losses) == (2, 0, 1)
    assert pair.p == pair.p_adjusted == 1.0  # of 8 ways, all are at least 0.5 from 0
    assert all(type(value) is float for value in (pair.p, pair.p_adjusted, pair.difference, *pair.interval))
    assert all(type(value) is int for value in (pair.wins, pair.ties, pair.losses, pair.n))


def test_the_numbers_are_those_of_statistics():
    a, b = noisy(40, 0, 0.05)
    (pair,) = compared(a, b, seed=3, confidence=0.9).pairs
    assert pair.difference == pytest.approx(np.mean(b - a))
    assert pair.interval == pytest.approx(mean_intervals((b - a)[:, None], 0.9, 3)[:, 0])
    assert pair.p == randomization_test(b - a, seed=3)


def test_the_five_metrics_of_the_lesson_unless_said():
    comparison = compare({"palabras": WORDS, "denso": DENSE}, QRELS)
    assert comparison.metrics == LESSON
    assert [pair.metric for pair in comparison.pairs] == LESSON
    several = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k=(1, 10), metrics=["map", "ndcg@k"])
    assert several.metrics == ["ndcg@1", "ndcg@10", "map"]


def test_what_evaluate_says_is_what_is_compared():
    options = {"k": iter([2, 5]), "gain": "exponential", "no_relevant": "skip", "metrics": iter(["ndcg@k"])}
    qrels = {**QRELS, "q2": {"b": 1, "c": 3}, "q4": []}
    comparison = compare({"palabras": WORDS, "denso": DENSE}, qrels, **options)
    expected = evaluate(DENSE, qrels, k=(2, 5), gain="exponential", no_relevant="skip", metrics=["ndcg@k"])
    assert comparison.evaluations["denso"].means == expected.means
    assert comparison.queries == ["q1", "q2", "q3"]
    assert comparison.evaluations["denso"].without_relevant == ["q4"]


def test_every_judged_query_counts_for_all_systems():
    comparison = compare({"palabras": {"q1": ["a"]}, "denso": {"q2": ["b"], "q9": ["a"]}}, QRELS, metrics="mrr")
    assert comparison.queries == ["q1", "q2", "q3"]
    assert comparison.differences("mrr", "palabras", "denso").tolist() == [-1, 1, 0]
    text = repr(comparison)
    assert "Juzgadas y sin respuesta: palabras 2, denso 2 (cuentan 0)." in text
    assert "Respondidas y sin juzgar: denso 1 (no cuentan)." in text


@pytest.mark.parametrize(("no_relevant", "words"), [("zero", "1 (cuentan 0)"), ("skip", "1 (quedan fuera)")])
def test_queries_without_relevant_documents_are_shown(no_relevant, words):
    comparison = compare({"palabras": WORDS, "denso": DENSE}, {**QRELS, "q4": []}, no_relevant=no_relevant)
    assert f"Sin documentos relevantes: {words}." in repr(comparison)


def test_differences_of_rounding_are_ties():
    a = [0.1 + 0.2, 1 / 3, 0.5, 1000.0]
    b = [0.3, 1 / 3 + 1e-16, 0.75, 1000.0 + 1e-8]
    comparison = compared(a, b)
    (pair,) = comparison.pairs
    assert (pair.wins, pair.ties, pair.losses) == (1, 3, 0)
    assert comparison.differences("ndcg@5", "A", "B").tolist() == [0, 0, 0.25, 0]
    assert comparison.differences("ndcg@5", "A", "B").dtype == np.float64


def test_differences_between_any_two_systems():
    comparison = compared([0.5, 0.5], [0.75, 0.25], [1.0, 0.0])
    assert comparison.differences("ndcg@5", "A", "C").tolist() == [0.5, -0.5]
    assert comparison.differences("ndcg@5", "C", "A").tolist() == [-0.5, 0.5]
    assert comparison.differences("ndcg@5", "B", "B").tolist() == [0, 0]


def test_swapped_systems_have_the_opposite_difference_and_the_same_p():
    a, b = noisy(30, 0, 0.08)
    (pair,), (swapped,) = compared(a, b).pairs, compared(b, a).pairs
    assert swapped.difference == -pair.difference
    assert swapped.interval == pytest.approx((-pair.interval[1], -pair.interval[0]))
    assert (swapped.p, swapped.wins, swapped.losses) == (pair.p, pair.losses, pair.wins)


def test_the_p_of_a_pair_does_not_depend_on_what_else_is_compared():
    columns = dict(zip("ABC", noisy(30, 0, 0.06, 0.1), strict=True))
    three = {(pair.a, pair.b): pair for pair in compare({name: measured(columns[name]) for name in "ABC"}).pairs}
    for a, b in ("AB", "AC", "BC"):
        (alone,) = compare({name: measured(columns[name]) for name in (a, b)}).pairs
        assert alone.p == three[a, b].p
        assert alone.interval == pytest.approx(three[a, b].interval)
    both = {name: evaluate(run, QRELS, k=(1, 5)) for name, run in (("palabras", WORDS), ("denso", DENSE))}
    one = compare(both, metrics="ndcg@k")
    assert [pair for pair in compare(both, metrics=("mrr", "ndcg@k")).pairs if "ndcg" in pair.metric] == one.pairs


def test_holm_corrects_the_pairs_of_systems_within_each_metric():
    rng = np.random.default_rng(0)
    runs = {
        name: Evaluation(
            [str(index) for index in range(25)],
            {metric: np.clip(rng.normal(0.5 + shift, 0.2, 25), 0, 1) for metric in ("ndcg@5", "mrr")},
            *((5,), [], [], [], "linear", "zero", 0.95, 0),
        )
        for name, shift in (("A", 0), ("B", 0.1), ("C", 0.15), ("D", 0))
    }
    comparison = compare(runs)
    for metric in ("ndcg@5", "mrr"):
        pairs = [pair for pair in comparison.pairs if pair.metric == metric]
        assert [(pair.a, pair.b) for pair in pairs] == [
            tuple(couple) for couple in ("AB", "AC", "AD", "BC", "BD", "CD")
        ]
        assert [pair.p_adjusted for pair in pairs] == holm([pair.p for pair in pairs]).tolist()
    assert any(pair.p < pair.p_adjusted for pair in comparison.pairs)


def test_many_systems_draw_enough_to_tell_any_of_them_apart():
    """With 10 000 draws, the least p of 528 pairs, corrected, would be 0.053."""
    columns = noisy(20, *[0.0] * 32)
    runs = {str(index): measured(values) for index, values in enumerate([*columns, np.ones(20)])}
    pairs = compare(runs).pairs
    assert len(pairs) == 528
    assert all(pair.p_adjusted < 0.01 for pair in pairs if pair.b == "32")


def test_the_same_seed_gives_the_same_comparison():
    a, b = noisy(30, 0, 0.05)
    assert compared(a, b, seed=1).to_dict() == compared(a, b, seed=1).to_dict()
    assert compared(a, b, seed=1).pairs != compared(a, b, seed=2).pairs


def test_inputs_are_left_as_they_were():
    runs, qrels = (
        {"palabras": WORDS, "denso": {**DENSE, "q1": {"a": 0.5, "x": 0.7}}},
        {**QRELS, "q4": {"a": 2, "b": 0}},
    )
    before = copy.deepcopy((runs, qrels))
    compare(runs, qrels)
    assert (runs, qrels) == before


# --- what can be compared -----------------------------------------------------------------------------


def test_generators_are_read_once_for_all_systems():
    given = {query: (doc_id for doc_id in ids) for query, ids in QRELS.items()}
    expected = compare({"palabras": WORDS, "denso": DENSE}, QRELS)
    runs = {"palabras": WORDS, "denso": {query: iter(ids) for query, ids in DENSE.items()}}
    assert compare(runs, given).pairs == expected.pairs


def cases_of(run, relevant=iter):
    """Return the lesson's test cases, one at a time."""
    return ({"query": query, "retrieved": run[query], "relevant": relevant(QRELS[query])} for query in QRELS)


def test_the_test_cases_of_the_lesson_can_be_compared():
    expected = compare({"palabras": WORDS, "denso": DENSE}, QRELS)
    assert compare({"palabras": cases_of(WORDS), "denso": cases_of(DENSE, set)}).pairs == expected.pairs
    unnamed = [{"retrieved": ["a"], "relevant": ["a"]}, {"retrieved": ["x"], "relevant": ["a"]}]
    assert compare({"A": unnamed, "B": list(unnamed)}).queries == [0, 1]


def test_evaluations_can_be_compared_without_judgments():
    runs = {"palabras": evaluate(WORDS, QRELS, k=(1, 3)), "denso": evaluate(DENSE, QRELS, k=(3, 1))}
    expected = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k=(1, 3))
    assert compare(runs).pairs == expected.pairs
    assert compare(runs, k=99).pairs == expected.pairs  # k was settled when they were evaluated
    assert compare({"palabras": WORDS, "denso": runs["denso"]}, QRELS, k=(1, 3)).pairs == expected.pairs


def test_evaluations_of_arrays_can_be_compared():
    relevant = ([3, 9], [0, 1, 2])
    runs = {
        "A": evaluate_arrays([7, 3, 5, 8], [0, 2, 4], *relevant, k=2),
        "B": evaluate_arrays([3, 9], [0, 1, 2], *relevant, k=2),
    }
    assert compare(runs).differences("mrr", "A", "B").tolist() == [0.5, 1]


def test_queries_are_paired_by_name_and_not_by_place():
    a = measured([0.1, 0.2, 0.3], queries=["q1", "q2", "q3"])
    b = measured([0.9, 0.7, 0.8], queries=["q3", "q1", "q2"])
    comparison = compare({"A": a, "B": b})
    assert comparison.differences("ndcg@5", "A", "B") == pytest.approx([0.6, 0.6, 0.6])
    assert comparison.evaluations["B"].queries == comparison.queries == ["q1", "q2", "q3"]
    assert comparison.evaluations["B"].worst(n=1) == [("q1", 0.7)]
    assert b.queries == ["q3", "q1", "q2"]


def test_repeated_names_pair_in_place_when_the_order_is_the_same():
    runs = {name: measured(values, queries=["q", "q"]) for name, values in (("A", [0, 1]), ("B", [1, 1]))}
    assert compare(runs).differences("ndcg@5", "A", "B").tolist() == [1, 0]


def test_what_all_evaluations_have_is_compared_when_they_lack_the_lessons_metrics():
    runs = {name: evaluate(run, QRELS, metrics=["map"]) for name, run in (("A", WORDS), ("B", DENSE))}
    comparison = compare(runs)
    assert comparison.metrics == ["map"]
    assert "Diferencias en MAP:" in repr(comparison)
    runs["B"] = evaluate(DENSE, QRELS, metrics=["mrr", "map"])
    assert compare(runs).metrics == ["map"]


# --- conclusions --------------------------------------------------------------------------------------

FLAT = [0.5] * 30


def moved(*steps):
    """Return FLAT with these differences in its first queries."""
    return [0.5 + step for step in steps] + FLAT[len(steps) :]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (
            (FLAT, moved(*[0.12] * 30)),
            "B supera a A en 0,12 de nDCG@5 (intervalo del 95 %: 0,12 a 0,12; p < 0,001, 30 queries).",
        ),
        (
            (moved(*[0.12] * 30), FLAT),
            "A supera a B en 0,12 de nDCG@5 (intervalo del 95 %: 0,12 a 0,12; p < 0,001, 30 queries).",
        ),
        (
            (FLAT, moved(*[0.3] * 9, -0.3)),
            "B supera a A en 0,08 de nDCG@5 (intervalo del 95 %: 0,03 a 0,14; p = 0,021, 30 queries).",
        ),
        (
            (moved(*[0.3] * 9, -0.3), FLAT),
            "A supera a B en 0,08 de nDCG@5 (intervalo del 95 %: 0,03 a 0,14; p = 0,021, 30 queries).",
        ),
        (
            (FLAT, moved(0.3, 0.3, 0.3, 0.2, -0.2, 0.1, -0.1, -0.1)),
            "La diferencia de 0,03 en nDCG@5 entre A y B cabe en el azar: p = 0,27, 30 queries.",
        ),
        (
            (FLAT, moved(0.3, -0.3, 0.2, -0.2, 0.1, -0.1)),
            "La diferencia de 0,00 en nDCG@5 entre A y B cabe en el azar: p = 1,00, 30 queries.",
        ),
        (
            (FLAT, moved(*[0.001] * 30)),
            "B supera a A en 0,001 de nDCG@5 (intervalo del 95 %: 0,001 a 0,001; p < 0,001, 30 queries).",
        ),
        (
            (FLAT, moved(*[0.00001] * 30)),
            "B supera a A en menos de 0,0001 de nDCG@5 "
            "(intervalo del 95 %: 0,0000 a 0,0000; p < 0,001, 30 queries).",
        ),
        ((FLAT, FLAT), "En nDCG@5, A y B dan lo mismo en las 30 queries."),
        (
            (FLAT, moved(0.3, 0.3, 0.3, 0.3)),
            "La diferencia de 0,04 en nDCG@5 entre A y B cabe en el azar: solo difieren en 4 de las 30 queries, "
            "y con tan pocas la prueba no baja de p = 0,125.",
        ),
        (
            (FLAT, moved(0.3)),
            "La diferencia de 0,01 en nDCG@5 entre A y B cabe en el azar: solo difieren en 1 de las 30 queries, "
            "y con tan pocas la prueba no baja de p = 1.",
        ),
        (
            ([0.5], [1]),
            "Con 1 query no se puede concluir nada de la diferencia de 0,50 en nDCG@5 entre A y B: "
            "la prueba no baja de p = 1.",
        ),
        (
            ([0.5] * 4, [0.75] * 4),
            "Con 4 queries no se puede concluir nada de la diferencia de 0,25 en nDCG@5 entre A y B: "
            "la prueba no baja de p = 0,125.",
        ),
        (
            ([0.5] * 4, [0.75, 0.5, 0.5, 0.5]),
            "Con 4 queries no se puede concluir nada de la diferencia de 0,06 en nDCG@5 entre A y B: "
            "la prueba no baja de p = 0,125.",
        ),
        (
            ([0.5], [0.5]),
            "En nDCG@5, A y B dan lo mismo en la única query, y con 1 query no se puede concluir nada.",
        ),
        (
            ([0.5, 1], [0.5, 1]),
            "En nDCG@5, A y B dan lo mismo en las 2 queries, y con 2 queries no se puede concluir nada.",
        ),
        (
            ([0.5] * 6, [0.75] * 6),
            "B supera a A en 0,25 de nDCG@5 (intervalo del 95 %: 0,25 a 0,25; p = 0,031, 6 queries).",
        ),
    ],
)
def test_conclusions(columns, sentence):
    assert compared(*columns).conclusions() == [sentence]


def test_conclusions_of_several_systems_use_the_corrected_p():
    """Six queries: p could be 0.031, but three comparisons make it 0.094."""
    six = [[0.25] * 6, [0.5] * 6, [0.75] * 6]
    assert compared(*six).conclusions()[0] == (
        "Con 6 queries no se puede concluir nada de la diferencia de 0,25 en nDCG@5 entre A y B: "
        "la prueba no baja de p corregida = 0,0938."
    )
    eight = [[0.25] * 8, [0.5] * 8, [0.25] * 8]
    assert compared(*eight).conclusions() == [
        "B supera a A en 0,25 de nDCG@5 (intervalo del 95 %: 0,25 a 0,25; p corregida = 0,023, 8 queries).",
        "En nDCG@5, A y C dan lo mismo en las 8 queries.",
        "B supera a C en 0,25 de nDCG@5 (intervalo del 95 %: 0,25 a 0,25; p corregida = 0,023, 8 queries).",
    ]
    assert "p corregida (Holm): tiene en cuenta que se comparan 3 parejas." in repr(compared(*eight))
    assert "Holm" not in repr(compared(*eight[:2]))


def test_alpha_and_confidence_decide_and_are_said():
    columns = FLAT, moved(*[0.3] * 9, -0.3)
    (strict,) = compared(*columns, alpha=0.01).conclusions()
    assert strict == "La diferencia de 0,08 en nDCG@5 entre A y B cabe en el azar: p = 0,021, 30 queries."
    (wide,) = compared(*columns, confidence=0.995).conclusions()
    assert "(intervalo del 99,5 %: " in wide
    (four,) = compared([0.5] * 4, [0.75] * 4, alpha=0.2).conclusions()
    assert four.startswith("B supera a A en 0,25 de nDCG@5 (")


def test_a_difference_within_chance_is_never_called_none():
    for seed in range(20):
        for n in (1, 3, 8, 30):
            comparison = compared(*noisy(n, 0, 0.02, 0.3, seed=seed))
            for pair, sentence in zip(comparison.pairs, comparison.conclusions(), strict=True):
                assert "no hay diferencia" not in sentence
                assert ("supera" in sentence) == (pair.p_adjusted <= 0.05)
                assert "queries" in sentence or "1 query" in sentence


@pytest.mark.parametrize(
    ("k", "metrics", "main"),
    [
        ((1, 10, 5), None, "nDCG@10"),
        (3, None, "nDCG@3"),
        (3, ["precision@k", "mrr"], "Precision@3"),
        (3, "mrr", "MRR"),
    ],
)
def test_the_main_metric_is_ndcg_at_the_largest_k(k, metrics, main):
    comparison = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k, metrics=metrics)
    assert f" {main} " in comparison.conclusions()[0]
    assert f"Diferencias en {main}:" in repr(comparison)


def test_conclusions_on_another_metric():
    comparison = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k=2)
    assert " en MRR entre palabras y denso" in comparison.conclusions("mrr")[0]


@pytest.mark.parametrize(
    ("p", "alpha", "text"),
    [
        (0.41, 0.05, "= 0,41"),
        (0.0034, 0.05, "= 0,003"),
        (0.0009, 0.05, "< 0,001"),
        (0.001, 0.05, "= 0,001"),
        (1.0, 0.05, "= 1,00"),
        (0.05, 0.05, "= 0,050"),
        (0.0504, 0.05, "= 0,0504"),  # 0,050 would seem to be on the other side of alpha
        (0.04996, 0.05, "= 0,050"),
        (0.1001, 0.1, "= 0,1001"),
        (0.0008, 0.0005, "= 0,001"),
        (0.0004, 0.0005, "< 0,0005"),
    ],
)
def test_how_p_is_written(p, alpha, text):
    assert _p(p, alpha) == text


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ((0.12, 0.05, 0.19), 2),
        ((0.0, -0.1, 0.1), 2),
        ((0.12, 0.003, 0.24), 3),  # 0,00 would look like 0 itself
        ((0.01, 0.007, 0.012), 3),  # 0,01 a 0,01 would look like certainty
        ((0.0004, -0.01, 0.01), 4),
        ((0.25, 0.25, 0.25), 2),
        ((1e-17, -0.1, 0.1), 2),
    ],
)
def test_how_many_decimals_are_shown(values, digits):
    assert _digits(*values) == digits


# --- how it shows itself ------------------------------------------------------------------------------


def test_the_text():
    comparison = compare({"palabras": WORDS, "denso": DENSE}, QRELS, k=2, metrics=["recall@k", "mrr", "ndcg@k"])
    assert repr(comparison) == (
        "Métrica   palabras    denso\n"
        "--------  --------  -------\n"
        "Recall@2     0,500  ▲ 1,000\n"
        "nDCG@2       0,462  ▲ 0,754\n"
        "MRR          0,500  ▲ 0,667\n"
        "▲ la mejor media de la fila; si la diferencia cabe en el azar, lo dicen las conclusiones.\n"
        "Queries: 3.\n"
        "\n"
        "Diferencias en nDCG@2:\n"
        "Pareja                   Diferencia  Intervalo del 95 %     p  Gana  Empata  Pierde\n"
        "-----------------------  ----------  ------------------  ----  ----  ------  ------\n"
        "denso frente a palabras       0,292      -0,369 a 0,631  0,50     2       0       1\n"
        "Con 3 queries no se puede concluir nada de la diferencia de 0,29 en nDCG@2 entre palabras y denso: "
        "la prueba no baja de p = 0,25."
    )


def test_the_best_means_are_marked_alike_when_they_tie():
    lines = repr(compared([0.1 + 0.2], [0.3], [0.15])).splitlines()  # 0.1 + 0.2 is 0.30000000000000004
    assert lines[2].split() == ["nDCG@5", "▲", "0,300", "▲", "0,300", "0,150"]


def test_one_query_has_no_interval():
    comparison = compared([0.5], [0.25])
    assert " ".join(repr(comparison).splitlines()[-2].split()) == "B frente a A -0,250 — 1,00 0 0 1"
    assert np.isnan(comparison.pairs[0].interval).all()
    assert comparison.to_dict()["pairs"][0]["interval"] is None
    assert ",-0.25,,,1.0," in comparison.to_csv()


def test_nothing_shows_as_minus_zero():
    comparison = compared(FLAT, moved(-0.0001, 0.0001, -0.0002, 0.0001, 0.0001, -0.00011, 0.00001))
    assert "-0,000" not in repr(comparison)


class Table(HTMLParser):
    """Collects the cells and the attributes of an HTML table."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def test_the_html_says_the_same_as_the_text():
    comparison = compare({"palabras": WORDS, "<denso>": DENSE}, QRELS, k=2)
    table = Table(comparison._repr_html_())
    assert table.text[0] == "Medias de 2 sistemas en 3 queries"
    assert "Diferencias en nDCG@2" in table.text
    assert {"palabras", "<denso>", "▲ 0,754", *comparison.conclusions()} <= set(table.text)
    words = repr(comparison).split()
    assert all(cell in " ".join(words) for cell in table.text[1:] if cell != "Diferencias en nDCG@2")


def test_the_html_can_be_read_aloud():
    tags = Table(compare({"palabras": WORDS, "denso": DENSE}, QRELS)._repr_html_()).tags
    assert [tag for tag, _ in tags].count("caption") == 2
    headers = [attributes.get("scope") for tag, attributes in tags if tag == "th"]
    assert headers.count("row") == 5 + 1
    assert headers.count("col") == 3 + 7
    assert all("color" not in attributes.get("style", "") for _, attributes in tags)


def test_to_dict_is_json():
    comparison = compared(*noisy(12, 0, 0.1, 0.2))
    data = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert data["systems"] == ["A", "B", "C"]
    assert data["queries"] == 12
    assert data["means"]["B"]["ndcg@5"] == comparison.evaluations["B"].means["ndcg@5"]
    assert [pair["p_adjusted"] for pair in data["pairs"]] == [pair.p_adjusted for pair in comparison.pairs]
    assert data["conclusions"] == {"ndcg@5": comparison.conclusions()}
    assert (data["confidence"], data["alpha"], data["seed"]) == (0.95, 0.05, 0)


def test_to_csv_has_a_row_for_each_metric_and_pair(tmp_path):
    comparison = compare({"palabras": WORDS, 'den,"so': DENSE, "otro": WORDS}, QRELS, k=(1, 2))
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert [(row["metric"], row["a"], row["b"]) for row in rows] == [pair[:3] for pair in comparison.pairs]
    for row, pair in zip(rows, comparison.pairs, strict=True):
        assert (float(row["low"]), float(row["high"])) == pair.interval
        for name in ("mean_a", "mean_b", "difference", "p", "p_adjusted", "wins", "ties", "losses", "n"):
            assert float(row[name]) == getattr(pair, name)
    path = tmp_path / "comparación.csv"
    assert comparison.to_csv(path) is None
    assert path.read_text(encoding="utf-8") == comparison.to_csv()


def test_the_length_is_the_number_of_queries():
    assert len(compared(FLAT, FLAT)) == 30


def test_public_names():
    assert ragmetrics.compare is compare
    assert ragmetrics.Comparison is Comparison


# --- bad input ----------------------------------------------------------------------------------------

GOOD = {"A": WORDS, "B": DENSE}
OTHER_CASES = [{"query": "q1", "retrieved": ["a"], "relevant": ["z"]}]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: compare({}, QRELS), ValueError, "al menos dos sistemas y llegó ninguno"),
        (
            lambda: compare({"BM25": WORDS}, QRELS),
            ValueError,
            "al menos dos sistemas y llegó solo 'BM25'.*evaluate",
        ),
        (lambda: compare([WORDS, DENSE], QRELS), TypeError, "runs debe ser un dict nombre → run.*de tipo list"),
        (lambda: compare(None, QRELS), TypeError, "runs debe ser un dict"),
        (lambda: compare({1: WORDS, 2: DENSE}, QRELS), TypeError, "nombre de cada sistema.*texto y llegó 1"),
        (lambda: compare({"A": WORDS, " ": DENSE}, QRELS), TypeError, "nombre de cada sistema"),
        (lambda: compare(WORDS, QRELS), TypeError, "Sistema 'q1': run debe ser un dict"),
        (lambda: compare(GOOD), TypeError, "Sistema 'A': faltan los juicios"),
        (lambda: compare({"A": WORDS, "B": None}, QRELS), TypeError, "Sistema 'B': run debe ser un dict.*None"),
        (
            lambda: compare({"A": WORDS, "B": {"q1": "abc"}}, QRELS),
            TypeError,
            "Sistema 'B': Query 'q1': .*letra a",
        ),
        (
            lambda: compare({"A": WORDS, "B": {"q1": [1]}}, QRELS),
            TypeError,
            "Sistema 'B': Query 'q1': .*coincidir",
        ),
        (
            lambda: compare({"A": WORDS, "B": {"q1": {"a": float("nan")}}}, QRELS),
            ValueError,
            "Sistema 'B': Query 'q1'",
        ),
        (lambda: compare(GOOD, {"q1": {"a": float("inf")}}), ValueError, "Sistema 'A': Query 'q1': .*finito"),
        (lambda: compare(GOOD, {}), ValueError, "Sistema 'A': No queda ninguna query"),
        (lambda: compare(GOOD, {"q1": []}, no_relevant="error"), ValueError, "Sistema 'A': Hay 1 queries sin"),
        (lambda: compare(GOOD, QRELS, k=0), ValueError, "k debe ser al menos 1"),
        (lambda: compare(GOOD, QRELS, k=2.5), TypeError, "k debe ser un número entero"),
        (lambda: compare(GOOD, QRELS, k=[]), ValueError, "k está vacío"),
        (lambda: compare(GOOD, QRELS, metrics=["ndcg@5"]), ValueError, "metrics debe nombrar"),
        (lambda: compare(GOOD, QRELS, metrics=[]), ValueError, "metrics debe nombrar"),
        (lambda: compare(GOOD, QRELS, gain="log"), ValueError, "gain debe ser"),
        (lambda: compare(GOOD, QRELS, no_relevant="no"), ValueError, "no_relevant debe ser"),
        (lambda: compare(GOOD, QRELS, confidence=95), ValueError, "confidence debe ser .* entre 0 y 1"),
        (lambda: compare(GOOD, QRELS, confidence="0.95"), ValueError, "confidence debe ser un número"),
        (lambda: compare(GOOD, QRELS, alpha=0), ValueError, "alpha debe ser .* y llegó 0"),
        (lambda: compare(GOOD, QRELS, alpha=float("nan")), ValueError, "alpha .* llegó nan"),
        (lambda: compare(GOOD, QRELS, alpha=None), ValueError, "alpha .* llegó None"),
        (lambda: compare(GOOD, QRELS, seed=-1), ValueError, "seed debe ser"),
        (lambda: compare(GOOD, QRELS, seed=None), TypeError, "seed debe ser"),
        (
            lambda: compare(
                {"A": measured([0, 1], queries=["q1", "q2"]), "B": measured([0, 1], queries=["q1", "q3"])}
            ),
            ValueError,
            r"A y B no miden las mismas queries \(solo en A hay 1: \['q2'\]; solo en B hay 1: \['q3'\]\)",
        ),
        (
            lambda: compare({"A": measured([0, 1]), "B": measured([0, 1, 1])}),
            ValueError,
            r"mismas queries \(solo en B hay 1: \['q2'\]\).*mismo no_relevant",
        ),
        (
            lambda: compare({"A": measured([0, 1], queries="ab"), "B": measured([0, 1, 1], queries="aab")}),
            ValueError,
            "repetidas en distinto orden",
        ),
        (
            lambda: compare({"A": evaluate(WORDS, QRELS, k=5), "B": evaluate(DENSE, QRELS, k=(5, 10))}),
            ValueError,
            r"A se evaluó con k = \(5,\) y B, con k = \(5, 10\)",
        ),
        (lambda: compare({"A": WORDS, "B": evaluate(DENSE, QRELS, k=3)}, QRELS), ValueError, r"k = \(5,\) y B"),
        (
            lambda: compare({"A": measured([0, 1]), "B": measured([0, 1], "mrr")}, metrics="ndcg@k"),
            ValueError,
            "Sistema 'B': no tiene ndcg@5; tiene: mrr",
        ),
        (
            lambda: compare({"A": measured([0]), "B": measured([0], "mrr")}),
            ValueError,
            "ninguna métrica de los demás",
        ),
        (
            lambda: compare({"A": cases_of(WORDS), "B": OTHER_CASES}),
            ValueError,
            "Sistema 'B': la query 'q1' tiene otros documentos relevantes que en 'A'",
        ),
        (
            lambda: compare({"A": OTHER_CASES, "B": [{"query": "q1", "retrieved": ["a"], "relevant": "z"}]}),
            TypeError,
            "Sistema 'B': Query 'q1': relevant debe ser",
        ),
        (lambda: compare({"A": [{"retrieved": []}], "B": []}), ValueError, "Sistema 'A': Caso 1 .*'relevant'"),
        (
            lambda: compare({"A": OTHER_CASES, "B": OTHER_CASES}, QRELS),
            TypeError,
            "Sistema 'A': run debe ser un dict",
        ),
        (
            lambda: compared([0], [1]).differences("ndcg@5", "A", "Z"),
            ValueError,
            "ningún sistema 'Z'; los hay: A, B",
        ),
        (lambda: compared([0], [1]).differences("mrr", "A", "B"), ValueError, "métrica 'mrr'; sí: ndcg@5"),
        (lambda: compared([0], [1]).conclusions("ndcg@10"), ValueError, "métrica 'ndcg@10'; sí: ndcg@5"),
    ],
)
def test_bad_input_is_refused_in_spanish(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert type(caught.value) is error


def test_evaluations_with_other_gains_are_not_compared():
    both = {gain: evaluate(WORDS, QRELS, gain=gain) for gain in ("linear", "exponential")}
    with pytest.raises(ValueError, match="no se pueden comparar"):
        compare(both)


def test_cases_of_the_same_name_are_told_apart_when_judgments_are_compared():
    def cases(relevant):
        return [{"query": "q", "retrieved": ["a"], "relevant": ids} for ids in relevant]

    with pytest.raises(ValueError, match="otros documentos relevantes"):
        compare({"A": cases([["a"], ["b"]]), "B": cases([["z"], ["b"]])})
