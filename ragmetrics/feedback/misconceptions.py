"""Catalogue of misconceptions: how people get these metrics wrong, as data.

An entry is a name for the instructor, a wrong implementation in two or three lines and a hint in Spanish that
asks instead of telling. Order is priority: of two that explain an answer equally well, the first is named.
Entries of one exercise must differ on its probes, or nobody could tell them apart (a test holds this).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Misconception(NamedTuple):
    """A wrong implementation with a name and a hint."""

    name: str
    wrong: Callable[..., Any]
    hint: str


M = Misconception
PUBLISHED = "Es una convención publicada, pero no la de esta tarea: "


def hits(r: Any, g: Any, k: int | None = None) -> int:
    """How many of the first k are relevant, each document once."""
    return len(set(r[:k]) & set(g))


def marks(r: Any, g: Any) -> list[int]:
    """A 1 for each relevant document of the ranking, repeats included."""
    return [int(document in g) for document in r]


def share(a: float, b: float) -> float:
    """Return a / b, and 0 where b is 0."""
    return a / b if b else 0.0


RECALL = (
    M("divide entre k", lambda r, g, k: hits(r, g, k) / k,
      "Tus resultados coinciden con dividir los aciertos entre `k`. El recall pregunta qué parte de los relevantes "
      "has encontrado: ¿cuántos documentos tienen que estar en el denominador?"),
    M("acierto o fallo", lambda r, g, k: float(hits(r, g, k) > 0),
      "Devuelves 1 en cuanto hay un acierto. ¿Cuenta tu denominador también los relevantes que no has encontrado?"),
    M("sin guarda para relevant vacía", lambda r, g, k: hits(r, g, k) / len(g),
      "¿Qué pasa en tu división cuando `relevant` está vacía? Mira qué dicen las convenciones de ese caso."),
    M("1 si no hay relevantes", lambda r, g, k: hits(r, g, k) / len(g) if g else 1.0,
      "Sin documentos relevantes devuelves 1. ¿Qué valor fijan las convenciones de la tarea para ese caso?"),
    M("divide entre lo recuperado", lambda r, g, k: share(hits(r, g, k), len(r[:k])),
      "Tus resultados coinciden con dividir entre los documentos recuperados. ¿El recall mira lo que ha llegado o "
      "todo lo que tendría que haber llegado?"),
    M("divide entre todo el ranking", lambda r, g, k: share(hits(r, g, k), len(r)),
      "Tus resultados coinciden con dividir entre `len(retrieved)`. ¿Qué conjunto quieres encontrar entero?"),
    M("divide entre min(k, R)", lambda r, g, k: share(hits(r, g, k), min(k, len(g))),
      PUBLISHED + "divides entre `min(k, relevantes)`, el recall con techo 1. Con más relevantes que `k`, ¿entre "
      "cuántos divide la fórmula de la lección?"),
    M("divide entre la unión", lambda r, g, k: share(hits(r, g, k), len(set(r[:k]) | set(g))),
      "Divides entre la unión de los dos conjuntos (el índice de Jaccard). ¿Qué documentos cuenta el denominador "
      "del recall?"),
    M("ignora k", lambda r, g, k: share(hits(r, g), len(g)),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué documentos de `retrieved` debes mirar?"),
    M("corta en k + 1", lambda r, g, k: share(hits(r, g, k + 1), len(g)),
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: share(hits(r, g, k - 1), len(g)),
      "Parece que miras un documento de menos. ¿Entra el de la posición `k` en tu corte?"),
    M("mira los últimos k", lambda r, g, k: share(hits(r[-k:], g), len(g)),
      "Parece que miras los últimos `k` documentos. ¿Dónde está el mejor resultado de `retrieved`?"),
    M("se salta el primero", lambda r, g, k: share(hits(r[1:k + 1], g), len(g)),
      "Parece que el primer documento no cuenta. ¿En qué índice empieza una lista en Python?"),
    M("solo mira la posición k", lambda r, g, k: share(hits(r[k - 1:k], g), len(g)),
      "Parece que miras solo el documento de la posición `k`. ¿Y los de antes?"),
    M("se para en el primer documento", lambda r, g, k: share(hits(r, g, min(k, 1)), len(g)),
      "Solo cuenta el primer documento: ¿hay un `return` (o un `break`) dentro de tu bucle?"),
    M("se para en el primer acierto", lambda r, g, k: share(min(1, hits(r, g, k)), len(g)),
      "Nunca cuentas más de un acierto: ¿sale tu bucle (`return` o `break`) en cuanto encuentra uno?"),
    M("compara posición a posición", lambda r, g, k: share(sum(a == b for a, b in zip(r[:k], g, strict=False)), len(g)),
      "Comparas las dos listas posición a posición. ¿Importa el orden en que están escritos los relevantes?"),
    M("ordena antes de cortar", lambda r, g, k: share(hits(sorted(r, key=str), g, k), len(g)),
      "Ordenas los ids antes de cortar. ¿Qué significa el orden en que llega `retrieved`?"),
    M("cuenta sin dividir", lambda r, g, k: hits(r, g, k),
      "Devuelves cuántos aciertos hay. ¿Qué **parte** del total de relevantes son?"),
    M("lo que falta", lambda r, g, k: 1 - share(hits(r, g, k), len(g)),
      "Devuelves la parte que **no** se ha encontrado. ¿Qué parte sí?"),
    M("divide entre los relevantes que están en el ranking", lambda r, g, k: share(hits(r, g, k), hits(r, g)),
      "Solo cuentas los relevantes que aparecen en algún sitio de `retrieved`. ¿Y los que no ha traído?"),
    M("divide entre R + 1", lambda r, g, k: hits(r, g, k) / (len(g) + 1),
      "Divides entre uno más de los que hay. ¿Cuántos relevantes tiene la query?"),
)  # fmt: skip

PRECISION = (
    M("divide entre lo que llega", lambda r, g, k: share(hits(r, g, k), len(r[:k])),
      "Tus resultados coinciden con dividir entre `len(retrieved[:k])` en vez de `k`. ¿Qué pasa si solo llegan 2 "
      "documentos y `k` es 5?"),
    M("divide entre los relevantes", lambda r, g, k: share(hits(r, g, k), len(g)),
      "Eso es el recall: divides entre los relevantes. La precisión pregunta qué parte de los `k` primeros sirve: "
      "¿entre cuántos divides?"),
    M("divide entre todo el ranking", lambda r, g, k: share(hits(r, g, k), len(r)),
      "Tus resultados coinciden con dividir entre `len(retrieved)`. ¿Cuántas posiciones mira Precision@K?"),
    M("acierto o fallo", lambda r, g, k: float(hits(r, g, k) > 0),
      "Devuelves 1 en cuanto hay un acierto. ¿Es igual de preciso acertar uno de cinco que acertar cinco de cinco?"),
    M("sin guarda cuando no llega nada", lambda r, g, k: hits(r, g, k) / len(r[:k]),
      "Divides entre los documentos que han llegado, y puede que no llegue ninguno. ¿Entre qué divide la convención "
      "de esta tarea?"),
    M("divide entre min(k, R)", lambda r, g, k: share(hits(r, g, k), min(k, len(g))),
      "Divides entre `min(k, relevantes)`, y así el techo es siempre 1. ¿Entre cuántos divide la fórmula cuando hay "
      "menos relevantes que `k`?"),
    M("divide entre la unión", lambda r, g, k: share(hits(r, g, k), len(set(r[:k]) | set(g))),
      "Divides entre la unión de los dos conjuntos (el índice de Jaccard). ¿Qué posiciones cuenta el denominador?"),
    M("ignora k al contar", lambda r, g, k: hits(r, g) / k,
      "Cuentas aciertos de todo el ranking. ¿Cuáles son los `k` primeros?"),
    M("ignora k", lambda r, g, k: share(hits(r, g), len(r)),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué documentos de `retrieved` debes mirar?"),
    M("corta en k + 1", lambda r, g, k: hits(r, g, k + 1) / k,
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: hits(r, g, k - 1) / k,
      "Parece que miras un documento de menos. ¿Entra el de la posición `k` en tu corte?"),
    M("divide entre k + 1", lambda r, g, k: hits(r, g, k) / (k + 1),
      "Divides entre uno de más. ¿Cuántas posiciones hay en el top-k?"),
    M("mira los últimos k", lambda r, g, k: hits(r[-k:], g) / k,
      "Parece que miras los últimos `k` documentos. ¿Dónde está el mejor resultado de `retrieved`?"),
    M("se salta el primero", lambda r, g, k: hits(r[1:k + 1], g) / k,
      "Parece que el primer documento no cuenta. ¿En qué índice empieza una lista en Python?"),
    M("solo mira la posición k", lambda r, g, k: hits(r[k - 1:k], g) / k,
      "Parece que miras solo el documento de la posición `k`. ¿Y los de antes?"),
    M("se para en el primer documento", lambda r, g, k: hits(r, g, 1) / k,
      "Solo cuenta el primer documento: ¿hay un `return` (o un `break`) dentro de tu bucle?"),
    M("se para en el primer acierto", lambda r, g, k: min(1, hits(r, g, k)) / k,
      "Nunca cuentas más de un acierto: ¿sale tu bucle (`return` o `break`) en cuanto encuentra uno?"),
    M("compara posición a posición", lambda r, g, k: sum(a == b for a, b in zip(r[:k], g, strict=False)) / k,
      "Comparas las dos listas posición a posición. ¿Importa el orden en que están escritos los relevantes?"),
    M("ordena antes de cortar", lambda r, g, k: hits(sorted(r, key=str), g, k) / k,
      "Ordenas los ids antes de cortar. ¿Qué significa el orden en que llega `retrieved`?"),
    M("cuenta sin dividir", lambda r, g, k: hits(r, g, k),
      "Devuelves cuántos aciertos hay. ¿Qué **parte** de las `k` posiciones son?"),
    M("los que sobran", lambda r, g, k: 1 - hits(r, g, k) / k,
      "Devuelves la parte de posiciones que **no** sirven. ¿Qué parte sí?"),
    M("precisión media (AP)", lambda r, g, k: share(sum(hits(r, g, i + 1) / (i + 1) for i, d in enumerate(r[:k])
                                                        if d in g), len(g)),
      "Eso es la precisión media (AP): promedias la precisión en cada acierto. ¿Qué pide aquí Precision@K?"),
)  # fmt: skip


def _f1(p: float, r: float) -> float:
    return share(2 * p * r, p + r)


F1 = (
    M("media aritmética", lambda r, g, k: (hits(r, g, k) / k + share(hits(r, g, k), len(g))) / 2,
      "Tus resultados coinciden con la media aritmética. Con precisión 1 y recall 0, ¿qué media castiga el 0?"),
    M("media geométrica", lambda r, g, k: math.sqrt(hits(r, g, k) / k * share(hits(r, g, k), len(g))),
      "Tus resultados coinciden con la media geométrica (una raíz cuadrada). ¿Cómo es la fórmula de la armónica?"),
    M("sin guarda cuando no hay aciertos", lambda r, g, k: 2 * (hits(r, g, k) / k) * share(hits(r, g, k), len(g))
      / (hits(r, g, k) / k + share(hits(r, g, k), len(g))),
      "¿Qué pasa en tu división cuando la precisión y el recall valen 0? Mira qué dice el enunciado de ese caso."),
    M("sin guarda para relevant vacía", lambda r, g, k: _f1(hits(r, g, k) / k, hits(r, g, k) / len(g)),
      "¿Cuánto vale tu recall cuando `relevant` está vacía? Mira qué dicen las convenciones de ese caso."),
    M("precisión entre lo que llega", lambda r, g, k: share(2 * hits(r, g, k), len(r[:k]) + len(g)),
      "Tus resultados coinciden con una precisión que divide entre lo que ha llegado. ¿Entre cuántos divide "
      "Precision@K cuando llegan menos de `k`?"),
    M("olvida el 2", lambda r, g, k: share(hits(r, g, k), k + len(g)),
      "Te sale la mitad de lo que debería. ¿Qué factor lleva delante la media armónica de dos números?"),
    M("producto", lambda r, g, k: hits(r, g, k) / k * share(hits(r, g, k), len(g)),
      "Tus resultados coinciden con multiplicar precisión y recall. ¿Qué falta para que sea una media?"),
    M("2 · P · R sin dividir", lambda r, g, k: 2 * hits(r, g, k) / k * share(hits(r, g, k), len(g)),
      "Tienes el numerador, 2 · P · R. ¿Entre qué hay que dividirlo?"),
    M("suma", lambda r, g, k: hits(r, g, k) / k + share(hits(r, g, k), len(g)),
      "Tus resultados coinciden con sumar precisión y recall. ¿Qué falta para que sea una media armónica?"),
    M("el menor de los dos", lambda r, g, k: min(hits(r, g, k) / k, share(hits(r, g, k), len(g))),
      "Devuelves el menor de los dos. La media armónica se le parece, pero ¿qué hace con el otro?"),
    M("el mayor de los dos", lambda r, g, k: max(hits(r, g, k) / k, share(hits(r, g, k), len(g))),
      "Devuelves el mayor de los dos. ¿Qué debería pasar si uno de ellos es muy bajo?"),
    M("es la precisión", lambda r, g, k: hits(r, g, k) / k,
      "Devuelves la precisión. ¿Dónde entra el recall en la fórmula?"),
    M("es el recall", lambda r, g, k: share(hits(r, g, k), len(g)),
      "Devuelves el recall. ¿Dónde entra la precisión en la fórmula?"),
    M("índice de Jaccard", lambda r, g, k: share(hits(r, g, k), k + len(g) - hits(r, g, k)),
      "Tus resultados coinciden con el índice de Jaccard (aciertos entre la unión). ¿Cómo es la media armónica?"),
    M("F2", lambda r, g, k: share(5 * hits(r, g, k), k + 4 * len(g)),
      "Tus resultados coinciden con F2, que da más peso al recall. ¿Cuánto pesa cada uno en F1?"),
    M("F0.5", lambda r, g, k: share(1.25 * hits(r, g, k), k + 0.25 * len(g)),
      "Tus resultados coinciden con F0.5, que da más peso a la precisión. ¿Cuánto pesa cada una en F1?"),
    M("ignora k", lambda r, g, k: share(2 * hits(r, g), len(r) + len(g)),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué documentos de `retrieved` debes mirar?"),
    M("ignora k al contar", lambda r, g, k: share(2 * hits(r, g), k + len(g)),
      "Cuentas aciertos de todo el ranking. ¿Cuáles son los `k` primeros?"),
    M("corta en k + 1", lambda r, g, k: share(2 * hits(r, g, k + 1), k + len(g)),
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: share(2 * hits(r, g, k - 1), k + len(g)),
      "Parece que miras un documento de menos. ¿Entra el de la posición `k` en tu corte?"),
    M("acierto o fallo", lambda r, g, k: float(hits(r, g, k) > 0),
      "Devuelves 1 en cuanto hay un acierto. ¿Qué combina F1?"),
    M("se para en el primer acierto", lambda r, g, k: share(2 * min(1, hits(r, g, k)), k + len(g)),
      "Nunca cuentas más de un acierto: ¿sale tu bucle (`return` o `break`) en cuanto encuentra uno?"),
    M("se para en el primer documento", lambda r, g, k: share(2 * hits(r, g, 1), k + len(g)),
      "Solo cuenta el primer documento: ¿hay un `return` (o un `break`) dentro de tu bucle?"),
    M("compara posición a posición", lambda r, g, k: share(2 * sum(a == b for a, b in zip(r[:k], g, strict=False)),
                                                           k + len(g)),
      "Comparas las dos listas posición a posición. ¿Importa el orden en que están escritos los relevantes?"),
    M("ordena antes de cortar", lambda r, g, k: share(2 * hits(sorted(r, key=str), g, k), k + len(g)),
      "Ordenas los ids antes de cortar. ¿Qué significa el orden en que llega `retrieved`?"),
    M("1 si no hay relevantes", lambda r, g, k: 2 * hits(r, g, k) / (k + len(g)) if g else 1.0,
      "Sin documentos relevantes devuelves 1. ¿Qué valor fijan las convenciones de la tarea para ese caso?"),
)  # fmt: skip


def positions(r: Any, g: Any) -> list[int]:
    """Positions (from 1) of the relevant documents of the ranking."""
    return [i for i, document in enumerate(r, start=1) if document in g]


def rr(r: Any, g: Any) -> float:
    """Reciprocal rank."""
    return 1 / positions(r, g)[0] if positions(r, g) else 0.0


RECIPROCAL_RANK = (
    M("posiciones desde 0", lambda r, g: 1 / (positions(r, g)[0] - 1) if positions(r, g) else 0.0,
      "Parece que la primera posición es para ti la 0. ¿Cuánto vale 1 dividido entre la posición del primero?"),
    M("una posición de más", lambda r, g: 1 / (positions(r, g)[0] + 1) if positions(r, g) else 0.0,
      "Cuentas una posición de más. Si el primer resultado es relevante, ¿cuánto debe valer?"),
    M("el último acierto", lambda r, g: 1 / positions(r, g)[-1] if positions(r, g) else 0.0,
      "Usas el último relevante del ranking. ¿Cuál de ellos lee antes la persona que busca?"),
    M("suma todos los aciertos", lambda r, g: sum(1 / i for i in positions(r, g)),
      "Sumas 1/posición de todos los relevantes: ¿falta un `break` o un `return` tras el primero?"),
    M("media sobre los aciertos", lambda r, g: share(sum(1 / i for i in positions(r, g)), len(positions(r, g))),
      "Promedias 1/posición de todos los relevantes encontrados. ¿Cuántos de ellos cuentan en RR?"),
    M("media sobre los relevantes", lambda r, g: share(sum(1 / i for i in positions(r, g)), len(g)),
      "Promedias 1/posición sobre todos los relevantes. ¿Cuántos de ellos cuentan en RR?"),
    M("recorre los relevantes", lambda r, g: next((1 / (r.index(d) + 1) for d in g if d in r), 0.0),
      "Buscas los relevantes en el orden en que están anotados. ¿Qué lista hay que recorrer, y en qué orden?"),
    M("posición en relevant", lambda r, g: next((1 / (g.index(d) + 1) for d in r if d in g), 0.0),
      "Usas la posición dentro de `relevant`. ¿En qué lista está el orden del buscador?"),
    M("solo el primer relevante anotado", lambda r, g: 1 / (r.index(g[0]) + 1) if g and g[0] in r else 0.0,
      "Solo buscas el primer id de `relevant`. ¿Y si el que aparece antes es otro?"),
    M("sin inverso", lambda r, g: positions(r, g)[0] if positions(r, g) else 0.0,
      "Devuelves la posición. ¿Qué le falta para ser un *reciprocal rank*?"),
    M("acierto o fallo", lambda r, g: float(bool(positions(r, g))),
      "Devuelves 1 en cuanto hay un relevante. ¿Es lo mismo encontrarlo el primero que el quinto?"),
    M("sin guarda cuando no hay aciertos", lambda r, g: 1 / positions(r, g)[0],
      "¿Qué hace tu código cuando ningún relevante aparece? Mira qué dicen las convenciones de ese caso."),
    M("nada cuando no hay aciertos", lambda r, g: 1 / positions(r, g)[0] if positions(r, g) else None,
      "Cuando ningún relevante aparece, tu función llega al final sin `return`. ¿Qué devuelve entonces?"),
    M("un fallo vale 1/(n + 1)", lambda r, g: 1 / positions(r, g)[0] if positions(r, g) else 1 / (len(r) + 1),
      "Cuando no hay acierto le das la posición siguiente a la última. ¿Qué valor fijan las convenciones?"),
    M("un fallo vale 1", lambda r, g: 1 / positions(r, g)[0] if positions(r, g) else 1.0,
      "Cuando no hay acierto devuelves 1, la mejor nota. ¿Qué valor fijan las convenciones?"),
    M("solo mira el primero", lambda r, g: float(bool(r) and r[0] in g),
      "Solo cuenta el primer documento: ¿hay un `return` dentro de tu bucle, en el `else`?"),
    M("descuento logarítmico", lambda r, g: 1 / math.log2(positions(r, g)[0] + 1) if positions(r, g) else 0.0,
      "Usas el descuento de DCG, 1 / log2(posición + 1). ¿Qué descuento usa RR?"),
    M("descuento lineal", lambda r, g: 1 - (positions(r, g)[0] - 1) / len(r) if positions(r, g) else 0.0,
      "Bajas lo mismo en cada posición. ¿Cuánto vale 1/posición en la segunda?"),
    M("precisión media (AP)", lambda r, g: share(sum(n / i for n, i in enumerate(positions(r, g), 1)), len(g)),
      "Eso es la precisión media (AP), que cuenta todos los relevantes. ¿Cuántos cuentan en RR?"),
    M("del final al principio", lambda r, g: rr(r[::-1], g),
      "Cuentas las posiciones desde el final. ¿Dónde está el mejor resultado de `retrieved`?"),
    M("ordena antes", lambda r, g: rr(sorted(r, key=str), g),
      "Ordenas los ids antes de buscar. ¿Qué significa el orden en que llega `retrieved`?"),
    M("inverso al cuadrado", lambda r, g: rr(r, g) ** 2,
      "Te sale 1/posición al cuadrado. ¿Divides dos veces?"),
    M("solo los 3 primeros", lambda r, g: rr(r[:3], g),
      "Solo miras el principio del ranking. ¿Hay algún corte en esta función?"),
)  # fmt: skip


def _rrs(cases: Any) -> list[float]:
    return [rr(case["retrieved"], case["relevant"]) for case in cases]


def _mean(values: Any) -> float:
    values = list(values)
    return share(sum(values), len(values))


def _ranks(cases: Any) -> list[int]:
    found = [positions(case["retrieved"], case["relevant"]) for case in cases]
    return [p[0] for p in found if p]


MEAN_RECIPROCAL_RANK = (
    M("deja fuera las queries sin acierto", lambda t: _mean(value for value in _rrs(t) if value > 0),
      "Las queries sin acierto no entran en tu media. ¿Puede mejorar un buscador por no encontrar nada?"),
    M("deja fuera las queries sin relevantes",
      lambda t: _mean(rr(c["retrieved"], c["relevant"]) for c in t if c["relevant"]),
      "Las queries sin relevantes no entran en tu media. ¿Qué valor les dan las convenciones de esta tarea?"),
    M("return dentro del bucle", lambda t: _rrs(t)[0] if t else 0.0,
      "Solo cuenta la primera query: ¿está tu `return` dentro del bucle?"),
    M("solo la última query", lambda t: _rrs(t)[-1] if t else 0.0,
      "Solo cuenta la última query: ¿acumulas, o asignas encima en cada vuelta?"),
    M("un fallo vale 1/(n + 1)", lambda t: _mean(v or 1 / (len(c["retrieved"]) + 1) for v, c in zip(_rrs(t), t, strict=True)),
      "A la query sin acierto le das la posición siguiente a la última. ¿Qué valor fijan las convenciones?"),
    M("sin guarda para cero queries", lambda t: sum(_rrs(t)) / len(t),
      "¿Qué pasa en tu media cuando no hay ninguna query? Mira qué dicen las convenciones de ese caso."),
    M("inverso de la posición media", lambda t: share(len(_ranks(t)), sum(_ranks(t))),
      "Calculas la posición media y luego el inverso. ¿Qué se promedia en MRR: las posiciones o sus inversos?"),
    M("suma sin dividir", lambda t: sum(_rrs(t)),
      "Sumas los RR de las queries. ¿Qué falta para que sea una media?"),
    M("mediana", lambda t: sorted(_rrs(t))[len(t) // 2] if t else 0.0,
      "Devuelves el valor de en medio. ¿Qué media pide MRR?"),
    M("la mejor query", lambda t: max(_rrs(t), default=0.0),
      "Devuelves el valor de la mejor query. ¿Y las demás?"),
    M("la peor query", lambda t: min(_rrs(t), default=0.0),
      "Devuelves el valor de la peor query. ¿Y las demás?"),
    M("suma todos los aciertos", lambda t: _mean(sum(1 / i for i in positions(c["retrieved"], c["relevant"])) for c in t),
      "Sumas 1/posición de todos los relevantes de cada query. ¿Cuántos cuentan en RR?"),
    M("el último acierto",
      lambda t: _mean(1 / positions(c["retrieved"], c["relevant"])[-1] if positions(c["retrieved"], c["relevant"])
                      else 0.0 for c in t),
      "En cada query usas el último relevante. ¿Cuál lee antes la persona que busca?"),
    M("recorre los relevantes",
      lambda t: _mean(next((1 / (c["retrieved"].index(d) + 1) for d in c["relevant"] if d in c["retrieved"]), 0.0) for c in t),
      "Buscas los relevantes en el orden en que están anotados. ¿Qué lista hay que recorrer, y en qué orden?"),
    M("una posición de más", lambda t: _mean(share(1, share(1, v) + 1) if v else 0.0 for v in _rrs(t)),
      "Cuentas una posición de más. Si el primer resultado es relevante, ¿cuánto debe valer?"),
    M("posiciones desde 0", lambda t: _mean(1 / (share(1, v) - 1) if v else 0.0 for v in _rrs(t)),
      "Parece que la primera posición es para ti la 0. ¿Cuánto vale 1 dividido entre la posición del primero?"),
    M("proporción de queries con acierto", lambda t: _mean(float(v > 0) for v in _rrs(t)),
      "Devuelves la parte de queries con algún acierto. ¿Dónde entra la posición?"),
    M("posición media", lambda t: _mean(_ranks(t)),
      "Devuelves la posición media. ¿Qué se promedia en MRR: las posiciones o sus inversos?"),
    M("solo mira el primer documento", lambda t: _mean(float(v == 1) for v in _rrs(t)),
      "En cada query solo cuenta el primer documento. ¿Y si el primer relevante está más abajo?"),
    M("divide entre las queries con resultados", lambda t: share(sum(_rrs(t)), sum(bool(c["retrieved"]) for c in t)),
      "Divides solo entre las queries que han traído algo. ¿Qué pasa con la que no trajo nada?"),
    M("divide entre una query de menos", lambda t: share(sum(_rrs(t)), len(t) - 1),
      "Divides entre una query de menos. ¿Cuántas hay?"),
    M("divide entre una query de más", lambda t: sum(_rrs(t)) / (len(t) + 1),
      "Divides entre una query de más. ¿Cuántas hay?"),
    M("media por documento", lambda t: share(sum(1 / i for c in t for i in positions(c["retrieved"], c["relevant"])),
                                             sum(len(c["relevant"]) for c in t)),
      "Promedias sobre todos los relevantes de todas las queries. ¿Cuántos números da cada query en MRR?"),
    M("media geométrica", lambda t: math.prod(_rrs(t)) ** (1 / len(t)) if t else 0.0,
      "Multiplicas los RR en vez de sumarlos. ¿Qué media pide MRR?"),
)  # fmt: skip


def _dcg(gains: Any, discount: Callable[[int], float] = lambda i: math.log2(i + 1)) -> float:
    return sum(gain / discount(i) for i, gain in enumerate(gains, start=1) if gain)


def _older(i: int) -> float:
    return max(1.0, math.log2(i))


DCG = (
    M("sin +1 en el logaritmo", lambda r, g, k: sum(m / math.log2(i) for i, m in enumerate(marks(r[:k], g), 1)),
      "En la primera posición divides entre log2(1). ¿Cuánto vale, y qué posición lleva la fórmula dentro del log?"),
    M("descuento de 2002", lambda r, g, k: _dcg(marks(r[:k], g), _older),
      PUBLISHED + "la de 2002 no descuenta la posición 1 y luego usa log2(i). ¿Qué hay dentro del logaritmo en la "
      "fórmula de la lección?"),
    M("una posición de más", lambda r, g, k: _dcg(marks(r[:k], g), lambda i: math.log2(i + 2)),
      "Descuentas una posición de más. Si el primer documento es relevante, ¿cuánto debe sumar?"),
    M("logaritmo natural", lambda r, g, k: _dcg(marks(r[:k], g), lambda i: math.log(i + 1)),
      "Tus resultados coinciden con el logaritmo natural. ¿De qué base es el de la fórmula?"),
    M("logaritmo en base 10", lambda r, g, k: _dcg(marks(r[:k], g), lambda i: math.log10(i + 1)),
      "Tus resultados coinciden con el logaritmo en base 10. ¿De qué base es el de la fórmula?"),
    M("log1p en base 2 mal", lambda r, g, k: _dcg(marks(r[:k], g), lambda i: 1 + math.log2(i)),
      "Parece que el +1 está fuera del logaritmo. ¿Qué va dentro del paréntesis?"),
    M("sin descuento", lambda r, g, k: sum(marks(r[:k], g)),
      "Todas las posiciones pesan lo mismo. ¿Qué descuento lleva cada una?"),
    M("descuento 1/posición", lambda r, g, k: _dcg(marks(r[:k], g), float),
      "Descuentas con 1/posición, como en RR. ¿Qué descuento usa DCG?"),
    M("multiplica por el logaritmo", lambda r, g, k: sum(m * math.log2(i + 1) for i, m in enumerate(marks(r[:k], g), 1)),
      "Multiplicas por el logaritmo en vez de dividir. ¿Debe valer más un documento por estar más abajo?"),
    M("ignora k", lambda r, g, k: _dcg(marks(r, g)),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué posiciones suma DCG@K?"),
    M("corta en k + 1", lambda r, g, k: _dcg(marks(r[:k + 1], g)),
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: _dcg(marks(r[:k - 1], g)),
      "Parece que miras un documento de menos. ¿Entra el de la posición `k` en tu suma?"),
    M("se salta el primero", lambda r, g, k: _dcg([0, *marks(r[1:k], g)]),
      "El primer documento no suma. ¿Dónde empieza tu bucle?"),
    M("los no relevantes también suman", lambda r, g, k: _dcg([2 ** m for m in marks(r[:k], g)]),
      "Los documentos no relevantes también suman. ¿Cuánto vale 2 elevado a 0, y qué hay que restar?"),
    M("numera solo los aciertos", lambda r, g, k: _dcg([1] * sum(marks(r[:k], g))),
      "Numeras los aciertos 1, 2, 3… como si estuvieran seguidos. ¿En qué posición del ranking está cada uno?"),
    M("divide entre k", lambda r, g, k: _dcg(marks(r[:k], g)) / k,
      "Divides la suma entre `k`. ¿Lo dice la fórmula de DCG?"),
    M("es nDCG", lambda r, g, k: share(_dcg(marks(r[:k], g)), _dcg([1] * min(k, len(g)))),
      "Ya divides entre el ideal: eso es nDCG. ¿Qué pide este apartado?"),
    M("solo el primer acierto", lambda r, g, k: _dcg(marks(r[:k], g)[:next((i for i, d in enumerate(r[:k], 1) if d in g), 0)]),
      "Solo suma el primer acierto: ¿hay un `return` o un `break` dentro de tu bucle?"),
    M("ordena antes de cortar", lambda r, g, k: _dcg(marks(sorted(r, key=str)[:k], g)),
      "Ordenas los ids antes de cortar. ¿Qué significa el orden en que llega `retrieved`?"),
    M("raíz en vez de logaritmo", lambda r, g, k: _dcg(marks(r[:k], g), math.sqrt),
      "Descuentas con una raíz cuadrada. ¿Qué función usa la fórmula?"),
)  # fmt: skip


def _ideal(k: int, n: int, discount: Callable[[int], float] = lambda i: math.log2(i + 1)) -> float:
    return _dcg([1] * min(k, n), discount)


NDCG = (
    M("ideal solo con lo recuperado", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(k, sum(marks(r[:k], g)))),
      "Tu ideal ordena solo lo que ha llegado. Si falta un relevante, ¿puede ser perfecto el ranking?"),
    M("ideal con lo recuperado en todo el ranking", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(k, sum(marks(r, g)))),
      "Tu ideal cuenta solo los relevantes que están en `retrieved`. ¿Y los que no ha traído?"),
    M("ideal sin cortar", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(len(g), len(g))),
      "Tu ideal suma todos los relevantes aunque no quepan. ¿Cuántos caben en las `k` primeras posiciones?"),
    M("ideal limitado a lo que llega", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(len(r[:k]), len(g))),
      "Tu ideal es tan corto como lo que ha llegado. ¿Cuántas posiciones tenía disponibles el buscador?"),
    M("ideal con k relevantes", lambda r, g, k: _dcg(marks(r[:k], g)) / _ideal(k, k),
      "Tu ideal llena las `k` posiciones de relevantes. ¿Y si la query tiene menos?"),
    M("1 si no hay relevantes", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(k, len(g))) if g else 1.0,
      "Sin documentos relevantes devuelves 1. ¿Qué valor fijan las convenciones de la tarea para ese caso?"),
    M("sin guarda para el ideal 0", lambda r, g, k: _dcg(marks(r[:k], g)) / _ideal(k, len(g)),
      "¿Cuánto vale el ideal cuando `relevant` está vacía? Mira qué dicen las convenciones de ese caso."),
    M("logaritmo distinto arriba y abajo", lambda r, g, k: share(_dcg(marks(r[:k], g), lambda i: math.log(i + 1)), _ideal(k, len(g))),
      "El DCG y el ideal usan logaritmos de distinta base. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("logaritmo distinto abajo", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(k, len(g), lambda i: math.log(i + 1))),
      "El ideal usa un logaritmo de otra base que el DCG. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("descuento de 2002", lambda r, g, k: share(_dcg(marks(r[:k], g), _older), _ideal(k, len(g), _older)),
      PUBLISHED + "la de 2002 no descuenta la posición 1 y luego usa log2(i). ¿Qué hay dentro del logaritmo en la "
      "fórmula de la lección?"),
    M("sin +1 en el logaritmo", lambda r, g, k: share(sum(m / math.log2(i) for i, m in enumerate(marks(r[:k], g), 1)),
                                                      sum(1 / math.log2(i) for i in range(1, min(k, len(g)) + 1))),
      "En la primera posición divides entre log2(1). ¿Cuánto vale, y qué posición lleva la fórmula dentro del log?"),
    M("una posición de más", lambda r, g, k: share(_dcg(marks(r[:k], g), lambda i: math.log2(i + 2)),
                                                   _ideal(k, len(g), lambda i: math.log2(i + 2))),
      "Descuentas una posición de más, arriba y abajo. ¿Cuánto suma el primer documento?"),
    M("posiciones distintas arriba y abajo", lambda r, g, k: share(_dcg(marks(r[:k], g), lambda i: math.log2(i + 2)), _ideal(k, len(g))),
      "El DCG y el ideal no numeran igual las posiciones. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("descuento 1/posición", lambda r, g, k: share(_dcg(marks(r[:k], g), float), _ideal(k, len(g), float)),
      "Descuentas con 1/posición, como en RR. ¿Qué descuento usa DCG?"),
    M("sin descuento", lambda r, g, k: share(sum(marks(r[:k], g)), min(k, len(g))),
      "Todas las posiciones pesan lo mismo. ¿Qué descuento lleva cada una?"),
    M("ignora k", lambda r, g, k: share(_dcg(marks(r, g)), _ideal(len(g), len(g))),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué posiciones mira nDCG@K?"),
    M("ignora k en el DCG", lambda r, g, k: share(_dcg(marks(r, g)), _ideal(k, len(g))),
      "El ideal está cortado y el DCG no. ¿Qué posiciones del ranking suma DCG@K?"),
    M("corta en k + 1", lambda r, g, k: share(_dcg(marks(r[:k + 1], g)), _ideal(k + 1, len(g))),
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: share(_dcg(marks(r[:k - 1], g)), _ideal(k - 1, len(g))),
      "Parece que miras un documento de menos. ¿Entra el de la posición `k`?"),
    M("es DCG", lambda r, g, k: _dcg(marks(r[:k], g)),
      "Devuelves el DCG. ¿Entre qué hay que dividirlo para que 1 sea lo mejor posible?"),
    M("es el ideal", lambda r, g, k: _ideal(k, len(g)),
      "Devuelves el ideal. ¿Qué hay que dividir entre él?"),
    M("dividido al revés", lambda r, g, k: share(_ideal(k, len(g)), _dcg(marks(r[:k], g))),
      "Divides el ideal entre el DCG. ¿Cuál de los dos es el máximo?"),
    M("divide entre los relevantes", lambda r, g, k: share(_dcg(marks(r[:k], g)), len(g)),
      "Divides el DCG entre el número de relevantes. ¿Entre qué se divide en nDCG?"),
    M("divide entre k", lambda r, g, k: _dcg(marks(r[:k], g)) / k,
      "Divides el DCG entre `k`. ¿Entre qué se divide en nDCG?"),
    M("los no relevantes también suman", lambda r, g, k: share(_dcg([2 ** m for m in marks(r[:k], g)]), _dcg([2] * min(k, len(g)))),
      "Los documentos no relevantes también suman. ¿Cuánto vale 2 elevado a 0, y qué hay que restar?"),
    M("2 ** rel solo en el DCG", lambda r, g, k: share(_dcg([2 ** m for m in marks(r[:k], g)]), _ideal(k, len(g))),
      "En el DCG los no relevantes suman 1. ¿Cuánto vale 2 elevado a 0, y qué hay que restar?"),
    M("numera solo los aciertos", lambda r, g, k: share(_dcg([1] * sum(marks(r[:k], g))), _ideal(k, len(g))),
      "Numeras los aciertos 1, 2, 3… como si estuvieran seguidos. ¿En qué posición del ranking está cada uno?"),
    M("solo el primer acierto", lambda r, g, k: share(_dcg(marks(r[:k], g)[:next((i for i, d in enumerate(r[:k], 1) if d in g), 0)]), _ideal(k, len(g))),
      "Solo suma el primer acierto: ¿hay un `return` o un `break` dentro de tu bucle?"),
    M("ordena antes de cortar", lambda r, g, k: share(_dcg(marks(sorted(r, key=str)[:k], g)), _ideal(k, len(g))),
      "Ordenas los ids antes de cortar. ¿Qué significa el orden en que llega `retrieved`?"),
)  # fmt: skip


def _gains(r: Any, gains: Mapping[Any, float]) -> list[float]:
    return [max(0.0, gains.get(document, 0.0)) for document in r]


def _best(gains: Mapping[Any, float]) -> list[float]:
    return sorted((gain for gain in gains.values() if gain > 0), reverse=True)


def _exp(values: Any) -> list[float]:
    return [2.0**value - 1 for value in values]


GRADED_NDCG = (
    M("ganancias binarias", lambda r, g, k: share(_dcg([float(v > 0) for v in _gains(r[:k], g)]), _ideal(k, len(_best(g)))),
      "Todos los relevantes te suman lo mismo. ¿Qué ganancia tiene cada uno?"),
    M("ganancia exponencial", lambda r, g, k: share(_dcg(_exp(_gains(r[:k], g))), _dcg(_exp(_best(g)[:k]))),
      PUBLISHED + "usas la ganancia exponencial, 2^g − 1. ¿Qué ganancia pide el enunciado?"),
    M("2 ** g sin restar 1", lambda r, g, k: share(_dcg([2.0 ** v for v in _gains(r[:k], g)]), _dcg([2.0 ** v for v in _best(g)[:k]])),
      "Los documentos sin ganancia también suman. ¿Cuánto vale 2 elevado a 0, y qué ganancia pide el enunciado?"),
    M("ideal solo con lo recuperado", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(sorted(_gains(r[:k], g), reverse=True))),
      "Tu ideal ordena solo lo que ha llegado. Si el mejor documento falta, ¿puede ser perfecto el ranking?"),
    M("ideal con todo el ranking", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(sorted(_gains(r, g), reverse=True)[:k])),
      "Tu ideal mira solo los documentos de `retrieved`. ¿Y los que no ha traído?"),
    M("ideal sin cortar", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(_best(g))),
      "Tu ideal suma todas las ganancias aunque no quepan. ¿Cuántas caben en las `k` primeras posiciones?"),
    M("ideal limitado a lo que llega", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(_best(g)[:len(r[:k])])),
      "Tu ideal es tan corto como lo que ha llegado. ¿Cuántas posiciones tenía disponibles el buscador?"),
    M("ideal sin ordenar", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg([v if v > 0 else 0 for v in g.values()][:k])),
      "Tu ideal usa las ganancias en el orden en que están escritas. ¿En qué orden serían lo mejor posible?"),
    M("ideal de peor a mejor", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(sorted(_best(g))[:k])),
      "Tu ideal pone primero la ganancia más pequeña. ¿Cómo se ordena de mayor a menor?"),
    M("ideal con la ganancia máxima", lambda r, g, k: share(_dcg(_gains(r[:k], g)), max(_best(g), default=0.0) * _ideal(k, len(_best(g)))),
      "Tu ideal supone que todos los relevantes tienen la ganancia máxima. ¿Cuál tiene cada uno?"),
    M("ganancia solo en el ideal", lambda r, g, k: share(_dcg([float(v > 0) for v in _gains(r[:k], g)]), _dcg(_best(g)[:k])),
      "El ideal usa las ganancias y el DCG no. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("ganancia solo en el DCG", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _ideal(k, len(_best(g)))),
      "El DCG usa las ganancias y el ideal no. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("exponencial solo arriba", lambda r, g, k: share(_dcg(_exp(_gains(r[:k], g))), _dcg(_best(g)[:k])),
      "El DCG y el ideal usan ganancias distintas. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("las ganancias negativas restan", lambda r, g, k: share(_dcg([g.get(d, 0.0) for d in r[:k]]), _dcg(_best(g)[:k])),
      "Una ganancia negativa te resta. ¿Qué dicen las convenciones de las ganancias menores o iguales que 0?"),
    M("sin guarda para el ideal 0", lambda r, g, k: _dcg(_gains(r[:k], g)) / _dcg(_best(g)[:k]),
      "¿Cuánto vale el ideal cuando no hay ganancias? Mira qué dicen las convenciones de ese caso."),
    M("1 si no hay ganancias", lambda r, g, k: share(_dcg(_gains(r[:k], g)), _dcg(_best(g)[:k])) if _best(g) else 1.0,
      "Sin ganancias devuelves 1. ¿Qué valor fijan las convenciones de la tarea para ese caso?"),
    M("falla con documentos sin juzgar", lambda r, g, k: share(_dcg([max(0.0, g[d]) for d in r[:k]]), _dcg(_best(g)[:k])),
      "¿Qué hace tu código con un documento que no está en `gains`? ¿Qué ganancia tiene?"),
    M("desplaza bits", lambda r, g, k: share(_dcg([(1 << v) - 1 for v in (g.get(d, 0) for d in r[:k]) if v > 0]), _dcg(_exp(_best(g)[:k]))),
      "`1 << g` solo sirve con enteros, y las ganancias pueden tener decimales. ¿Qué ganancia pide el enunciado?"),
    M("descuento de 2002", lambda r, g, k: share(_dcg(_gains(r[:k], g), _older), _dcg(_best(g)[:k], _older)),
      PUBLISHED + "la de 2002 no descuenta la posición 1 y luego usa log2(i). ¿Qué hay dentro del logaritmo en la "
      "fórmula de la lección?"),
    M("sin descuento", lambda r, g, k: share(sum(_gains(r[:k], g)), sum(_best(g)[:k])),
      "Todas las posiciones pesan lo mismo. ¿Qué descuento lleva cada una?"),
    M("descuento 1/posición", lambda r, g, k: share(_dcg(_gains(r[:k], g), float), _dcg(_best(g)[:k], float)),
      "Descuentas con 1/posición, como en RR. ¿Qué descuento usa DCG?"),
    M("ignora k", lambda r, g, k: share(_dcg(_gains(r, g)), _dcg(_best(g))),
      "Tus resultados son los mismos para cualquier `k`. ¿Qué posiciones mira nDCG@K?"),
    M("ignora k en el DCG", lambda r, g, k: share(_dcg(_gains(r, g)), _dcg(_best(g)[:k])),
      "El ideal está cortado y el DCG no. ¿Qué posiciones del ranking suma DCG@K?"),
    M("corta en k + 1", lambda r, g, k: share(_dcg(_gains(r[:k + 1], g)), _dcg(_best(g)[:k + 1])),
      "Parece que miras un documento de más. ¿Cuántos elementos tiene tu corte cuando `k` vale 2?"),
    M("corta en k - 1", lambda r, g, k: share(_dcg(_gains(r[:k - 1], g)), _dcg(_best(g)[:k - 1])),
      "Parece que miras un documento de menos. ¿Entra el de la posición `k`?"),
    M("es DCG", lambda r, g, k: _dcg(_gains(r[:k], g)),
      "Devuelves el DCG. ¿Entre qué hay que dividirlo para que 1 sea lo mejor posible?"),
    M("logaritmo distinto arriba y abajo", lambda r, g, k: share(_dcg(_gains(r[:k], g), lambda i: math.log(i + 1)), _dcg(_best(g)[:k])),
      "El DCG y el ideal usan logaritmos de distinta base. Si el ranking es perfecto, ¿cuánto tiene que salir?"),
    M("parte de la ganancia", lambda r, g, k: share(_dcg(_gains(r[:k], g)), sum(_best(g))),
      "Divides entre la suma de las ganancias sin descontar. ¿Cómo se calcula el ideal?"),
)  # fmt: skip


def last_places(r: Any) -> list[Any]:
    """Each id once, in its last place."""
    return list(dict.fromkeys(r[::-1]))[::-1]


UNIQUE = (
    M("pierde el orden", lambda r: sorted(set(r), key=str),
      "Los ids salen ordenados por su nombre. ¿En qué orden los dio el buscador?"),
    M("conserva la última aparición", lambda r: last_places(r),
      "Dejas cada id en su última aparición. ¿Qué posición cuenta para quien lee el ranking de arriba abajo?"),
    M("quita todos los que se repiten", lambda r: [d for d in r if r.count(d) == 1],
      "Un id repetido desaparece del todo. ¿Cuántas veces tiene que quedar?"),
    M("solo quita las repeticiones seguidas", lambda r: [d for i, d in enumerate(r) if i == 0 or d != r[i - 1]],
      "Solo comparas con el anterior. ¿Y si la repetición viene más abajo?"),
    M("no quita nada", lambda r: list(r),
      "Devuelves la lista igual que llegó. ¿Qué pasa con los repetidos?"),
    M("solo los repetidos", lambda r: list(dict.fromkeys(d for d in r if r.count(d) > 1)),
      "Devuelves solo los ids que se repiten. ¿Y los demás?"),
    M("orden al revés", lambda r: list(dict.fromkeys(r))[::-1],
      "El orden sale al revés. ¿Por dónde añades los ids a tu lista?"),
    M("de atrás adelante", lambda r: list(dict.fromkeys(r[::-1])),
      "Recorres el ranking desde el final. ¿Dónde está el mejor resultado?"),
    M("hueco en lugar de la repetición", lambda r: [d if d not in r[:i] else None for i, d in enumerate(r)],
      "Dejas un hueco donde estaba la repetición. ¿Qué pasa con los documentos de detrás?"),
    M("pierde los ids que son 0", lambda r: [d for d in dict.fromkeys(r) if d],
      "Se pierde el id 0. ¿Preguntas si el id ya está, o si es «verdadero»?"),
    M("no distingue mayúsculas", lambda r: [d for i, d in enumerate(r) if str(d).lower() not in [str(x).lower() for x in r[:i]]],
      "Tratas como iguales ids que solo cambian en las mayúsculas. ¿Son el mismo documento?"),
    M("cuenta en vez de listar", lambda r: float(len(set(r))),
      "Devuelves cuántos ids distintos hay. ¿Qué debe devolver la función?"),
    M("se para en la primera repetición", lambda r: r[:next((i for i, d in enumerate(r) if d in r[:i]), len(r))],
      "Te paras en la primera repetición: ¿hay un `break` o un `return` dentro de tu bucle?"),
)  # fmt: skip


def _first(r: Any, k: int | None = None) -> list[Any]:
    """The ranking with None where a document comes again: its place stays."""
    return [d if d not in r[:i] else None for i, d in enumerate(r[:k])]


REPEATED_RECALL = (
    M("cuenta las repeticiones", lambda r, g, k: share(sum(marks(r[:k], g)), len(set(g))),
      "Un documento repetido te suma cada vez que aparece. ¿Cuántos relevantes **distintos** has encontrado?"),
    M("cuenta las repeticiones de relevant", lambda r, g, k: share(len([d for d in g if d in r[:k]]), len(g)),
      "Si un relevante está anotado dos veces, lo cuentas dos veces. ¿Cuántos documentos distintos son?"),
    M("solo arriba cuenta distintos", lambda r, g, k: share(hits(r, g, k), len(g)),
      "El denominador cuenta dos veces un relevante anotado dos veces. ¿Cuántos documentos distintos son?"),
    M("quita repeticiones antes de cortar", lambda r, g, k: share(hits(list(dict.fromkeys(r)), g, k), len(set(g))),
      "Quitas las repeticiones antes del corte, y los de detrás avanzan. Según las convenciones, ¿se mueve la "
      "posición de los demás?"),
)  # fmt: skip
REPEATED_PRECISION = (
    M("cuenta las repeticiones", lambda r, g, k: sum(marks(r[:k], g)) / k,
      "Un documento repetido te suma cada vez que aparece. ¿Cuántos documentos **distintos** sirven?"),
    M("divide entre los distintos", lambda r, g, k: share(hits(r, g, k), len(set(r[:k]))),
      "Divides entre los ids distintos del corte. ¿Entre cuántos divide Precision@K?"),
    M("quita repeticiones antes de cortar", lambda r, g, k: hits(list(dict.fromkeys(r)), g, k) / k,
      "Quitas las repeticiones antes del corte, y los de detrás avanzan. Según las convenciones, ¿se mueve la "
      "posición de los demás?"),
)  # fmt: skip
REPEATED_F1 = (
    M("cuenta las repeticiones", lambda r, g, k: share(2 * sum(marks(r[:k], g)), k + len(set(g))),
      "Un documento repetido te suma cada vez que aparece. ¿Cuántos relevantes **distintos** has encontrado?"),
    M("solo arriba cuenta distintos", lambda r, g, k: share(2 * hits(r, g, k), k + len(g)),
      "Cuentas dos veces un relevante anotado dos veces. ¿Cuántos documentos distintos son?"),
    M("divide entre los distintos", lambda r, g, k: share(2 * hits(r, g, k), len(set(r[:k])) + len(set(g))),
      "Tu precisión divide entre los ids distintos del corte. ¿Entre cuántos divide Precision@K?"),
    M("quita repeticiones antes de cortar", lambda r, g, k: share(2 * hits(list(dict.fromkeys(r)), g, k), k + len(set(g))),
      "Quitas las repeticiones antes del corte, y los de detrás avanzan. Según las convenciones, ¿se mueve la "
      "posición de los demás?"),
)  # fmt: skip
REPEATED_RR = (
    M("quita repeticiones antes", lambda r, g, k: rr(list(dict.fromkeys(r)), g),
      "Quitas las repeticiones antes de contar, y los de detrás avanzan. Según las convenciones, ¿se mueve la "
      "posición de los demás?"),
    M("corta en el k del evaluador", lambda r, g, k: rr(r[:k], g),
      "Cortas el ranking en el `k` del evaluador. En la lección, ¿usa `mrr` ese `k`?"),
)  # fmt: skip
REPEATED_NDCG = (
    M("cuenta las repeticiones", lambda r, g, k: share(_dcg(marks(r[:k], g)), _ideal(k, len(set(g)))),
      "Un documento repetido suma dos veces y nDCG puede pasar de 1. ¿Cuántas veces debe sumar cada documento?"),
    M("ideal con repetidos", lambda r, g, k: share(_dcg([int(d in g) if d is not None else 0 for d in _first(r, k)]), _ideal(k, len(g))),
      "Tu ideal cuenta dos veces un relevante anotado dos veces. ¿Cuántos documentos distintos son?"),
    M("quita repeticiones antes de cortar", lambda r, g, k: share(_dcg(marks(list(dict.fromkeys(r))[:k], g)), _ideal(k, len(set(g)))),
      "Quitas las repeticiones antes del corte, y los de detrás avanzan. Según las convenciones, ¿se mueve la "
      "posición de los demás?"),
    M("ideal con k menos repeticiones", lambda r, g, k: share(_dcg([int(d in g) if d is not None else 0 for d in _first(r, k)]),
                                                             _ideal(len(set(r[:k])), len(set(g)))),
      "Tu ideal se acorta cuando hay repeticiones. ¿Cuántas posiciones hay en el top-k?"),
)  # fmt: skip

KEYS = ("recall@k", "precision@k", "f1@k", "mrr", "ndcg@k")


def _rows(evaluator: Any, cases: Any) -> list[dict[str, float]]:
    return [evaluator.evaluate_all(case["retrieved"], case["relevant"]) for case in cases]


def _means(rows: list[dict[str, float]], n: int | None = None) -> dict[str, float]:
    return {key: share(sum(row[key] for row in rows), len(rows) if n is None else n) for key in KEYS}


def _f1_of_means(means: dict[str, float]) -> dict[str, float]:
    return means | {"f1@k": _f1(means["precision@k"], means["recall@k"])}


BATCH = (
    M("F1 de las medias", lambda e, t: _f1_of_means(_means(_rows(e, t))),
      "Calculas el F1 con las medias de precisión y recall. ¿Es lo mismo que la media de los F1 de cada query?"),
    M("suma sin dividir", lambda e, t: _means(_rows(e, t), 1),
      "Sumas los resultados de las queries. ¿Qué falta para que sea una media?"),
    M("solo la primera query", lambda e, t: _means(_rows(e, t)[:1]),
      "Solo cuenta la primera query: ¿está tu `return` dentro del bucle?"),
    M("solo la última query", lambda e, t: _means(_rows(e, t)[-1:]),
      "Solo cuenta la última query: ¿acumulas, o asignas encima en cada vuelta?"),
    M("deja fuera las queries sin relevantes", lambda e, t: _means(_rows(e, [c for c in t if c["relevant"]])),
      "Las queries sin relevantes no entran en tu media. ¿Qué dicen las convenciones?"),
    M("deja fuera las queries sin resultados", lambda e, t: _means(_rows(e, [c for c in t if c["retrieved"]])),
      "Las queries que no trajeron nada no entran en tu media. ¿Puede mejorar un buscador por no responder?"),
    M("deja fuera los ceros", lambda e, t: {key: share(sum(row[key] for row in _rows(e, t)),
                                                       sum(row[key] > 0 for row in _rows(e, t))) for key in KEYS},
      "Los ceros no entran en tus medias. ¿Puede mejorar un buscador por no encontrar nada?"),
    M("una lista por métrica", lambda e, t: {key: [row[key] for row in _rows(e, t)] for key in KEYS},
      "Devuelves los valores de cada query. ¿Qué número resume cada métrica?"),
    M("mediana", lambda e, t: {key: sorted(row[key] for row in _rows(e, t))[len(t) // 2] for key in KEYS},
      "Devuelves el valor de en medio. ¿Qué resumen pide el enunciado?"),
    M("divide entre una de menos", lambda e, t: _means(_rows(e, t), len(t) - 1),
      "Divides entre una query de menos. ¿Cuántas hay?"),
    M("intercambia retrieved y relevant",
      lambda e, t: _means([e.evaluate_all(c["relevant"], c["retrieved"]) for c in t]),
      "Llamas a `evaluate_all` con los argumentos cambiados. ¿Cuál va primero?"),
    M("una media de medias", lambda e, t: _mean(v for row in _rows(e, t) for v in row.values()),
      "Mezclas las cinco métricas en un número. ¿Qué debe devolver la función?"),
    M("lista de resultados", lambda e, t: _rows(e, t),
      "Devuelves el resultado de cada query. ¿Qué número resume cada métrica?"),
    M("redondea las medias", lambda e, t: {key: round(value, 3) for key, value in _means(_rows(e, t)).items()},
      "Redondeas las medias. ¿Dónde se redondea: al calcular o al enseñar?"),
    M("porcentaje", lambda e, t: {key: 100 * value for key, value in _means(_rows(e, t)).items()},
      "Devuelves porcentajes. ¿Entre qué valores están estas métricas?"),
    M("media por número de documentos",
      lambda e, t: {key: share(sum(row[key] * len(c["relevant"]) for row, c in zip(_rows(e, t), t, strict=True)),
                               sum(len(c["relevant"]) for c in t)) for key in KEYS},
      "Pesan más las queries con más relevantes (media micro). ¿Cuánto pesa cada query en la media de la lección?"),
)  # fmt: skip

ALL = (
    M("F1 con la media aritmética", lambda d: d | {"f1@k": (d["precision@k"] + d["recall@k"]) / 2},
      "En `f1@k` promedias precisión y recall. ¿Qué media es F1?"),
    M("precisión y recall cambiados", lambda d: d | {"precision@k": d["recall@k"], "recall@k": d["precision@k"]},
      "`precision@k` y `recall@k` están cambiados. ¿Qué método llena cada clave?"),
    M("solo valores", lambda d: list(d.values()),
      "Devuelves los valores sin su nombre. ¿Qué claves pide el enunciado?"),
    M("redondea", lambda d: {key: round(value, 2) for key, value in d.items()},
      "Redondeas los resultados. ¿Dónde se redondea: al calcular o al enseñar?"),
    M("porcentajes", lambda d: {key: 100 * value for key, value in d.items()},
      "Devuelves porcentajes. ¿Entre qué valores están estas métricas?"),
    M("otras claves", lambda d: {key.replace("@k", ""): value for key, value in d.items()},
      "Tus claves no llevan `@k`. ¿Cómo se llaman exactamente en el enunciado?"),
    M("claves con guion bajo", lambda d: {key.replace("@", "_at_"): value for key, value in d.items()},
      "Tus claves se llaman como los métodos. ¿Cómo se llaman exactamente en el enunciado?"),
    M("falta mrr", lambda d: {key: value for key, value in d.items() if key != "mrr"},
      "Falta una de las cinco métricas. ¿Cuál no es «@k»?"),
)  # fmt: skip


def _differences(a: Any, b: Any) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]


DIFFERENCE = (
    M("al revés", lambda a, b: _mean(_differences(b, a)),
      "El signo sale al revés. ¿A cuál se le resta el otro?"),
    M("suma", lambda a, b: sum(_differences(a, b)),
      "Sumas las diferencias. ¿Qué falta para que sea una media?"),
    M("valor absoluto de la media", lambda a, b: abs(_mean(_differences(a, b))),
      "Pierdes el signo. ¿Qué dice el signo de una diferencia?"),
    M("media de valores absolutos", lambda a, b: _mean(map(abs, _differences(a, b))),
      "Promedias diferencias sin signo. ¿Qué pasa cuando uno gana unas queries y pierde otras?"),
    M("solo a", lambda a, b: _mean(a),
      "Devuelves la media de `a`. ¿Dónde entra `b`?"),
    M("mejora relativa", lambda a, b: share(_mean(_differences(a, b)), _mean(b)),
      "Divides entre la media de `b`: eso es la mejora relativa. ¿Qué pide el enunciado?"),
    M("mediana", lambda a, b: sorted(_differences(a, b))[len(a) // 2],
      "Devuelves la diferencia de en medio. ¿Qué resumen pide el enunciado?"),
    M("divide entre n - 1", lambda a, b: share(sum(_differences(a, b)), len(a) - 1),
      "Divides entre una query de menos. ¿Cuántas hay?"),
    M("divide entre las que difieren", lambda a, b: _mean(d for d in _differences(a, b) if d),
      "Los empates no entran en tu media. ¿Cuántas queries hay?"),
    M("la mayor diferencia", lambda a, b: max(_differences(a, b)),
      "Devuelves la mayor diferencia. ¿Qué resumen pide el enunciado?"),
)  # fmt: skip


def _counts(a: Any, b: Any) -> tuple[int, int, int]:
    d = _differences(a, b)
    return sum(x > 0 for x in d), sum(x == 0 for x in d), sum(x < 0 for x in d)


COUNTS = (
    M("ganadas y perdidas cambiadas", lambda a, b: _counts(b, a),
      "Las ganadas y las perdidas están cambiadas. ¿Cuándo gana `a`?"),
    M("empates al final", lambda a, b: (_counts(a, b)[0], _counts(a, b)[2], _counts(a, b)[1]),
      "El orden de los tres números es otro. ¿Qué orden pide el enunciado?"),
    M("el empate cuenta como ganada", lambda a, b: (_counts(a, b)[0] + _counts(a, b)[1], 0, _counts(a, b)[2]),
      "Un empate te cuenta como ganada: ¿usas `>=` donde va `>`?"),
    M("el empate cuenta como perdida", lambda a, b: (_counts(a, b)[0], 0, _counts(a, b)[2] + _counts(a, b)[1]),
      "Un empate te cuenta como perdida: ¿hay un `else` que se lleva los empates?"),
    M("proporciones", lambda a, b: tuple(n / len(a) for n in _counts(a, b)),
      "Devuelves proporciones. ¿Qué hay que contar?"),
    M("olvida los empates", lambda a, b: (_counts(a, b)[0], _counts(a, b)[2]),
      "Faltan los empates. ¿Cuántos números pide el enunciado?"),
    M("redondea antes de comparar", lambda a, b: _counts([round(x) for x in a], [round(x) for x in b]),
      "Redondeas antes de comparar. ¿Empatan 0,4 y 0,1?"),
    M("empate si la diferencia es pequeña", lambda a, b: _counts([x if abs(x - y) > 0.15 else y for x, y in zip(a, b, strict=True)], b),
      "Cuentas como empate una diferencia pequeña. ¿Qué es un empate según el enunciado?"),
)  # fmt: skip


def signed_sums(differences: list[float]) -> list[float]:
    """The sum of the differences under each of the 2^n choices of signs."""
    sums = [0.0]
    for d in differences:
        sums = [total + sign * d for total in sums for sign in (1, -1)]
    return sums


def _p(a: Any, b: Any, extreme: Callable[[float, float], bool]) -> float:
    d = _differences(a, b)
    sums = signed_sums(d)
    return sum(extreme(total, sum(d)) for total in sums) / len(sums)


RANDOMIZATION = (
    M("una sola cola", lambda a, b: _p(a, b, lambda s, o: s >= o - 1e-9),
      "Solo cuentas los repartos a favor de `a`. ¿Qué pasa con los igual de extremos en la otra dirección?"),
    M("la cola contraria", lambda a, b: _p(a, b, lambda s, o: s <= o + 1e-9),
      "Solo cuentas los repartos en contra de `a`. ¿Qué repartos son igual o más extremos que el observado?"),
    M("más extremo, sin contar el igual", lambda a, b: _p(a, b, lambda s, o: abs(s) > abs(o) + 1e-9),
      "No cuentas los repartos igual de extremos que el observado. ¿Está el propio resultado entre los posibles?"),
    M("1 - p", lambda a, b: 1 - _p(a, b, lambda s, o: abs(s) >= abs(o) - 1e-9),
      "Devuelves lo contrario. Si nada es tan extremo como lo observado, ¿es p grande o pequeño?"),
    M("más 1 arriba y abajo", lambda a, b: (_p(a, b, lambda s, o: abs(s) >= abs(o) - 1e-9) * 2 ** len(a) + 1) / (2 ** len(a) + 1),
      PUBLISHED + "sumas 1 arriba y abajo, que se usa con repartos al azar. Si los pruebas todos, ¿cuántos hay?"),
    M("cuenta sin dividir", lambda a, b: _p(a, b, lambda s, o: abs(s) >= abs(o) - 1e-9) * 2 ** len(a),
      "Devuelves cuántos repartos son tan extremos. ¿Qué parte de todos son?"),
    M("prueba de los signos", lambda a, b: _sign_test(a, b),
      "Solo miras quién gana, como la prueba de los signos. ¿Qué suma se compara en la prueba de aleatorización?"),
    M("compara sin valor absoluto", lambda a, b: _p(a, b, lambda s, o: s >= abs(o) - 1e-9),
      "Comparas la suma con signo. Si el resultado fuera el contrario, ¿sería igual de extremo?"),
    M("el doble de una cola", lambda a, b: 2 * _p(a, b, lambda s, o: s >= o - 1e-9),
      "Doblas una cola. Con `b` por delante, ¿cuánto te sale? ¿Puede pasar de 1?"),
    M("divide entre n", lambda a, b: _p(a, b, lambda s, o: abs(s) >= abs(o) - 1e-9) * 2 ** len(a) / len(a),
      "Divides entre el número de queries. ¿Cuántos repartos de signos hay?"),
)  # fmt: skip


def _sign_test(a: Any, b: Any) -> float:
    wins, _, losses = _counts(a, b)
    n, low = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(low + 1)) / 2**n)


CEILING = (
    M("siempre 1", lambda sizes, k: 1.0 if sizes else 0.0,
      "Dices que siempre se puede llegar a 1. Con un solo relevante y `k` = 3, ¿cuál es la mayor precisión posible?"),
    M("R entre k sin tope", lambda sizes, k: _mean(n / k for n in sizes),
      "Con más relevantes que `k` te sale más de 1. ¿Cuántos caben en el top-k?"),
    M("techo del recall", lambda sizes, k: _mean(share(min(n, k), n) for n in sizes),
      "Eso es el techo del recall. ¿Entre cuántos divide la precisión?"),
    M("techo de la media", lambda sizes, k: min(_mean(sizes), k) / k,
      "Calculas el techo con el número medio de relevantes. ¿Es lo mismo que la media de los techos?"),
    M("suma sin dividir", lambda sizes, k: sum(min(n, k) / k for n in sizes),
      "Sumas los techos de las queries. ¿Qué falta para que sea una media?"),
    M("la peor query", lambda sizes, k: min((min(n, k) / k for n in sizes), default=0.0),
      "Devuelves el techo de la query con menos relevantes. ¿Qué resumen pide el enunciado?"),
    M("la mejor query", lambda sizes, k: max((min(n, k) / k for n in sizes), default=0.0),
      "Devuelves el techo de la query con más relevantes. ¿Qué resumen pide el enunciado?"),
    M("deja fuera las queries sin relevantes", lambda sizes, k: _mean(min(n, k) / k for n in sizes if n),
      "Las queries sin relevantes no entran en tu media. ¿Cuánto vale su techo?"),
    M("cuenta las que llenan el top-k", lambda sizes, k: _mean(float(n >= k) for n in sizes),
      "Cuentas las queries que pueden llegar a 1. ¿Y hasta dónde pueden llegar las otras?"),
    M("sin guarda para cero queries", lambda sizes, k: sum(min(n, k) / k for n in sizes) / len(sizes),
      "¿Qué pasa en tu media cuando no hay ninguna query? Mira qué dice el enunciado de ese caso."),
)  # fmt: skip
