"""Text files, plain or gzip: numbered lines in, whole files out, and errors that name the file in Spanish."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ragmetrics._inputs import shorten

REASONS = {
    "ENOENT": "no existe",
    "EISDIR": "es una carpeta",
    "ENOTDIR": "pasa por un archivo como si fuera una carpeta",
    "EACCES": "no tienes permiso",
    "EROFS": "está en un disco de solo lectura",
    "ENOSPC": "no queda sitio en el disco",
}


def fail(name: str, where: str, problem: str) -> NoReturn:
    """Raise the error of a file whose content is wrong."""
    raise ValueError(f"{name}, {where}: {problem}" if where else f"{name}: {problem}")


def name_and_suffix(path: Any) -> tuple[str, str]:
    """Return the path as text, and the suffix that tells the format, without .gz and in lower case."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        raise TypeError(
            f"path debe ser la ruta de un archivo, un texto o un Path, y llegó {shorten(path)}, de tipo "
            f"{type(path).__name__}. Al escribir, la ruta va delante: write_run(path, run)."
        ) from None
    return name, os.path.splitext(name.lower().removesuffix(".gz"))[1]


def read_lines(name: str) -> Iterator[tuple[int, str]]:
    """Read the lines with their numbers; they end as they end in the file."""
    import zlib
    from gzip import BadGzipFile
    from gzip import open as open_gzip

    number = 0
    with spanish_reasons(name), (open_gzip if _is_gzip(name) else open)(name, "rb") as file:
        try:
            for number, line in enumerate(file, start=1):
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            fail(name, f"línea {number}", f"no es texto en UTF-8. {_what_to_do(error.object)}")
        except (EOFError, zlib.error, BadGzipFile):
            where = f"después de la línea {number}" if number else ""
            fail(name, where, "no es un gzip entero: está cortado o dañado. Vuelve a copiarlo o a comprimirlo.")


def write_text(name: str, parts: Iterable[str]) -> None:
    """Write the file whole or not at all: it is made beside the old one, which it then replaces."""
    with spanish_reasons(name):
        target = os.path.realpath(name)
        if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe must not be replaced
            with open(target, "wb") as file:
                return _fill(file, name, parts)
        beside = f"{target}.{os.urandom(4).hex()}.tmp"
        try:
            with open(beside, "xb") as file:
                _fill(file, name, parts)
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(target):
                os.chmod(beside, os.stat(target).st_mode & 0o7777)
            os.replace(beside, target)
        except BaseException:
            if os.path.exists(beside):
                os.unlink(beside)
            raise


def _fill(file: Any, name: str, parts: Iterable[str]) -> None:
    from gzip import GzipFile

    encoded = map(_encode, parts)
    if _is_gzip(name):
        with GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:  # the same bytes each time
            packed.writelines(encoded)
    else:
        file.writelines(encoded)


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{shorten(text[error.start :])} empieza por medio carácter, que no se puede escribir en UTF-8. Suele "
            "venir de leer un archivo con otra codificación."
        ) from None


def _is_gzip(name: str) -> bool:
    return name.lower().endswith(".gz")


def _what_to_do(line: bytes) -> str:
    if line.startswith(b"\x1f\x8b"):
        return "Está comprimido con gzip: su nombre debe acabar en .gz."
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "Parece UTF-16: guárdalo como UTF-8."
    return "Guárdalo como UTF-8; si está en Latin-1: iconv -f latin1 -t utf-8."


@contextmanager
def spanish_reasons(name: str) -> Iterator[None]:
    """Let errors of the system through, with their type, our reason and the path that the caller gave."""
    try:
        yield
    except OSError as error:
        from errno import errorcode

        reason = REASONS.get(errorcode.get(error.errno or 0, ""), error.strerror)
        raise OSError(error.errno, reason, name) from None
