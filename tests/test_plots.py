"""The figures say what the ranking holds, in shapes, text and colours that everybody can tell apart."""

import itertools

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import FancyBboxPatch

from ragmetrics import evaluate, plots
from ragmetrics.comparison import compare

matplotlib.use("Agg")

RETRIEVED, RELEVANT = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9"], ["doc_3", "doc_7", "doc_12"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def kinds(retrieved, relevant, k=None):
    strip = plots.build_strip(retrieved, relevant, k)
    return [slot.kind for slot in strip.places], [slot.text for slot in strip.missing]


@pytest.mark.parametrize(
    ("retrieved", "relevant", "k", "expected"),
    [
        (["a", "b"], ["b", "c"], None, (["other", "relevant"], ["c"])),
        (["a", "b", "c"], ["a", "c"], 2, (["relevant", "other", "late"], [])),
        (["a"], ["a"], 3, (["relevant", "empty", "empty"], [])),
        (["a", "a", "b"], ["a", "c"], 3, (["relevant", "repeated", "other"], ["c"])),
        ([7, 0], [0], 2, (["other", "relevant"], [])),
        (["a", "b", "c"], {"a": 3, "b": 0, "c": -2}, 3, (["relevant", "other", "other"], [])),
        (iter(["a", "b"]), (doc for doc in "b"), 2, (["other", "relevant"], [])),
        (["x"], {"c", "a", "b"}, 1, (["other"], ["a", "b", "c"])),
        ([], ["a"], 1, (["empty"], ["a"])),
        (["a"], [], 1, (["other"], [])),
    ],
)
def test_each_document_gets_the_kind_that_a_reader_expects(retrieved, relevant, k, expected):
    assert kinds(retrieved, relevant, k) == expected


@pytest.mark.parametrize(
    ("k", "title"),
    [
        (None, "2 de 3 relevantes en el ranking"),
        (5, "2 de 3 relevantes en el top-5"),
        (1, "0 de 3 relevantes en el top-1"),
    ],
)
def test_title_counts_what_is_before_the_cut(k, title):
    assert plots.build_strip(RETRIEVED, RELEVANT, k).title == title


def test_title_agrees_in_number():
    assert plots.build_strip(["a"], ["a"], 1).title == "1 de 1 relevante en el top-1"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (({"a"}, ["a"], 1), TypeError),
        ((["a"], ["a"], 0), ValueError),
        ((["a"], [1], 1), TypeError),
        (([["a"]], ["a"], 1), TypeError),
        ((["a"], [{"id": 1}], 1), TypeError),
        ((["a"], {"a": float("nan")}, 1), ValueError),
    ],
)
def test_bad_input_gets_the_same_errors_as_the_metrics(arguments, error):
    with pytest.raises(error, match=r"debe|no sirve|nunca pueden"):
        plots.build_strip(*arguments)


def test_strip_marks_the_relevant_by_shape_and_sign_too():
    ax = plots.ranking_strip(RETRIEVED, RELEVANT, k=3)
    boxes = {box.get_label(): box for box in ax.patches if isinstance(box, FancyBboxPatch)}
    assert list(boxes) == [
        "posición 1: doc_1 (no relevante)",
        "posición 2: doc_3 (relevante)",
        "posición 3: doc_5 (no relevante)",
        "posición 4: doc_7 (relevante, pero tras el corte)",
        "posición 5: doc_9 (no relevante)",
        "sin posición: doc_12 (relevante que no llegó)",
    ]
    shapes = [type(box.get_boxstyle()).__name__ for box in boxes.values()]
    assert shapes == ["Square", "Round", "Square", "Round", "Square", "Round"]
    assert [text.get_text() for text in ax.texts].count("✓") == 3
    (cut,) = ax.lines
    assert cut.get_label() == "Corte en k = 3"
    assert set(cut.get_xdata()) == {3}


def test_strip_without_k_has_no_cut():
    assert not plots.ranking_strip(RETRIEVED, RELEVANT).lines


