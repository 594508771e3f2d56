"""Cases: what an answer is asked, and why. The right results come from the exercise's reference.

A graded cell holds the cases that give points, in groups of behaviour. The probes below give none: they are
asked as well when an answer fails, because between them they set the misconceptions apart. They are public,
so nothing that only hidden checks ask may be found here.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """One call of the answer; `why` says, in Spanish, what it is there for."""

    why: str
    args: tuple[Any, ...]


class MustRaise(NamedTuple):
    """Calls that make no sense: at least one has to end in an error, or the answer hides its errors."""

    why: str
    calls: tuple[tuple[Any, ...], ...]


class Group(NamedTuple):
    """Cases about one behaviour; its points are earned when all of them are right."""

    behaviour: str
    points: float
    cases: tuple[Case | MustRaise, ...]


# One query: (retrieved, relevant, k), without repeats.
QUERY = (
    Case("el ejemplo de la lección", ([1, 3, 5, 7, 9], [3, 7, 12], 5)),
    Case("dos de tres, con un relevante que no llega", (["a", "b", "c", "d", "e"], ["a", "c", "z"], 3)),
    Case("k = 1, con un acierto y dos relevantes", (["a", "b", "c"], ["a", "c"], 1)),
    Case("sin relevantes", (["a", "b"], [], 3)),
    Case("nada recuperado", ([], ["a"], 3)),
    Case("los relevantes, justo después del corte", (["x", "y", "a", "b"], ["a", "b"], 2)),
    Case("el último antes del corte", (["x", "y", "a"], ["a"], 3)),
    Case("llegan menos de k y falta un relevante", (["a"], ["a", "b"], 3)),
    Case("llegan menos de k, el acierto el segundo", (["x", "a"], ["a", "b"], 5)),
    Case("más relevantes que k", (["a", "x", "b", "c"], ["a", "b", "c", "e", "f", "g"], 4)),
    Case("un relevante en medio y otro tras el corte", (["x", "a", "y", "z", "b"], ["b", "a"], 3)),
    Case("todos arriba y sobran sitios", (["b", "a", "x", "y", "z", "w"], ["a", "b"], 4)),
    Case("k mayor que todo lo recuperado", (["x", "a", "y", "b"], ["a", "b"], 9)),
    Case("ids que solo cambian en las mayúsculas", (["Doc_A", "doc_b", "DOC_C"], ["doc_a", "doc_b", "z"], 3)),
    Case("un id contenido en otro", (["doc_1", "doc_2", "doc_33"], ["doc_12", "doc_33"], 3)),
    Case("un id que es 0", ([4, 0, 2], [0, 7], 3)),
    Case("ids que no vienen ordenados", (["m", "z", "b", "q", "a"], ["z", "a", "b", "y"], 3)),
    Case("el primer relevante, en la posición 5", (["x", "y", "z", "w", "a", "b"], ["b", "a"], 5)),
    Case("el primero y el cuarto", (["a", "x", "y", "b", "c", "z"], ["c", "b", "a"], 4)),
)

# The whole ranking: (retrieved, relevant).
RANKING = tuple(Case(case.why, case.args[:2]) for case in QUERY)

# Graded judgments: (retrieved, gains, k).
GRADED = (
    Case("ganancias 3, 2 y 1 en el orden 2, 3, 1", (["d2", "d3", "d1"], {"d1": 1, "d2": 2, "d3": 3}, 3)),
    Case("el orden perfecto", (["d3", "d2", "d1"], {"d1": 1, "d2": 2, "d3": 3}, 3)),
    Case("el mejor no llega", (["d2", "x", "d1"], {"d1": 1, "d2": 2, "d3": 3}, 3)),
    Case("k = 1, con el segundo mejor", (["d2", "d3"], {"d3": 3, "d2": 2}, 1)),
    Case("sin ganancias", (["a", "b"], {}, 3)),
    Case("ningún acierto", (["x", "y", "z"], {"a": 2, "b": 1}, 3)),
    Case("nada recuperado", ([], {"a": 2}, 3)),
    Case("solo lo peor, y llegan menos de k", (["c"], {"a": 3, "b": 2, "c": 1}, 4)),
    Case("lo bueno, después del corte", (["x", "c", "a"], {"a": 3, "c": 1}, 2)),
    Case("una ganancia con decimales", (["b", "a"], {"a": 1.5, "b": 0.5}, 2)),
    Case("una ganancia 0", (["a", "b", "c"], {"a": 0, "b": 2, "c": 1}, 3)),
    Case("una ganancia negativa", (["a", "b"], {"a": -2, "b": 2}, 2)),
    Case("más ganancias que k", (["b", "d", "a"], {"a": 3, "b": 2, "c": 2, "d": 1, "e": 1}, 2)),
)


def _queries(*pairs: tuple[list[Any], list[Any]]) -> tuple[list[dict[str, Any]]]:
    cases = [{"query": f"q{i}", "retrieved": r, "relevant": g} for i, (r, g) in enumerate(pairs, start=1)]
    return (cases,)


# Many queries: a list of dicts with query, retrieved and relevant.
QUERIES = (
    Case("posiciones 2 y 1", _queries((["x", "a", "b"], ["a", "b"]), (["c"], ["c"]))),
    Case("posiciones 1 y 4", _queries((["a", "x"], ["a"]), (["x", "y", "z", "b"], ["b"]))),
    Case("una query sin acierto", _queries((["a", "x"], ["a"]), (["x", "y"], ["b"]))),
    Case("la query sin acierto es la primera", _queries((["x", "y"], ["b"]), (["x", "a"], ["a"]))),
    Case("una query sin relevantes", _queries((["a"], []), (["b"], ["b"]))),
    Case("una query sin resultados", _queries(([], ["a"]), (["x", "b"], ["b"]))),
    Case("ninguna query", _queries()),
    Case("tres queries", _queries((["x", "y", "a"], ["a"]), (["b", "a"], ["b", "a"]), (["x", "a", "b"], ["b", "a"]))),
    Case("los relevantes, del último al primero", _queries((["x", "b", "a"], ["a", "b"]), (["a", "c"], ["c", "a"]))),
    Case("ningún acierto en ninguna", _queries((["x"], ["a"]), (["y", "z"], ["b"]))),
    Case("cuatro queries con listas de tamaños distintos",
         _queries((["a"], ["a"]), (["x", "b", "y"], ["b"]), (["x", "y"], []), (["x", "y", "z", "w", "c"], ["c"]))),
)  # fmt: skip

# Rankings with repeats: a RAG that retrieves chunks brings the same document more than once.
REPEATS = (
    Case("el mismo documento dos veces arriba", (["a", "a", "b"], ["a", "c"], 3)),
    Case("una repetición que empuja a otro relevante", (["a", "a", "b", "c"], ["a", "b", "c"], 3)),
    Case("todo repetido", (["a", "a", "a"], ["a"], 3)),
    Case("repeticiones de uno que no es relevante", (["x", "x", "a", "x", "b"], ["a", "b"], 4)),
    Case("un relevante anotado dos veces", (["a", "b"], ["a", "a"], 2)),
    Case("un relevante anotado dos veces y otro que falta", (["a", "b"], ["a", "a", "c"], 2)),
)

# Lists with repeats: (retrieved,).
LISTS = (
    Case("repeticiones seguidas", (["a", "a", "b"],)),
    Case("una repetición alejada", (["b", "a", "c", "b", "d"],)),
    Case("tres veces el mismo", (["c", "a", "c", "c", "b"],)),
    Case("sin repeticiones y sin orden alfabético", (["d", "b", "c", "a"],)),
    Case("lista vacía", ([],)),
    Case("números, también el 0", ([3, 0, 3, 1, 0],)),
    Case("el último se repite", (["x", "y", "z", "y"],)),
    Case("mayúsculas y minúsculas son ids distintos", (["A", "a", "B"],)),
)

# Scores of two systems on the same queries: (a, b).
PAIRS = (
    Case("a gana una y pierde otra", ([1.0, 0.2, 0.5], [0.5, 0.4, 0.5])),
    Case("b gana siempre", ([0.1, 0.2, 0.3, 0.4], [0.3, 0.4, 0.6, 0.8])),
    Case("a gana siempre", ([0.9, 0.8, 1.0], [0.4, 0.5, 0.25])),
    Case("todo empates", ([0.5, 1.0], [0.5, 1.0])),
    Case("una diferencia grande y varias pequeñas", ([1.0, 0.4, 0.3, 0.2, 0.1], [0.0, 0.5, 0.4, 0.3, 0.2])),
    Case("una sola query", ([0.75], [0.5])),
    Case("a gana seis de seis", ([0.7, 0.6, 0.9, 0.8, 0.5, 1.0], [0.1, 0.3, 0.5, 0.2, 0.4, 0.8])),
    Case("empates y una derrota", ([0.5, 0.5, 0.25], [0.5, 0.5, 1.0])),
)

# How many relevant documents each query has, and k.
SIZES = (
    Case("de todo: menos que k, k y más que k", ([1, 3, 5], 3)),
    Case("un solo relevante en todas", ([1, 1], 3)),
    Case("una query sin relevantes", ([0, 2, 4], 2)),
    Case("muchos relevantes", ([9, 2, 7, 4], 5)),
    Case("ninguna query", ([], 3)),
    Case("una sola query", ([2], 5)),
    Case("menos que k en todas", ([1, 2, 1], 4)),
)
