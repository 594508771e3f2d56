"""A lint of the lessons and the assignments: form, outputs, language and numbers.

Each rule returns what it finds wrong; those about stored outputs and sections are for the lessons alone.

Prose is Spanish and writes decimals with a comma; code and what it prints write them with a point.
"""

import io
import json
import re
import tokenize
import warnings
from html import unescape
from pathlib import Path

import ir_measures
import nbformat
import pytest
import pytrec_eval
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    label_ranking_average_precision_score,
    ndcg_score,
    precision_score,
    recall_score,
)

from ragmetrics.lessons.execute import METADATA, WIDGET_VIEW
from ragmetrics.lessons.quiz import load

FOLDER = Path(__file__).parents[1] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))
QUIZZES = sorted(FOLDER.glob("preguntas/*.json"))
ASSIGNMENTS = sorted(FOLDER.parent.glob("solutions/*/*.ipynb"))

# The second-level headings of lessons 01 to 05, in order, as regular expressions.
METRIC_LESSON = re.compile(r"0[1-5]_\w+")
SECTIONS = [
    "Qué aprenderás",
    "La pregunta",
    "La fórmula",
    "Paso a paso",
    "Practica",
    "Según cambia .+",
    "Cómo interpretarla",
    "Cuándo usarla",
    "Trampas",
    "Convenciones y otras bibliotecas",
    "Muévelo tú",
    "Comprueba lo aprendido",
    "Qué hacer ahora",
    "Referencias",
]
# English titles, DOIs and years: neither the language nor the numbers of these sections are checked.
FREE_SECTIONS = ("Referencias",)

# Numbers of the prose that no cell computes, each with its reason.
NOT_COMPUTED = {
    "01_recall": {"0,85": "meta típica de la cápsula"},
    "02_precision": {"0,80": "meta típica de la cápsula"},
    "05_ndcg": {"0,85": "meta típica de la cápsula"},
    "06_evaluador": {"0,65": "umbral de la cápsula para un ranking aceptable"},
    "07_multiples_queries": {
        "0,722": "errata de la cápsula",
        "0,533": "errata de la cápsula",
        "0,812": "errata de la cápsula",
        "0,051": "una p inventada, al lado de 0,05",
    },
}

# Words that no Spanish sentence of the course needs (none of them is a Spanish word too).
WORDS = """
    about after all also and any are at be been before below best better between but by can cannot cell cells
    click could dataset default document documents does each evaluate evaluation example examples feedback
    figure file first folder for from gain gains get given good hidden how if input into is it its last learn
    lesson list make many mean means more most must near need next not of on only open or other our
    output over performance please rank relevance relevant result results retrieve retrieved return returns run
    same search see should show since some step submit task test tests than that the their them then there
    these they this those to used user validate value values want was we were what when where which while will
    with without would yes you your
"""
ENGLISH = frozenset(WORDS.split())
# One word for each thing, in every lesson and assignment.
AGREED = {"cuaderno": "notebook"}
PROPER_NAMES = (
    "scikit-learn",
    "Mean Reciprocal Rank",
    "Normalized Discounted Cumulative Gain",
    "Evaluation Datasets",
)
# What JupyterLab and nbgrader call their own buttons: allowed in bold.
BUTTONS = ("Assignment List", "Nbgrader", "Fetch", "Fetch Feedback", "Validate", "Submit", "(view feedback)")


class Lesson:
    """A notebook and the views of it that the rules need."""

    def __init__(self, notebook, name="00_prueba"):
        self.notebook, self.name = notebook, name
        self.code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.markdown = [cell for cell in notebook.cells if cell.cell_type == "markdown"]

    @classmethod
    def read(cls, path):
        """Read a notebook as the reader sees it, without nbgrader's markers."""
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
        for cell in notebook.cells:
            cell.source = re.sub(r"### (BEGIN|END) [A-Z ]+", "", cell.source)
        return cls(notebook, path.stem)

    @property
    def outputs(self):
        return [(cell, output) for cell in self.code for output in cell.outputs]

    @property
    def headings(self):
        lines = without_fences("\n\n".join(cell.source for cell in self.markdown)).splitlines()
        return [(len(match[1]), match[2]) for line in lines if (match := re.match(r"(#+) +(.+?) *$", line))]

    @property
    def prose(self):
        """The Markdown cells as (cell, text), without code, formulas, link targets and free sections."""
        found, section = [], ""
        for cell in self.markdown:
            headings = re.findall(r"^## +(.+?) *$", without_fences(cell.source), flags=re.M)
            section = headings[-1] if headings else section
            if section not in FREE_SECTIONS:
                found.append((cell, plain_prose(cell.source)))
        return found