def test_strip_shrinks_long_ids_to_fit_their_box():
    ax = plots.ranking_strip(["https://ejemplo.org/manual/instalar"] * 2, ["x"], k=2)
    ax.figure.canvas.draw()
    texts = [text for text in ax.texts if text.get_text().startswith("https")]
    for text, box in zip(texts, ax.patches, strict=False):
        assert text.get_window_extent().width <= box.get_window_extent().width


def test_html_strip_says_the_same_as_the_figure():
    html = plots.ranking_strip_html([*RETRIEVED, "<b>"], RELEVANT, k=3)
    assert html.count("✓") == 3
    assert html.index("doc_5") < html.index("k = 3") < html.index("doc_7") < html.index("no llegó")
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_metric_by_k_draws_the_values_of_the_metrics():
    ax = plots.metric_by_k(RETRIEVED, RELEVANT, metrics=("recall", "precision"))
    recall, precision = ax.lines
    np.testing.assert_allclose(recall.get_ydata(), [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(precision.get_ydata(), [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    assert list(recall.get_xdata()) == [1, 2, 3, 4, 5]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Recall@k", "Precision@k"]
    assert recall.get_marker() != precision.get_marker()
    assert recall.get_linestyle() != precision.get_linestyle()


def test_metric_by_k_has_spanish_labels_and_decimal_commas():
    ax = plots.metric_by_k(RETRIEVED, RELEVANT)
    assert "k" in ax.get_xlabel()
    assert ax.get_ylabel() == "Recall@k"
    assert ax.get_title(loc="left")
    ax.figure.canvas.draw()
    assert "0,2" in [label.get_text() for label in ax.get_yticklabels()]
    assert ax.get_legend() is None


def test_metric_by_k_can_go_beyond_the_ranking_and_reads_generators_once():
    ax = plots.metric_by_k(iter(["a"]), (doc for doc in "a"), metrics=tuple(plots.METRICS), max_k=40)
    assert all(len(line.get_xdata()) == 40 for line in ax.lines)
    assert all(line.get_ydata()[0] == 1.0 for line in ax.lines)
    assert len(ax.get_xticks()) <= 20


@pytest.mark.parametrize("metrics", [(), ("recall", "exactitud")])
def test_unknown_metric_is_refused_with_the_known_ones(metrics):
    with pytest.raises(ValueError, match="recall, precision, f1"):
        plots.metric_by_k(RETRIEVED, RELEVANT, metrics=metrics)


@pytest.mark.parametrize("draw", [plots.metric_by_k, plots.precision_recall])
def test_bad_rankings_leave_no_empty_figure(draw):
    with pytest.raises(TypeError, match="nunca pueden coincidir"):
        draw(RETRIEVED, [1, 2])
    assert plt.get_fignums() == []


@pytest.mark.parametrize("draw", [plots.ranking_strip, plots.metric_by_k])
def test_an_axes_can_be_passed_in_and_comes_back(draw):
    _, ax = plt.subplots()
    assert draw(RETRIEVED, RELEVANT, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


# --- many queries -------------------------------------------------------------------------------------

QRELS = {"q1": ["a"], "q2": ["b", "c"], "q3": ["d"], "q4": ["e"]}
RUN = {"q1": ["a", "x"], "q2": ["x", "b", "c"], "q3": ["x", "y"], "q4": ["x", "e"]}
OTHER_RUN = {"q1": ["x", "a"], "q2": ["x", "b", "c"], "q3": ["d"], "q4": ["e"]}
CUTS = (1, 2, 3)


def evaluation(run=RUN, k=CUTS, **options):
    return evaluate(run, QRELS, k, **options)


def random_evaluation(n, seed=0, k=(5,), name="query {}"):
    rng = np.random.default_rng(seed)
    run = {name.format(i): rng.permutation(12).tolist() for i in range(n)}
    return evaluate(run, {query: range(rng.integers(1, 4)) for query in run}, k)


def shown(ax):
    """Draw for real, so that labels have their texts and places."""
    ax.figure.canvas.draw()
    return ax


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def rows(ax):
    """Return {label without its count: (queries, values, rows)} of the points of a figure of queries."""
    return {
        line.get_label().partition(":")[0]: (line.told.names, line.get_xdata().tolist(), line.get_ydata().tolist())
        for line in ax.lines
        if hasattr(line, "told")
    }


NEW = {
    "evaluation_by_k": lambda **ax: plots.evaluation_by_k(evaluation(), ("recall", "precision"), **ax),
    "precision_recall": lambda **ax: plots.precision_recall(RETRIEVED, RELEVANT, **ax),
    "evaluation_precision_recall": lambda **ax: plots.evaluation_precision_recall(evaluation(), **ax),
    "distribution": lambda **ax: plots.distribution(evaluation(), **ax),
    "compare_queries": lambda **ax: plots.compare_queries(evaluation(), evaluation(OTHER_RUN), **ax),
}
every_new = pytest.mark.parametrize("draw", NEW.values(), ids=NEW)


@every_new
def test_new_figures_draw_on_the_axes_given_and_touch_no_other(draw):
    _, (ax, other) = plt.subplots(1, 2)
    assert draw(ax=ax) is ax
    assert ax.has_data()
    assert not other.has_data()
    assert len(plt.get_fignums()) == 1


@every_new
def test_new_figures_have_titles_labels_and_decimal_commas(draw):
    ax = shown(draw())
    assert ax.get_title(loc="left")
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    numbers = [tick.get_text() for tick in [*ax.get_xticklabels(), *ax.get_yticklabels()]]
    assert any("," in number for number in numbers)
    assert not any("." in number for number in numbers)


@every_new
def test_new_figures_do_not_warn_on_a_figure_without_layout(draw, recwarn):
    _, ax = plt.subplots(figsize=(3, 2))
    shown(draw(ax=ax))
    assert not list(recwarn)


def test_means_by_k_are_drawn_with_their_intervals():
    result = evaluation()
    ax = plots.evaluation_by_k(result, ("recall", "precision@k"))
    assert [bars.get_label() for bars in ax.containers] == ["Recall@k", "Precision@k"]
    for bars, family in zip(ax.containers, ("recall", "precision"), strict=True):
        line, _, (ends,) = bars
        assert line.get_xdata().tolist() == [1, 2, 3]
        np.testing.assert_allclose(line.get_ydata(), [result.means[f"{family}@{k}"] for k in CUTS])
        drawn = [(low, high) for (_, low), (_, high) in ends.get_segments()]
        np.testing.assert_allclose(drawn, [result.intervals[f"{family}@{k}"] for k in CUTS])
    recall, precision = (bars[0] for bars in ax.containers)
    assert recall.get_marker() != precision.get_marker()
    assert recall.get_linestyle() != precision.get_linestyle()
    assert legend(ax) == ["Recall@k", "Precision@k"]


def test_a_metric_asked_for_twice_is_drawn_once():
    assert len(plots.metric_by_k(RETRIEVED, RELEVANT, ("recall", "recall@k")).lines) == 1


def test_bars_of_several_curves_stand_apart():
    ax = shown(plots.evaluation_by_k(evaluation(), ("recall", "precision")))
    first, second = (bars[2][0] for bars in ax.containers)
    left, right = (bars.get_transform().transform((1, 0.5))[0] for bars in (first, second))
    assert right - left == pytest.approx(5 / 72 * ax.figure.dpi)


def test_systems_are_compared_in_one_metric_by_k():
    systems = {"BM25": evaluation(), "_denso": evaluation(OTHER_RUN)}
    ax = plots.evaluation_by_k(systems, "ndcg")
    assert legend(ax) == ["BM25", "«_denso»"]
    assert ax.get_ylabel() == "nDCG@k"
    for bars, result in zip(ax.containers, systems.values(), strict=True):
        np.testing.assert_allclose(bars[0].get_ydata(), [result.means[f"ndcg@{k}"] for k in CUTS])


def test_title_says_the_sample_and_its_interval():
    def title(systems):
        return plots.evaluation_by_k(systems).get_title("left")

    assert title(evaluation()) == "Media de 4 queries, con su intervalo del 95 %"
    assert title({"BM25": evaluation(confidence=0.9)}) == "BM25: Media de 4 queries, con su intervalo del 90 %"
    sizes = {"a": random_evaluation(3, k=(1, 2)), "b": random_evaluation(5, k=(1, 2))}
    assert title(sizes) == "Media de 3 a 5 queries, con su intervalo del 95 %"


def test_one_query_has_no_interval():
    one = evaluate({"q": ["a", "x"]}, {"q": ["a"]}, k=(1, 2))
    ax = plots.evaluation_by_k(one, "precision")
    assert ax.get_title("left") == "Una sola query, sin intervalo"
    (line,) = ax.lines
    assert line.get_ydata().tolist() == [1.0, 0.5]


def test_what_compare_returns_can_be_drawn():
    comparison = compare({"BM25": RUN, "denso": OTHER_RUN}, QRELS, k=CUTS)
    assert legend(plots.evaluation_by_k(comparison)) == ["BM25", "denso"]
    assert legend(plots.evaluation_precision_recall(comparison)) == ["BM25", "denso"]
    ax = plots.compare_queries(comparison, metric="mrr")
    pair = next(pair for pair in comparison.pairs if pair.metric == "mrr")
    assert legend(ax)[:3] == [
        f"gana denso: {pair.wins} queries",
        f"empatan: {pair.ties} query",
        f"gana BM25: {pair.losses} query",
    ]
    swapped = plots.compare_queries(comparison, metric="mrr", names=("denso", "BM25"))
    assert legend(swapped)[0] == "gana BM25: 1 query"


def test_a_dcg_above_1_fits():
    ax = plots.evaluation_by_k(
        evaluate({"q": list("abc"), "p": list("abc")}, {"q": set("abc"), "p": set("abc")}, k=CUTS), "dcg"
    )
    assert ax.get_ylim()[1] > max(ax.containers[0][0].get_ydata()) > 2


@pytest.mark.parametrize(
    ("cuts", "scale"),
    [((1, 3, 5, 10), "linear"), (range(1, 101), "linear"), ((1, 3, 5, 10, 100), "log"), ((1, 1000), "linear")],
)
def test_labels_of_the_cuts_never_overlap(cuts, scale):
    ax = shown(plots.evaluation_by_k(random_evaluation(3, k=cuts)))
    assert ax.get_xscale() == scale
    assert ("logarítmica" in ax.get_xlabel()) == (scale == "log")
    boxes = [tick.get_window_extent() for tick in ax.get_xticklabels()]
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))
    texts = [tick.get_text() for tick in ax.get_xticklabels()]
    assert {texts[0], texts[-1]} == {str(min(cuts)), str(max(cuts))}


def test_precision_recall_follows_the_cuts():
    ax = plots.precision_recall(RETRIEVED, RELEVANT)
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_xdata(), [0, 1 / 3, 1 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(line.get_ydata(), [0, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    assert [text.get_text() for text in ax.texts] == ["k=1", "k=5", "k=2", "k=4", "k=3"]
    assert len(plots.precision_recall(iter("ab"), iter("b"), max_k=7).lines[0].get_xdata()) == 7
    assert plots.precision_recall([], ["a"]).lines[0].get_xydata().tolist() == [[0, 0]]


@pytest.mark.parametrize("relevant", [[0], range(0, 100, 7), range(100)])
def test_labels_of_precision_recall_never_overlap(relevant):
    ax = shown(plots.precision_recall(range(100), relevant))
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert {"k=1", "k=100"} <= {text.get_text() for text in ax.texts}


def test_mean_precision_and_recall_of_many_queries():
    result = evaluation()
    ax = plots.evaluation_precision_recall(result)
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_xdata(), [result.means[f"recall@{k}"] for k in CUTS])
    np.testing.assert_allclose(line.get_ydata(), [result.means[f"precision@{k}"] for k in CUTS])
    assert ax.get_legend() is None
    two = plots.evaluation_precision_recall({"BM25": result, "denso": evaluation(OTHER_RUN)})
    assert legend(two) == ["BM25", "denso"]
    assert two.lines[0].get_marker() != two.lines[1].get_marker()


def test_distribution_goes_from_the_worst_query_to_the_best():
    ax = plots.distribution(evaluation(), "mrr")
    assert rows(ax) == {
        "valen 0": (["q3"], [0.0], [1]),
        "entre 0 y 1": (["q2", "q4"], [0.5, 0.5], [2, 3]),
        "valen 1": (["q1"], [1.0], [4]),
    }
    assert legend(ax) == ["valen 0: 1 query", "entre 0 y 1: 2 queries", "valen 1: 1 query", "media: 0,500"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["q3", "q2", "q4", "q1"]
    assert ax.yaxis_inverted()
    mean = ax.lines[-1]
    assert set(mean.get_xdata()) == {0.5}
    assert len({line.get_marker() for line in ax.lines}) == 4


def test_distribution_takes_ndcg_at_the_largest_k_unless_told():
    assert plots.distribution(evaluation()).get_xlabel() == "nDCG@3"


def test_a_dcg_of_1_is_not_the_best_one():
    ax = plots.distribution(evaluation(), "dcg@3")
    assert list(rows(ax)) == ["valen 0", "más de 0"]
    assert ax.get_xlim()[1] > evaluation().values["dcg@3"].max()


def test_comparison_puts_wins_ties_and_losses_in_order():
    a, b = evaluation(), evaluation(OTHER_RUN)
    ax = plots.compare_queries(a, b, "mrr", names=("BM25", "denso"))
    assert rows(ax) == {
        "gana denso": (["q3", "q4"], [1.0, 0.5], [1, 2]),
        "empatan": (["q2"], [0.0], [3]),
        "gana BM25": (["q1"], [-0.5], [4]),
    }
    assert legend(ax) == [
        "gana denso: 2 queries",
        "empatan: 1 query",
        "gana BM25: 1 query",
        "diferencia media: +0,250",
    ]
    assert ax.get_xlabel() == "← gana BM25   ·   gana denso →"
    low, high = ax.get_xlim()
    assert low == -high
    assert [line.get_marker() for line in ax.lines[:3]] == [">", "s", "<"]


def test_comparison_pairs_queries_by_name():
    shuffled = evaluate(dict(reversed(OTHER_RUN.items())), dict(reversed(QRELS.items())), CUTS)
    in_order, paired = (plots.compare_queries(evaluation(), b, "mrr") for b in (evaluation(OTHER_RUN), shuffled))
    assert rows(paired) == rows(in_order)


def test_values_that_differ_by_rounding_are_ties():
    a, b = evaluation(), evaluation()
    b.values["mrr"] = b.values["mrr"] + 1e-15
    assert plots.compare_queries(a, b, "mrr").get_legend().get_texts()[1].get_text() == "empatan: 4 queries"


@pytest.mark.parametrize("n", [1, 2, 30, 31, 10_000])
def test_any_number_of_queries_fits(n, recwarn):
    a, b = random_evaluation(n, 1), random_evaluation(n, 2)
    for ax in (plots.distribution(a), plots.compare_queries(a, b)):
        shown(ax)
        assert sum(len(values) for _, values, _ in rows(ax).values()) == n
        assert ax.figure.get_figheight() <= 8
        names = [tick.get_text() for tick in ax.get_yticklabels()]
        assert (names[-1].startswith("query")) == (n <= 30)
        boxes = [tick.get_window_extent() for tick in ax.get_yticklabels()]
        assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))
    assert not list(recwarn)


def test_long_names_stay_inside_the_figure():
    long = "¿Cuánto cuesta $5 o $10 en la aplicación móvil si además tengo el descuento de familia numerosa? {}"
    a = random_evaluation(5, name=long)
    systems = ("híbrido con reranking por cross-encoder de la casa", "denso multilingual-e5-large-instruct_v2")
    for ax in (
        plots.compare_queries(a, a, names=systems),
        plots.distribution(a),
        plots.evaluation_by_k(dict.fromkeys(systems, random_evaluation(5, k=(1, 2)))),
    ):
        shown(ax)
        names = [tick for tick in ax.get_yticklabels() if tick.get_text().startswith("¿")]
        texts = [*names, *ax.get_legend().get_texts(), ax.xaxis.label, ax.yaxis.label]
        whole = ax.figure.bbox
        for text in texts:
            box = text.get_window_extent()
            assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text
            assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text
        assert ax.get_window_extent().width > 150


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: plots.evaluation_by_k(evaluation(), "exactitud"),
            "recall, precision, f1, .*ndcg; llegó 'exactitud'",
        ),
        (lambda: plots.evaluation_by_k(evaluation(), ()), "llegó ninguna"),
        (lambda: plots.evaluation_by_k(evaluation(k=5)), r"un solo corte, k = 5, .*k=\(1, 3, 5, 10\)"),
        (lambda: plots.evaluation_by_k(evaluation(metrics=["mrr"])), "evalúa otra vez"),
        (lambda: plots.evaluation_by_k(dict.fromkeys("ab", evaluation()), ("recall", "f1")), "una sola métrica"),
        (lambda: plots.evaluation_by_k({}), "entre 1 y 8 sistemas"),
        (lambda: plots.evaluation_by_k(dict.fromkeys("abcdefghi", evaluation())), "llegaron 9"),
        (lambda: plots.evaluation_precision_recall(evaluation(k=3)), "un solo corte"),
        (lambda: plots.evaluation_precision_recall(evaluation(metrics=["recall@k"])), "llegó 'precision'"),
        (lambda: plots.distribution(evaluation(), "recall"), "las hay: recall@1"),
        (lambda: plots.compare_queries(evaluation(), evaluation(), "f1"), "las hay: recall@1"),
        (lambda: plots.compare_queries(evaluation(), random_evaluation(4, k=CUTS)), "mismas queries"),
        (lambda: plots.compare_queries(evaluation(), evaluation(), names=("A", "A")), "dos nombres distintos"),
        (lambda: plots.compare_queries(evaluation(), evaluation(), names="AB"), "dos nombres distintos"),
        (
            lambda: plots.compare_queries(compare({"a": RUN, "b": OTHER_RUN}, QRELS), names=("a", "c")),
            "ningún sistema 'c'; los hay: a, b",
        ),
    ],
)
def test_impossible_figures_say_what_to_do(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plots.evaluation_by_k({"recall@5": 0.5}),
        lambda: plots.evaluation_precision_recall(RETRIEVED),
        lambda: plots.distribution(RUN),
        lambda: plots.compare_queries(evaluation(), RUN),
        lambda: plots.compare_queries(evaluation()),
        lambda: plots.compare_queries(compare({"a": RUN, "b": OTHER_RUN}, QRELS), "ndcg@5"),
    ],
)
def test_other_things_than_evaluations_are_refused(draw):
    with pytest.raises(TypeError, match=r"evaluate\(|compare"):
        draw()
    assert plt.get_fignums() == []


