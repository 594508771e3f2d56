"""`ragmetrics lab` as a process of its own, spoken to over HTTP as the browser does."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import psutil
from course import BIN, CourseCopy

_local = build_opener(ProxyHandler({}))  # whatever proxy the machine uses, the server is on this one


class Lab:
    """A running `ragmetrics lab --no-browser`; stopped at the end of its `with` block."""

    def __init__(self, course: CourseCopy) -> None:
        self.port = free_port()
        self._log = course.folder.parent / f"lab-{self.port}.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [str(BIN / "ragmetrics"), "lab", "--no-browser", f"--port={self.port}"],
                cwd=course.folder, env=course.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return self._log.read_text(encoding="utf-8")

    @property
    def token(self) -> str:
        """The token in the address that it printed."""
        return self.url.rpartition("token=")[2]

    def _wait(self, seconds: float = 90) -> str:
        """The address it prints, once it answers there."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"lab ended by itself:\n{self.output}"
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S*token=\w+", self.output):
                self.url = found[0]
                try:
                    self.get("/api/status")
                    return self.url
                except URLError:
                    pass
            time.sleep(0.1)
        raise AssertionError(f"lab did not answer in {seconds} s:\n{self.output}")

    def stop(self) -> tuple[int, list[psutil.Process]]:
        """End it with SIGTERM; its exit status and the children that outlived it."""
        children = self.process.poll() is None and psutil.Process(self.process.pid).children(recursive=True)
        self.process.terminate()
        status = self.process.wait(timeout=30)
        return status, psutil.wait_procs(children or [], timeout=10)[1]

    def get(self, path: str, /, **query: str) -> tuple[str, str]:
        """The final address and the text that come back."""
        return self._request(f"{path}?{urlencode(query)}" if query else path)

    def get_json(self, path: str, /, **query: str) -> Any:
        """What a REST address answers."""
        return json.loads(self.get(path, **query)[1])

    def post(self, path: str, /, **body: str) -> Any:
        """What a REST address answers to the body sent as JSON."""
        return json.loads(self._request(path, json.dumps(body).encode())[1])

    def _request(self, path: str, body: bytes | None = None) -> tuple[str, str]:
        host = self.url.partition("/lab")[0]
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        with _local.open(Request(host + path, body, headers), timeout=60) as answer:
            return answer.url.removeprefix(host), answer.read().decode()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
