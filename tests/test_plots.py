"""The figures say what the ranking holds, in shapes, text and colours that everybody can tell apart."""

import itertools

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import FancyBboxPatch

from ragmetrics import plots

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


@pytest.mark.parametrize("draw", [plots.ranking_strip, plots.metric_by_k])
def test_an_axes_can_be_passed_in_and_comes_back(draw):
    _, ax = plt.subplots()
    assert draw(RETRIEVED, RELEVANT, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


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
