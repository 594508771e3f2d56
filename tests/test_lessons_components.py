"""What the lessons show: figures with alternative text, quizzes, practice questions and the explorer."""

import json
import re
from html.parser import HTMLParser

import matplotlib
import matplotlib.pyplot as plt
import pytest

from ragmetrics import RetrievalEvaluator, evaluate
from ragmetrics.lessons import check, explorer, quiz, show
from ragmetrics.lessons.execute import WIDGET_VIEW, normalize
from ragmetrics.lessons.explorer import FALLBACK, Ranking
from ragmetrics.lessons.figures import describe
from ragmetrics.plots import (
    compare_queries,
    distribution,
    evaluation_by_k,
    evaluation_precision_recall,
    metric_by_k,
    precision_recall,
    ranking_strip,
)

matplotlib.use("Agg")

RETRIEVED, RELEVANT = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9"], ["doc_3", "doc_7", "doc_12"]


class Tags(HTMLParser):
    """Collects the tags of a piece of HTML and checks that they nest."""

    def __init__(self, html):
        super().__init__()
        self.found, self.open = [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def named(self, tag):
        return [attrs for name, attrs in self.found if name == tag]


def bundle(output):
    return output._repr_mimebundle_()


# --- figures ------------------------------------------------------------------------------------------


def test_show_gives_an_image_with_its_data_as_alternative_text():
    data = bundle(show(metric_by_k(RETRIEVED, RELEVANT, metrics=("recall", "precision"))))
    (image,) = Tags(data["text/html"]).named("img")
    assert image["src"].startswith("data:image/png;base64,iVBOR")
    assert (
        image["alt"]
        == data["text/plain"]
        == (
            "Según cambia k. Eje horizontal: k: cuántos documentos se miran. Eje vertical: valor de la métrica. "
            "Recall@k: 1 → 0,000; 2 → 0,333; 3 → 0,333; 4 → 0,667; 5 → 0,667. "
            "Precision@k: 1 → 0,000; 2 → 0,500; 3 → 0,333; 4 → 0,500; 5 → 0,400."
        )
    )


def test_alternative_text_of_a_strip_names_its_documents():
    assert describe(ranking_strip(["a", "b"], ["b", "c"], k=1).figure) == (
        "0 de 2 relevantes en el top-1. Posición 1: a (no relevante); "
        "posición 2: b (relevante, pero tras el corte); sin posición: c (relevante que no llegó). Corte en k = 1."
    )


def test_alternative_text_comes_from_the_data_drawn():
    before = describe(metric_by_k(["a", "b"], ["a"]).figure)
    assert describe(metric_by_k(["b", "a"], ["a"]).figure) != before


def test_alternative_text_can_be_given_and_is_escaped():
    html = bundle(show(plt.figure(), alt='<"a" & b>'))["text/html"]
    assert Tags(html).named("img")[0]["alt"] == '<"a" & b>'
    assert describe(plt.figure()) == "Figura vacía."


def test_show_closes_the_figure_so_that_it_is_not_shown_twice():
    plt.close("all")
    show(ranking_strip(RETRIEVED, RELEVANT))
    assert plt.get_fignums() == []


QRELS = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}


def answers(*positions, k=(1, 2)):
    """Evaluate queries whose only relevant document comes at these positions (0: it does not come)."""
    run = {
        query: [relevant if place == position else f"x{place}" for place in (1, 2)]
        for (query, (relevant,)), position in zip(QRELS.items(), positions, strict=True)
    }
    return evaluate(run, QRELS, k)


def many(n, k):
    """Evaluate n queries; half of them find their document, first."""
    return evaluate({i: [0, 1, 2] for i in range(n)}, {i: [0 if i % 2 else 9] for i in range(n)}, k)


def test_alternative_text_of_means_by_k_has_their_intervals():
    result = answers(1, 2, 0)
    first, second = (
        " a ".join(f"{end:.3f}".replace(".", ",") for end in result.intervals[f"recall@{k}"]) for k in (1, 2)
    )
    alt = describe(evaluation_by_k(result).figure)
    assert alt == (
        "Media de 3 queries, con su intervalo del 95 %. Eje horizontal: k: cuántos documentos se miran. "
        f"Eje vertical: Recall@k. Recall@k: 1 → 0,333 ({first}); 2 → 0,667 ({second})."
    )
    assert bundle(show(evaluation_by_k(result)))["text/plain"] == alt


