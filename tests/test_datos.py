"""The collection of lesson 09: complete, consistent and judged as its README says."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

DATA = Path(__file__).parents[1] / "notebooks" / "datos"
KINDS = {"clara": 24, "ambigua": 7, "sin respuesta": 4, "varias partes": 5}
POOL_DEPTH = 10


@cache
def rows(name: str) -> list[dict]:
    # Not splitlines: it would also split at the rarer line separators of Unicode.
    return [json.loads(line) for line in (DATA / name).read_bytes().decode().split("\n") if line]


def documents() -> dict[str, str]:
    return {row["id"]: f"{row['titulo']}\n{row['texto']}" for row in rows("documentos.jsonl")}


@cache
def gains() -> dict[str, dict[str, int]]:
    by_query: dict[str, dict[str, int]] = {row["id"]: {} for row in rows("consultas.jsonl")}
    for row in rows("juicios.jsonl"):
        by_query[row["consulta"]][row["documento"]] = row["ganancia"]
    return by_query


def words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFD", text.lower())
    return re.findall(r"\w+", "".join(char for char in folded if unicodedata.category(char) != "Mn"))


def sections(text: str) -> list[str]:
    return re.findall(r"^## (.+)$", text, flags=re.MULTILINE)


# --- Form ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("documentos.jsonl", ["id", "titulo", "texto"]),
        ("consultas.jsonl", ["id", "texto", "tipo"]),
        ("juicios.jsonl", ["consulta", "documento", "ganancia", "razon"]),
    ],
)
def test_every_line_has_the_stated_keys_in_good_text(name, keys):
    raw = (DATA / name).read_bytes()
    text = raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert text.endswith("\n")
    assert unicodedata.is_normalized("NFC", text)
    assert "\ufffd" not in text
    for row in rows(name):
        assert list(row) == keys
        if row.get("id") != "unicode-y-codificaciones":  # the document that shows broken text
            assert not re.search(r"[ÃÂ]|â€", "".join(map(str, row.values()))), row
        for value in row.values():
            assert value == 0 or value, row
            if isinstance(value, str):
                assert value == value.strip()
                assert not re.search(r"[^\S\n]{2,}|[\x00-\x09\x0b-\x1f]", value), row


def test_counts_and_ids():
    docs, queries = rows("documentos.jsonl"), rows("consultas.jsonl")
    assert len(docs) >= 120
    assert len(queries) == 40
    for items in (docs, queries):
        ids = [row["id"] for row in items]
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in ids)
    assert len({row["titulo"] for row in docs}) == len(docs)
    assert len({row["texto"] for row in queries}) == len(queries)


@pytest.mark.parametrize("row", rows("documentos.jsonl"), ids=lambda row: row["id"])
def test_document_length_and_sections(row):
    text = row["texto"]
    assert 120 <= len(text.replace("## ", "").split()) <= 260
    names = sections(text)
    assert 2 <= len(names) <= 4
    assert len(set(names)) == len(names)
    assert text.count("`") % 2 == 0
    bodies = re.split(r"^## .+$", text, flags=re.MULTILINE)[1:]
    assert all(len(body.split()) >= 5 for body in bodies)


def test_no_two_documents_say_the_same():
    """Shared runs of five words: near-distractors share a topic, not sentences."""
    runs = {}
    for row in rows("documentos.jsonl"):
        found = words(row["texto"])
        runs[row["id"]] = {tuple(found[i : i + 5]) for i in range(len(found) - 4)}
    alike = [
        (a, b) for a, b in combinations(runs, 2) if len(runs[a] & runs[b]) > 0.05 * min(len(runs[a]), len(runs[b]))
    ]
    assert alike == []


# --- Queries and judgments ----------------------------------------------------------------------------


def test_kinds_of_queries():
    assert Counter(row["tipo"] for row in rows("consultas.jsonl")) == KINDS
    assert all(2 <= len(row["texto"].split()) <= 20 for row in rows("consultas.jsonl"))


def test_judgments_are_unique_graded_and_explained():
    docs, queries = documents(), {row["id"] for row in rows("consultas.jsonl")}
    pairs = [(row["consulta"], row["documento"]) for row in rows("juicios.jsonl")]
    assert len(set(pairs)) == len(pairs)
    for row in rows("juicios.jsonl"):
        assert row["consulta"] in queries
        assert row["documento"] in docs
        assert type(row["ganancia"]) is int
        assert 0 <= row["ganancia"] <= 2
        assert len(row["razon"].split()) >= 3
        assert row["razon"].endswith(".")
        assert "\n" not in row["razon"]


@pytest.mark.parametrize("query", rows("consultas.jsonl"), ids=lambda row: row["id"])
def test_relevance_follows_the_kind_of_query(query):
    found = Counter(gains()[query["id"]].values())
    assert found[0] >= 4
    if query["tipo"] == "sin respuesta":
        assert set(found) == {0}
    elif query["tipo"] == "clara":
        assert found[2] in (1, 2)
    else:  # each reading, or each part, has its own document
        assert found[2] >= 2


# --- The pool -----------------------------------------------------------------------------------------


@cache
def word_counts(texts: tuple[str, ...]) -> list[Counter[str]]:
    return [Counter(words(text)) for text in texts]


def bm25_scores(texts: tuple[str, ...], query: str, k1: float = 1.5, b: float = 0.75) -> list[float]:
    bags = word_counts(texts)
    lengths = [bag.total() for bag in bags]
    average = sum(lengths) / len(lengths)
    scores = [0.0] * len(texts)
    for word in words(query):
        df = sum(word in bag for bag in bags)
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        for i, bag in enumerate(bags):
            tf = bag[word]
            scores[i] += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[i] / average))
    return scores


@cache
def character_index(texts: tuple[str, ...]):
    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), strip_accents="unicode", sublinear_tf=True
    )
    return vectorizer, vectorizer.fit_transform(texts)


def character_scores(texts: tuple[str, ...], query: str) -> list[float]:
    vectorizer, matrix = character_index(texts)
    return (matrix @ vectorizer.transform([query]).T).toarray().ravel().tolist()


@pytest.mark.parametrize("scores_of", [bm25_scores, character_scores])
def test_the_first_ten_of_two_methods_are_all_judged(scores_of):
    docs, judged = documents(), gains()
    names, texts = list(docs), tuple(docs.values())
    total, missing = 0, []
    for query in rows("consultas.jsonl"):
        scores = scores_of(texts, query["texto"])
        order = sorted(range(len(names)), key=lambda i: (-scores[i], names[i]))
        top = [names[i] for i in order[:POOL_DEPTH] if scores[i] > 1e-12]
        total += len(top)
        missing += [(query["id"], name) for name in top if name not in judged[query["id"]]]
    assert total > 35 * POOL_DEPTH
    assert missing == []  # the share of judged documents is 100 %


def test_readme_states_the_numbers_of_the_files():
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    found = Counter(row["ganancia"] for row in rows("juicios.jsonl"))
    per_query = [len(judged) for judged in gains().values()]
    generic = sum(row["razon"].startswith("Trata de otro tema") for row in rows("juicios.jsonl"))
    for number in [
        f"{len(rows('documentos.jsonl'))} documentos",
        f"{len(rows('consultas.jsonl'))} consultas",
        f"{len(rows('juicios.jsonl'))} juicios",
        f"{found[2]} con ganancia 2, {found[1]} con 1 y {found[0]} con 0",
        f"entre {min(per_query)} y {max(per_query)} juicios por consulta",
        f"{generic} de los ceros",
        "100 %",
        "CC BY 4.0",
    ]:
        assert number in readme, number
    for kind, count in KINDS.items():
        assert f"| {kind} | {count} |" in readme
