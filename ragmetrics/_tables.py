"""Tables for people: plain text for a terminal, accessible HTML for a notebook; decimal comma in both."""

from collections.abc import Sequence


def decimal(value: float, digits: int = 3) -> str:
    """Return the number as people read it in Spanish."""
    return f"{value:.{digits}f}".replace(".", ",").replace("nan", "—")


def percent(fraction: float) -> str:
    """Return the fraction as people read it in Spanish: `95 %`."""
    return f"{100 * fraction:g} %".replace(".", ",")


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the table in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for first, *others in (header, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def html_table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """Return the table with a caption and header cells that a screen reader can announce."""
    from html import escape  # loads a table of entities: not for everyone who imports ragmetrics

    head = "".join(
        f'<th scope="col" style="text-align:{"right" if column else "left"}">{escape(name)}</th>'
        for column, name in enumerate(header)
    )
    body = "".join(
        "<tr>"
        + f'<th scope="row" style="text-align:left">{escape(first)}</th>'
        + "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in others)
        + "</tr>"
        for first, *others in rows
    )
    after = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        f'<table><caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{after}"
    )