def without_fences(text):
    return re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)


def plain_prose(text):
    text = re.sub(r"``.*?``|`[^`\n]*`", " ", without_fences(text))
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$", " ", text, flags=re.S)
    text = re.sub(r"\]\([^)]*\)|<[^>]*>", " ", text)
    for name in (*PROPER_NAMES, *(f"**{button}**" for button in BUTTONS)):
        text = text.replace(name, " ")
    return text


def data_texts(output):
    """The texts of one output by type, without the pixels of its images."""
    data = {"text/plain": output.text} if output.output_type == "stream" else output.get("data", {})
    return {mime: re.sub(r'data:image/[^"]+', "", text) for mime, text in data.items() if isinstance(text, str)}


def english_in(text):
    return sorted({word.lower() for word in re.findall(r"\b[A-Za-zÁ-ú]+\b", text) if word.lower() in ENGLISH})


# --- rules --------------------------------------------------------------------------------------------


def valid_format(lesson):
    notebook = lesson.notebook
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        return [f"format {notebook.nbformat}.{notebook.nbformat_minor} instead of 4.5"]
    return [f"not valid: {error.message}" for error in nbformat.validator.iter_validate(notebook)]


def ids_of(lesson):
    return [cell.get("id", "") for cell in lesson.notebook.cells]


def unique_ids(lesson):
    ids = ids_of(lesson)
    return [f"id {cell_id!r} is repeated" for cell_id in sorted(set(ids)) if ids.count(cell_id) > 1]


def readable_ids(lesson):
    shape = re.compile(r"[a-z0-9]+-\d\d-[a-z0-9-]+")
    return [
        f"id {cell_id!r} is not like recall-01-titulo"
        for cell_id in ids_of(lesson)
        if not shape.fullmatch(cell_id)
    ]


def python_kernel(lesson):
    kernel = lesson.notebook.metadata.get("kernelspec")
    return [] if kernel == METADATA["kernelspec"] else [f"kernelspec {kernel}"]


def neutral_metadata(lesson):
    problems = [] if lesson.notebook.metadata == METADATA else ["metadata differs from what execute writes"]
    return problems + [
        f"cell {cell.id} holds metadata" for cell in lesson.notebook.cells if set(cell.metadata) - {"tags"}
    ]


def executed_once(lesson):
    counts = [cell.execution_count for cell in lesson.code]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"execution counts {counts}"]


def clean_outputs(lesson):
    problems = []
    for cell, output in lesson.outputs:
        if output.output_type == "error" or output.get("name") == "stderr":
            problems.append(f"{cell.id}: error, warning or stderr in the output")
        if WIDGET_VIEW in output.get("data", {}):
            problems.append(f"{cell.id}: stored widget view (run ragmetrics.lessons.execute)")
        if any(mime.startswith("image/") for mime in output.get("data", {})):
            problems.append(f"{cell.id}: bare image, without alternative text (use show)")
    return problems


def no_absolute_paths(lesson):
    texts = [(cell, cell.source) for cell in lesson.notebook.cells]
    texts += [(cell, text) for cell, output in lesson.outputs for text in data_texts(output).values()]
    path = re.compile(r"(?<![\w./:<])/(?:home|root|work|tmp|usr|var|opt|Users|mnt|private)/|\b[A-Z]:\\")
    return [f"{cell.id}: absolute path" for cell, text in texts if path.search(text)]


def ordered_headings(lesson):
    levels = [level for level, _ in lesson.headings]
    problems = [] if levels[:1] == [1] and levels.count(1) == 1 else ["one first-level heading, at the top"]
    jumps = [
        text
        for (before, _), (level, text) in zip(lesson.headings, lesson.headings[1:], strict=False)
        if level > before + 1
    ]
    return problems + [f"heading {text!r} skips a level" for text in jumps]


