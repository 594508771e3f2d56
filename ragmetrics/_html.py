"""HTML shared by what lessons and checks show.

Everything works without JavaScript and survives JupyterLab's sanitizer, so that a lesson looks the same when
it is not trusted yet, on GitHub and as a static page. Colours are fixed on a white card: the reader may have
chosen a dark theme.
"""

from html import escape

from ragmetrics.plots import INK, PAPER

CARD = (
    f"background-color:{PAPER};color:{INK};border:1px solid #C8C8C8;border-radius:6px;"
    "padding:12px 16px;margin:4px 0;max-width:760px;line-height:1.45"
)


class Html:
    """An output with an HTML version and a plain one for whatever cannot show HTML."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}


def rich(text: str) -> str:
    """Escape `text`; what stands between backticks becomes code.

    >>> rich("si k < 3")
    'si k &lt; 3'
    """
    style = f"background-color:#EFEFEF;color:{INK};padding:0 3px"
    parts = escape(text, quote=False).split("`")
    return "".join(f'<code style="{style}">{part}</code>' if i % 2 else part for i, part in enumerate(parts))
