"""Posts bytes over HTTP, patiently: what may pass is tried again, what can not is said at once."""

from __future__ import annotations

import email.utils
import gzip
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire.errors import ConfigError, GroundwireError

_PASSING = frozenset((408, 429, 500, 502, 503, 504))
_BODY_BYTES = 1 << 16


class Refused(GroundwireError):
    """The other side does not take it.

    ``status`` is the HTTP status, None where no answer came; ``body`` is the answer's text (its first 64 kB).
    """

    status: int | None = None
    body: str = ""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Following would turn the POST into a GET of some page, whose 200 says nothing."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow nothing: the redirect's status is the answer."""


open_url = urllib.request.build_opener(_NoRedirect).open
"""Like urllib's ``urlopen``, but a redirect is an HTTPError."""


@dataclass(frozen=True)
class Sender:
    """Posts to URLs under ``base``, with ``headers`` on each request.

    A refused connection, a timeout and the statuses 408, 429, 500, 502, 503 and 504 are tried again, with
    growing pauses and as ``Retry-After`` says, for ``patience_s`` seconds in all; then, and on any other
    status, :class:`Refused` is raised. ``sleep`` and ``clock`` (seconds) may be replaced in tests. A base
    that is no http or https address raises ConfigError.

    >>> Sender("http://127.0.0.1:4318").patience_s
    60.0
    """

    base: str
    headers: Mapping[str, str] = field(default_factory=dict)
    patience_s: float = 60.0
    timeout_s: float = 10.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(
                "not an address to send to", expected="http://… or https://…", got=repr(self.base)
            )

    def post(self, path: str, body: bytes, content_type: str, *, compress: bool = True) -> bytes:
        """Post ``body``, gzipped unless told otherwise, to ``base`` + ``path``; return the answer's body."""
        headers = {"Content-Type": content_type, **self.headers}
        if compress:
            body, headers["Content-Encoding"] = gzip.compress(body, 6), "gzip"
        deadline, pause_s = self.clock() + self.patience_s, 0.5
        while True:
            try:
                return self._post_once(path, body, headers)
            except urllib.error.HTTPError as error:
                wait_s = max(pause_s, _retry_after_s(error.headers.get("Retry-After")))
                if error.code not in _PASSING or self.clock() + wait_s > deadline:
                    raise self._refused(path, error) from error
            except (OSError, http.client.HTTPException) as error:
                wait_s = pause_s
                if self.clock() + wait_s > deadline:
                    raise self._refused(path, error) from error
            self.sleep(wait_s)
            pause_s = min(pause_s * 2, 15.0)

    def _post_once(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        request = urllib.request.Request(
            self.base.rstrip("/") + path, data=body, headers=dict(headers), method="POST"
        )
        with open_url(request, timeout=self.timeout_s) as answer:
            received: bytes = answer.read()
            return received

    def _refused(self, path: str, error: OSError | http.client.HTTPException) -> Refused:
        status, body, got = None, "", str(getattr(error, "reason", error))
        if isinstance(error, urllib.error.HTTPError):
            status, body = error.code, error.read(_BODY_BYTES).decode("utf-8", "replace").strip()
            got = f"status {status} ({body[:200] if body and body[:200].isprintable() else error.reason})"
        where = self.base.rstrip("/") + path
        mend = _mend(status, path)
        refused = Refused("not accepted", where=where, expected="status 200", got=got, mend=mend)
        refused.status, refused.body = status, body
        return refused


def _retry_after_s(header: str | None) -> float:
    if not header:
        return 0.0
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return 0.0


def _mend(status: int | None, path: str) -> str:
    if status in (401, 403):
        return "Give the key with --header, or in OTEL_EXPORTER_OTLP_HEADERS."
    if status in (404, 405) and path == "/v1/logs":
        return "It takes no logs; try --as spans, or for Phoenix --phoenix URL."
    if status in (404, 405):
        return "Check the address: it is the base, without /v1/…, and must speak OTLP over HTTP."
    if status is None:
        return "Check that it runs; what has arrived is remembered, so run the same command again."
    return "What has arrived is remembered; run the same command again."