def agreed_sections(lesson):
    if not METRIC_LESSON.fullmatch(lesson.name):
        return []
    found = [text for level, text in lesson.headings if level == 2]
    same = len(found) == len(SECTIONS) and all(map(re.fullmatch, SECTIONS, found))
    return [] if same else [f"sections {found} instead of {SECTIONS}"]


def described_images(lesson):
    texts = [(cell, cell.source) for cell in lesson.markdown]
    texts += [(cell, data_texts(output).get("text/html", "")) for cell, output in lesson.outputs]
    problems = []
    for cell, text in texts:
        for image in re.findall(r"<img\b[^>]*>", text):
            if not re.search(r'\balt="[^"]*\w[^"]*"', image):
                problems.append(f"{cell.id}: image without alternative text")
        if re.search(r"!\[\s*\]\(", text):
            problems.append(f"{cell.id}: Markdown image without alternative text")
    return problems


def living_links(lesson):
    targets = [
        (cell, target) for cell in lesson.markdown for target in re.findall(r"\]\(([^)\s]+)\)", cell.source)
    ]
    local = [(cell, target.split("#")[0]) for cell, target in targets if not re.match(r"https://|#", target)]
    return [f"{cell.id}: {target} does not exist" for cell, target in local if not (FOLDER / target).exists()]


def spanish_prose(lesson):
    texts = lesson.prose + [(cell, " ".join(comments(cell.source))) for cell in lesson.code]
    return [f"{cell.id}: English {words}" for cell, text in texts if (words := english_in(text))]


def agreed_words(lesson):
    return [
        f"{cell.id}: {word!r} instead of {agreed!r}"
        for cell, text in lesson.prose
        for word, agreed in AGREED.items()
        if re.search(rf"\b{word}s?\b", text, flags=re.I)
    ]


def comments(source):
    code = "\n".join(line for line in source.splitlines() if not line.startswith(("%", "!")))
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def decimal_signs(lesson):
    prose = [(cell, r"\d\.\d", text) for cell, text in lesson.prose]
    printed = [
        (cell, r"\d,\d", texts["text/plain"])
        for cell, output in lesson.outputs
        if "text/html" not in (texts := data_texts(output)) and "text/plain" in texts
    ]
    return [
        f"{cell.id}: decimal sign in {match[0]!r}"
        for cell, sign, text in prose + printed
        if (match := re.search(sign, text))
    ]


def computed_numbers(lesson):
    printed = printed_numbers(lesson)
    allowed = dict(NOT_COMPUTED.get(lesson.name, {}))
    problems = []
    for cell, text in lesson.prose:
        for number, percent in re.findall(r"(?<![\w,])(\d+(?:,\d+)?)(?:\s*(%))?", text):
            if number in NOT_COMPUTED.get(lesson.name, {}):
                allowed.pop(number, None)
            elif ("," in number or percent) and not matches(number, bool(percent), printed):
                problems.append(f"{cell.id}: no cell computes {number}{' %' if percent else ''}")
    return problems + [f"{number} is excused but not used" for number in allowed]


def printed_numbers(lesson):
    """The numbers in the outputs, those of quizzes aside: they are data, not results."""
    numbers = []
    for cell, output in lesson.outputs:
        if "quiz(" in cell.source:
            continue
        for text in data_texts(output).values():
            text = " ".join([*re.findall(r'\balt="([^"]*)"', text), re.sub(r"<[^>]*>", " ", text)])
            numbers += [float(found.replace(",", ".")) for found in re.findall(r"\d+(?:[.,]\d+)?", unescape(text))]
    return numbers


def matches(number, percent, printed):
    digits = len(number.partition(",")[2]) + 2 * percent
    wanted = float(number.replace(",", ".")) / (100 if percent else 1)
    return any(f"{value:.{digits}f}" == f"{wanted:.{digits}f}" for value in printed)