# --- colours and shapes -------------------------------------------------------------------------------


def test_outcomes_of_queries_differ_in_shape_and_use_the_palette():
    for outcomes in (("zero", "between", "one"), ("first", "tie", "second")):
        assert len({plots.GROUPS[outcome].marker for outcome in outcomes}) == 3
        assert {plots.GROUPS[outcome].color for outcome in outcomes} <= set(plots.PALETTE)


def test_every_metric_has_its_own_look():
    looks = [(style.color, style.marker, style.dash) for style in plots.METRICS.values()]
    assert len(set(looks)) == len(looks)
    assert len({style.marker for style in plots.METRICS.values()}) == len(looks)


# Severity 1.0 of Machado, Oliveira and Fernandes (2009), doi:10.1109/TVCG.2009.113, on linear RGB.
VISION = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear_rgb(color):
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    dark, light = sorted(float(XYZ[1] @ linear_rgb(color)) for color in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    ratio = XYZ @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.089]
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("color", plots.PALETTE)
def test_palette_stands_out_from_paper(color):
    assert contrast(color, plots.PAPER) >= 3


def test_texts_are_readable_on_their_box():
    assert all(contrast(kind.text, kind.fill) >= 4.5 for kind in plots.KINDS.values())


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(plots.PALETTE, 2)))
def test_palette_stays_apart_for_colour_blind_eyes(vision, one, other):
    seen = [lab(VISION[vision] @ linear_rgb(color)) for color in (one, other)]
    assert np.linalg.norm(seen[0] - seen[1]) >= 15


def test_ids_with_dollars_are_drawn_as_they_are(tmp_path):
    ax = plots.ranking_strip(["precio_5$_y_7$", "$\\frac$"], ["$a$"], 2)
    ax.figure.savefig(tmp_path / "strip.png")