def test_alternative_text_of_several_systems_names_each():
    alt = describe(evaluation_by_k({"BM25": answers(1, 2, 0), "denso": answers(1, 1, 1)}, "mrr").figure)
    assert "BM25: 1 → 0,333 (" in alt
    assert alt.endswith("denso: 1 → 1,000 (1,000 a 1,000); 2 → 1,000 (1,000 a 1,000).")


def test_alternative_text_of_a_distribution_names_its_queries():
    assert describe(distribution(answers(1, 2, 0), "mrr").figure) == (
        "MRR de 3 queries. Eje horizontal: MRR. Eje vertical: queries, de peor a mejor. "
        "Valen 0: 1 query (q3 → 0,000). Entre 0 y 1: 1 query (q2 → 0,500). Valen 1: 1 query (q1 → 1,000). "
        "Media: 0,500."
    )


def test_alternative_text_of_a_comparison_names_its_queries():
    figure = compare_queries(answers(1, 2, 0), answers(2, 1, 0), "mrr", names=("BM25", "denso")).figure
    assert describe(figure) == (
        "Diferencia de MRR en 3 queries. Eje horizontal: ← gana BM25 · gana denso →. "
        "Eje vertical: queries, según su diferencia. Gana denso: 1 query (q2 → 0,500). "
        "Empatan: 1 query (q3 → 0,000). Gana BM25: 1 query (q1 → −0,500). Diferencia media: 0,000."
    )


def test_alternative_text_of_many_queries_is_a_summary():
    alt = describe(distribution(many(1000, k=3), "mrr").figure)
    assert alt.endswith(
        "1000 queries: mínimo 0,000, mediana 0,500, máximo 1,000. Valen 0: 500 queries. Entre 0 y 1: 0 queries. "
        "Valen 1: 500 queries. Media: 0,500."
    )
    alt = describe(compare_queries(many(21, k=3), many(21, k=3)).figure)
    assert "21 queries: mínimo 0,000, mediana 0,000, máximo 0,000. Gana B: 0 queries. Empatan: 21 queries." in alt


def test_alternative_text_of_precision_recall_tells_each_cut():
    axes = "Eje horizontal: Recall@k. Eje vertical: Precision@k. "
    assert describe(precision_recall(["a", "b"], ["b", "c"]).figure) == (
        f"Precision y recall en cada corte. {axes}Cortes: k = 1 → 0,000 y 0,000; k = 2 → 0,500 y 0,500."
    )
    assert describe(evaluation_precision_recall({"BM25": answers(1, 2, 0)}).figure) == (
        f"Precision y recall en cada corte: media de 3 queries. {axes}"
        "BM25: k = 1 → 0,333 y 0,333; k = 2 → 0,667 y 0,333."
    )


def test_alternative_text_of_many_cuts_is_a_summary():
    assert describe(precision_recall(range(40), [0]).figure).endswith(
        "Cortes: 40 puntos; en horizontal, mínimo 1,000, mediana 1,000, máximo 1,000; en vertical, mínimo 0,025, "
        "mediana 0,049, máximo 1,000; el primero, k = 1 → 1,000 y 1,000; el último, k = 40 → 1,000 y 0,025."
    )
    assert describe(evaluation_by_k(many(4, k=range(1, 31)), "precision").figure).endswith(
        "Precision@k: 30 puntos; mínimo 0,017, mediana 0,032, máximo 0,500; "
        "el primero, 1 → 0,500; el último, 30 → 0,017."
    )


def test_error_bars_and_bars_of_a_lesson_of_its_own_do_not_stop_the_alternative_text():
    _, ax = plt.subplots()
    ax.errorbar([1, 2], [3, 4], xerr=1, label="horizontal")
    ax.errorbar([1, 2], [3, 4], label="sin barras")
    ax.bar([1], [2], label="columna")
    assert describe(ax.figure)


# --- quiz ---------------------------------------------------------------------------------------------


def question(**changes):
    options = [
        {"text": "1/2", "correct": True, "feedback": "Sí."},
        {"text": "`k < 1`", "correct": False, "feedback": "No."},
    ]
    return {"question": "¿Cuánto?", "options": options, **changes}


def write(folder, data):
    path = folder / "preguntas.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_quiz_opens_each_answer_without_javascript(tmp_path):
    data = bundle(quiz(write(tmp_path, {"questions": [question(), question()]})))
    tags = Tags(data["text/html"])
    assert len(tags.named("details")) == len(tags.named("summary")) == 4
    assert not tags.named("script")
    assert not any(name.startswith("on") for _, attrs in tags.found for name in attrs)
    assert "✓ Correcto." in data["text/html"]
    assert "✗ Todavía no." in data["text/html"]
    assert re.search(r"<code[^>]*>k &lt; 1</code>", data["text/html"])