COMMON_RULES = [
    valid_format,
    unique_ids,
    python_kernel,
    no_absolute_paths,
    ordered_headings,
    described_images,
    spanish_prose,
    agreed_words,
    decimal_signs,
]
RULES = [
    *COMMON_RULES,
    readable_ids,
    neutral_metadata,
    executed_once,
    clean_outputs,
    agreed_sections,
    living_links,
    computed_numbers,
]


# --- the lessons and the assignments -----------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson(path, rule):
    assert rule(Lesson.read(path)) == []


@pytest.mark.parametrize("rule", COMMON_RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)
def test_assignment(path, rule):
    assert rule(Lesson.read(path)) == []


def test_there_are_lessons_and_assignments():
    assert {"00_inicio", "01_recall"} <= {path.stem for path in LESSONS}
    assert "tarea1_conjuntos" in {path.stem for path in ASSIGNMENTS}


@pytest.mark.parametrize("path", QUIZZES, ids=lambda path: path.stem)
def test_quiz_data(path):
    questions = load(path)
    assert 3 <= len(questions) <= 5
    right = [[option["correct"] for option in question["options"]].index(True) for question in questions]
    assert len(set(right)) > 1, "the right answer is always in the same place"
    texts = [text for question in questions for text in quiz_texts(question)]
    assert [words for text in texts if (words := english_in(plain_prose(text)))] == []
    assert [text for text in texts if re.search(r"\d\.\d", plain_prose(text))] == []


def quiz_texts(question):
    return [question["question"], *(option[key] for option in question["options"] for key in ("text", "feedback"))]


@pytest.mark.parametrize(
    "path", [path for path in LESSONS if METRIC_LESSON.fullmatch(path.stem)], ids=lambda path: path.stem
)
def test_metric_lesson_has_its_components(path):
    code = "\n".join(cell.source for cell in Lesson.read(path).code)
    assert f'quiz("preguntas/{path.stem}.json")' in code
    for component in ("ranking_strip(", "explorer(", "check("):
        assert component in code
    assert r"$$" in path.read_text(encoding="utf-8")


# --- the rules can fail -------------------------------------------------------------------------------


def sample(markdown=("# Título",), code=(), outputs=()):
    """A small lesson that every rule accepts unless its content is bad."""
    cells = [nbformat.v4.new_markdown_cell(text, id=f"prueba-{i:02d}-texto") for i, text in enumerate(markdown)]
    for i, source in enumerate(code, start=1):
        cell = nbformat.v4.new_code_cell(source, id=f"prueba-{i:02d}-codigo", execution_count=i)
        cell.outputs = list(outputs) if i == len(code) else []
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells, metadata=json.loads(json.dumps(METADATA)))


def stream(text, name="stdout"):
    return nbformat.v4.new_output("stream", name=name, text=text)


def result(**data):
    mimes = {key.replace("_", "/"): value for key, value in data.items()}
    return nbformat.v4.new_output("execute_result", execution_count=1, data=mimes)


def changed(change, **content):
    notebook = sample(**content)
    change(notebook)
    return notebook