def test_quiz_is_the_same_each_time_and_its_plain_text_gives_no_answer_away(tmp_path):
    path = write(tmp_path, {"questions": [question()]})
    assert bundle(quiz(path)) == bundle(quiz(path))
    assert bundle(quiz(path))["text/plain"] == "1. ¿Cuánto?\n   a) 1/2\n   b) `k < 1`"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "no es JSON válido"),
        ([], "no tiene preguntas"),
        ({"questions": []}, "no tiene preguntas"),
        ({"questions": [question(question=" ")]}, 'pregunta 1: falta el texto en "question"'),
        ({"questions": [question(), question(options=[])]}, "pregunta 2: .*entre dos y diez"),
        ({"questions": [question(options=[{"text": "a", "correct": True}] * 2)]}, 'opción a le falta "feedback"'),
        ({"questions": [question(options=[{"feedback": "a"}, {}])]}, 'opción a le falta "text"'),
        ({"questions": [question(options=[{"text": "a", "feedback": "b"}] * 2)]}, "exactamente una .* y hay 0"),
        (
            {"questions": [question(options=[{"text": "a", "feedback": "b", "correct": True}] * 2)]},
            "exactamente una .* y hay 2",
        ),
    ],
)
def test_quiz_says_what_is_wrong_with_its_data(tmp_path, data, message):
    with pytest.raises(ValueError, match=message):
        quiz(write(tmp_path, data))


def test_quiz_says_which_file_is_missing():
    with pytest.raises(FileNotFoundError, match=r"otra\.json"):
        quiz("otra.json")


# --- practice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected", "verdict"),
    [
        (None, 0.5, "Escribe tu respuesta"),
        (..., 0.5, "Escribe tu respuesta"),
        (0.5, 0.5, "¡Correcto!"),
        (0.67, 2 / 3, "¡Correcto!"),
        (1, 1.0, "¡Correcto!"),
        ("0.67", 2 / 3, "¡Correcto!"),
        (0.6, 2 / 3, "Todavía no"),
        (67, 2 / 3, "porcentaje"),
        (0, 0.5, "Todavía no"),
        (float("nan"), 0.5, "Todavía no"),
        ((0, 25), 0.25, "con punto: 0.25."),
        ("0,67", 2 / 3, "con punto: 0.67."),
        ((0.25,), 0.25, "Escribe un número"),
        ("dos tercios", 2 / 3, "Escribe un número"),
        ([0.5], 0.5, "Escribe un número"),
    ],
)
def test_practice_verdicts(capsys, answer, expected, verdict):
    check(answer, expected)
    out, err = capsys.readouterr()
    assert verdict in out
    assert out.count("\n") == 1
    assert err == ""


# --- explorer -----------------------------------------------------------------------------------------


def test_ranking_moves_marks_and_measures():
    ranking = Ranking(RETRIEVED, RELEVANT, k=5)
    assert ranking.metrics() == RetrievalEvaluator(k=5).evaluate_all(RETRIEVED, RELEVANT)
    assert ranking.move(1, -1) == 0
    assert ranking.retrieved[:2] == ["doc_3", "doc_1"]
    assert ranking.metrics()["mrr"] == 1.0
    ranking.mark("doc_12", False)
    ranking.mark("doc_12", False)
    assert ranking.metrics()["recall@k"] == 1.0
    ranking.mark("doc_5", True)
    assert ranking.relevant == ["doc_3", "doc_7", "doc_5"]


@pytest.mark.parametrize(("index", "step"), [(0, -1), (4, 1)])
def test_ranking_stops_at_its_ends(index, step):
    ranking = Ranking(RETRIEVED, RELEVANT)
    assert ranking.move(index, step) == index
    assert ranking.retrieved == RETRIEVED


def test_ranking_explains_each_metric():
    assert [
        (name, why, round(value, 3)) for name, why, value in Ranking(RETRIEVED, RELEVANT).explained_metrics()
    ] == [
        ("Recall@5", "2 de 3 relevantes", 0.667),
        ("Precision@5", "2 de 5 posiciones", 0.4),
        ("F1@5", "media armónica de las dos", 0.5),
        ("RR", "primer relevante: posición 2", 0.5),
        ("nDCG@5", "aciertos según su posición", 0.498),
    ]
    assert Ranking(["a"], [], k=1).explained_metrics()[3][1] == "no llegó ningún relevante"


def test_ranking_keeps_the_callers_lists():
    retrieved, relevant = list(RETRIEVED), list(RELEVANT)
    ranking = Ranking(retrieved, relevant)
    ranking.move(0, 1)
    ranking.mark("doc_1", True)
    assert (retrieved, relevant) == (RETRIEVED, RELEVANT)


def test_ranking_reads_gains_and_refuses_sets():
    assert Ranking(["a"], {"a": 0, "b": 2}, k=1).relevant == ["b"]
    with pytest.raises(TypeError, match="orden"):
        Ranking({"a"}, ["a"])


@pytest.mark.parametrize(("k", "error"), [("5", TypeError), (0, ValueError)])
def test_explorer_says_what_is_wrong_with_k(k, error):
    with pytest.raises(error, match="k debe ser"):
        explorer(["a"], ["a"], k=k)


def test_explorer_widgets_follow_and_drive_the_ranking():
    shown = explorer(RETRIEVED, RELEVANT, k=5)
    assert "0,667" in shown.panel.value
    shown.cut.value = 2
    assert "Recall@2" in shown.panel.value
    assert "0,333" in shown.panel.value
    shown.marks[0].value = True
    assert shown.marks[0].description == "✓ doc_1 (relevante)"
    assert "2 de 4 relevantes" in shown.panel.value
    shown.downs[0].click()
    assert [mark.value for mark in shown.marks] == [True, True, False, True, False]
    assert shown.marks[1].description == "✓ doc_1 (relevante)"
    assert shown.ranking.retrieved[:2] == ["doc_3", "doc_1"]
    shown.ups[1].click()
    assert shown.ranking.retrieved == RETRIEVED
    shown.reset.click()
    assert shown.cut.value == 5
    assert shown.ranking.relevant == RELEVANT
    assert [mark.value for mark in shown.marks] == [False, True, False, True, False]


def test_focus_follows_the_document_that_moves(monkeypatch):
    shown = explorer(["a", "b", "c"], ["a"], k=2)
    focused = []
    for arrows, name in ((shown.ups, "▲"), (shown.downs, "▼")):
        for index, arrow in enumerate(arrows):
            monkeypatch.setattr(arrow, "focus", lambda name=name, index=index: focused.append((name, index)))
    shown.ups[2].click()
    shown.ups[1].click()
    assert focused == [("▲", 1), ("▼", 0)]


def test_moving_and_marking_are_in_spanish_for_assistive_tools_too():
    shown = explorer(["a", "b"], ["a"], k=2)
    assert [shown.ups[1].tooltip, shown.downs[0].tooltip] == ["Subir b", "Bajar a"]
    assert shown.marks[0].tooltip == "Marcar o desmarcar a como relevante"


def test_explorer_without_a_kernel_shows_its_first_state():
    data = bundle(explorer(RETRIEVED, RELEVANT))
    assert data["text/plain"] == FALLBACK
    assert "2 de 3 relevantes en el top-5" in data["text/html"]
    assert data == {**bundle(explorer(RETRIEVED, RELEVANT)), WIDGET_VIEW: data[WIDGET_VIEW]}
    Tags(data["text/html"])


@pytest.mark.parametrize(("retrieved", "k"), [([], 3), (["a"], 1), (["a"], 9)])
def test_explorer_accepts_short_rankings(retrieved, k):
    assert f"Recall@{k}" in explorer(retrieved, ["a"], k=k).panel.value


# --- execute ------------------------------------------------------------------------------------------


def test_normalize_keeps_outputs_and_drops_what_changes_from_run_to_run():
    import nbformat

    data = {"text/html": "<p>", "text/plain": "p", WIDGET_VIEW: {"model_id": "1"}}
    output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
    cell = nbformat.v4.new_code_cell("p", outputs=[output], metadata={"scrolled": True, "tags": ["a"]})
    notebook = nbformat.v4.new_notebook(
        cells=[cell], metadata={"widgets": {}, "kernelspec": {"name": "otro", "display_name": "Otro"}}
    )
    normalize(notebook)
    assert notebook.metadata.kernelspec["name"] == "python3"
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert cell.metadata == {"tags": ["a"]}
    assert set(cell.outputs[0].data) == {"text/html", "text/plain"}