GOOD = sample(
    markdown=[
        "# Título",
        "## La pregunta\n\nVale 0,67, el 67 %. Pulsa **Fetch** y usa `the output`. $k = 0.5$ [a](https://a.b/1.5)",
        "```python\n# not a heading, with 0.5\n```",
        "## Referencias\n\n- *The Art of Retrieval*, doi:10.1017/1",
    ],
    code=["1 / 3", "# Un comentario de recall_at_k\n2 / 3"],
    outputs=[
        stream("0.6666666\n"),
        result(text_html='<img alt="Una figura: 0,5" src="data:image/png;base64,/home/">'),
    ],
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_accepts_a_good_lesson(rule):
    assert rule(Lesson(GOOD)) == []


BAD = [
    (valid_format, changed(lambda nb: nb.update(nbformat_minor=4))),
    (valid_format, changed(lambda nb: nb.cells[0].pop("id"))),
    (unique_ids, changed(lambda nb: nb.cells[1].update(id=nb.cells[0].id), markdown=["# a", "b"])),
    (readable_ids, changed(lambda nb: nb.cells[0].update(id="3f2a9c1b"))),
    (python_kernel, changed(lambda nb: nb.metadata.kernelspec.update(name="otro"))),
    (python_kernel, changed(lambda nb: nb.metadata.pop("kernelspec"))),
    (neutral_metadata, changed(lambda nb: nb.metadata.update(widgets={}))),
    (neutral_metadata, changed(lambda nb: nb.cells[0].metadata.update(execution={}))),
    (executed_once, changed(lambda nb: nb.cells[-1].update(execution_count=3), code=["1", "2"])),
    (executed_once, changed(lambda nb: nb.cells[-1].update(execution_count=None), code=["1"])),
    (clean_outputs, sample(code=["1"], outputs=[stream("aviso", name="stderr")])),
    (
        clean_outputs,
        sample(code=["1"], outputs=[nbformat.v4.new_output("error", ename="E", evalue="", traceback=[])]),
    ),
    (clean_outputs, sample(code=["1"], outputs=[result(image_png="iVBOR")])),
    (clean_outputs, sample(code=["1"], outputs=[nbformat.v4.new_output("display_data", data={WIDGET_VIEW: {}})])),
    (no_absolute_paths, sample(markdown=["# Abre /home/ana/curso"])),
    (no_absolute_paths, sample(code=["open('/tmp/a')"])),
    (no_absolute_paths, sample(code=["1"], outputs=[stream(r"C:\Users\ana")])),
    (ordered_headings, sample(markdown=["## Sin título"])),
    (ordered_headings, sample(markdown=["# Uno", "# Dos"])),
    (ordered_headings, sample(markdown=["# Uno", "### Tres"])),
    (described_images, sample(code=["1"], outputs=[result(text_html="<img src='a.png'>")])),
    (described_images, sample(code=["1"], outputs=[result(text_html='<img alt="" src="a.png">')])),
    (described_images, sample(markdown=["# Uno\n\n![](a.png)"])),
    (living_links, sample(markdown=["# Uno\n\n[dos](99_nada.ipynb)"])),
    (spanish_prose, sample(markdown=["# Run the cell"])),
    (spanish_prose, sample(markdown=["# Uno\n\nPulsa Submit cuando acabes."])),
    (spanish_prose, sample(code=["k = 5  # the cut-off"])),
    (agreed_words, sample(markdown=["# Abre los cuadernos"])),
    (decimal_signs, sample(markdown=["# Vale 0.5"])),
    (decimal_signs, sample(code=["1"], outputs=[stream("Recall@5 = 0,67")])),
    (computed_numbers, sample(markdown=["# Vale 0,68"], code=["1"], outputs=[stream("0.6666")])),
    (computed_numbers, sample(markdown=["# Es el 68 %"], code=["1"], outputs=[stream("0.6666")])),
    (computed_numbers, sample(markdown=["# Vale 0,9"], code=["quiz('a')"], outputs=[stream("0.9")])),
]


@pytest.mark.parametrize(
    ("rule", "notebook"), BAD, ids=[f"{i}-{rule.__name__}" for i, (rule, _) in enumerate(BAD)]
)
def test_rule_finds_what_is_wrong(rule, notebook):
    assert len(rule(Lesson(notebook))) == 1


def test_sections_of_a_metric_lesson_are_checked():
    titles = [section.replace(".+", "k") for section in SECTIONS]
    notebook = sample(markdown=["# Título", *(f"## {title}" for title in titles)])
    assert agreed_sections(Lesson(notebook, "04_mrr")) == []
    assert agreed_sections(Lesson(sample(), "04_mrr"))
    assert agreed_sections(Lesson(changed(lambda nb: nb.cells.reverse(), markdown=["# a", "## b"]), "01_recall"))
    assert agreed_sections(Lesson(sample(), "06_evaluador")) == []


def test_an_excuse_that_nobody_uses_is_found():
    assert computed_numbers(Lesson(sample(), "01_recall")) == ["0,85 is excused but not used"]


def test_every_rule_is_seen_to_fail():
    assert {rule for rule, _ in BAD} | {agreed_sections} == set(RULES)


def test_markers_of_nbgrader_are_not_read(tmp_path):
    text = "# Uno\n\n### BEGIN SOLUTION\nTu respuesta.\n### END SOLUTION\n<!-- ### BEGIN MARK SCHEME -->"
    code = "### BEGIN HIDDEN TESTS\n1\n### END HIDDEN TESTS"
    nbformat.write(sample(markdown=[text], code=[code]), tmp_path / "tarea.ipynb")
    lesson = Lesson.read(tmp_path / "tarea.ipynb")
    assert [problem for rule in COMMON_RULES for problem in rule(lesson)] == []


# --- what lessons 01 to 05 say of other libraries (tests/test_oracles.py checks the rest) ------------------------


def test_recall_of_scikit_learn_is_as_the_lesson_says():
    collection = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9", "doc_12"]
    relevant = [doc in ("doc_3", "doc_7", "doc_12") for doc in collection]
    retrieved = [doc != "doc_12" for doc in collection]
    assert recall_score(relevant, retrieved) == pytest.approx(2 / 3)
    assert recall_score(relevant[:5], retrieved[:5]) == 1.0  # without what did not come
    with pytest.warns(UserWarning, match="Recall is ill-defined"):
        assert recall_score([False] * 6, retrieved) == 0.0


def test_precision_and_f1_of_scikit_learn_are_as_the_lessons_say():
    relevant, retrieved, nothing = [0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 0], [0] * 6
    assert precision_score(relevant, retrieved) == 0.4
    assert f1_score(relevant, retrieved) == 0.5
    with pytest.warns(UserWarning, match="Precision is ill-defined"):
        assert precision_score(relevant, nothing) == 0.0
    with warnings.catch_warnings(action="error"):
        assert f1_score(nothing, retrieved) == f1_score(relevant, nothing) == 0.0
    with pytest.warns(UserWarning, match="F-score is ill-defined"):
        assert f1_score(nothing, nothing) == 0.0
    assert f1_score(nothing, nothing, zero_division=1.0) == 1.0


def test_only_set_precision_divides_by_what_came_as_lesson_02_says():
    qrels, run = {"q": {"d3": 1, "d7": 1}}, {"q": {"d3": 1.0}}
    assert pytrec_eval.RelevanceEvaluator(qrels, {"P.5", "set_P"}).evaluate(run)["q"] == {"P_5": 0.2, "set_P": 1.0}
    measures = [ir_measures.P @ 5, ir_measures.SetP]
    assert ir_measures.calc_aggregate(measures, qrels, run) == dict(zip(measures, (0.2, 1.0), strict=True))


def test_trec_eval_weighs_f_with_the_square_of_beta_as_lesson_03_says():
    relevant, retrieved = [0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 0]
    qrels = {"q": {"d3": 1, "d7": 1, "d12": 1}}
    run = {"q": {"d1": 5.0, "d3": 4.0, "d5": 3.0, "d7": 2.0, "d9": 1.0}}
    weighted = pytrec_eval.RelevanceEvaluator(qrels, {"set_F.2"}).evaluate(run)["q"]["set_F"]
    assert weighted == pytest.approx(fbeta_score(relevant, retrieved, beta=2**0.5))
    through_ir_measures = ir_measures.calc_aggregate([ir_measures.SetF(beta=2.0)], qrels, run)
    assert list(through_ir_measures.values()) == [pytest.approx(weighted)]


def test_scikit_learn_has_the_mrr_of_one_relevant_document_as_lesson_04_says():
    scores = [[3, 2, 1], [3, 2, 1]]
    assert label_ranking_average_precision_score([[0, 1, 0], [1, 0, 0]], scores) == (1 / 2 + 1) / 2
    assert label_ranking_average_precision_score([[0, 1, 1], [1, 0, 0]], scores) > (1 / 2 + 1) / 2


def test_ndcg_of_scikit_learn_needs_what_did_not_come_as_lesson_05_says():
    """The retrieved documents, best first; then the relevant ones that were missed, with the lowest scores."""
    assert ndcg_score([[1, 0, 0, 0, 0]], [[7, 6, 5, 4, 3]], k=5) == 1.0
    assert round(ndcg_score([[1, 0, 0, 0, 0, 1, 1]], [[7, 6, 5, 4, 3, 2, 1]], k=5), 3) == 0.469
    assert ndcg_score([[1, 1, 1]], [[7, 2, 1]], k=5) == 1.0  # one retrieved: the missed ones enter the cut
