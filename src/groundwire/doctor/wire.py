"""Raw OTLP requests over HTTP or gRPC, to see what an endpoint does with them."""

from __future__ import annotations

import email.utils
import gzip
import http.client
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable

from msgspec import Struct

from groundwire.errors import ConfigError
from groundwire.publish.transport import open_url

TIMEOUT_S = 10.0
_METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"


class Reply(Struct, frozen=True):
    """What came back. ``problem`` is None where the request was taken.

    ``is_otlp`` is False where something else listens, or nothing. ``skew_s`` is the other clock minus ours,
    to the second, None where the answer shows no time.
    """

    problem: str | None = None
    is_otlp: bool = True
    took_s: float = 0.0
    skew_s: float | None = None


Client = Callable[[bytes], Reply]


def http_client(base: str) -> Client:
    """Return a function that posts an export request of traces to ``base`` + ``/v1/traces``."""
    if urllib.parse.urlsplit(base).scheme not in ("http", "https"):
        raise ConfigError("not an address", expected="http://… or https://…", got=repr(base))

    def send(body: bytes) -> Reply:
        request = urllib.request.Request(
            base.rstrip("/") + "/v1/traces",
            data=gzip.compress(body, 1),
            headers={**sent_headers(), "Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"},
        )
        began, began_at = time.monotonic(), time.time()
        try:
            with open_url(request, timeout=TIMEOUT_S) as answer:
                took_s = time.monotonic() - began
                return Reply(took_s=took_s, skew_s=_skew_s(answer.headers.get("Date"), began_at, took_s))
        except urllib.error.HTTPError as error:
            is_otlp = error.code >= 400 and error.code not in (404, 405, 415)
            return Reply(f"status {error.code} ({error.reason})", is_otlp, time.monotonic() - began)
        except (OSError, http.client.HTTPException) as error:
            return Reply(str(getattr(error, "reason", error)), is_otlp=False)

    return send


def grpc_client(base: str) -> Client:
    """Return a function that calls the trace service's ``Export`` at ``base`` with the bytes as they are."""
    import grpc  # type: ignore[import-untyped]

    parts = urllib.parse.urlsplit(base if "://" in base else f"http://{base}")
    options = [("grpc.max_send_message_length", -1)]
    if parts.scheme == "https":
        channel = grpc.secure_channel(parts.netloc, grpc.ssl_channel_credentials(), options=options)
    else:
        channel = grpc.insecure_channel(parts.netloc, options=options)
    export = channel.unary_unary(_METHOD)

    def send(body: bytes) -> Reply:
        began = time.monotonic()
        try:
            export(
                body,
                timeout=TIMEOUT_S,
                compression=grpc.Compression.Gzip,
                metadata=tuple(sent_headers().items()),
            )
        except grpc.RpcError as error:
            is_otlp = error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNIMPLEMENTED)
            problem = f"{error.code().name} ({(error.details() or '')[:200]})"
            return Reply(problem, is_otlp, time.monotonic() - began)
        return Reply(took_s=time.monotonic() - began)

    return send


def sent_headers() -> dict[str, str]:
    """Return the headers that the environment has the service's exporter send, in lower case."""
    from opentelemetry.util.re import parse_env_headers

    named = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS")
    named = named or os.environ.get("OTEL_EXPORTER_OTLP_HEADERS", "")
    return dict(parse_env_headers(named, liberal=True))


def padded_request(size: int) -> bytes:
    """Return an export request of about ``size`` bytes without a span: all of it is a field nobody knows."""
    return b"\xa2\x06" + _varint(size) + bytes(size)


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def _skew_s(date: str | None, began_at: float, took_s: float) -> float | None:
    """The header has whole seconds, cut: half a second is added on the average."""
    if date is None:
        return None
    try:
        theirs = email.utils.parsedate_to_datetime(date).timestamp()
    except ValueError:
        return None
    return theirs + 0.5 - (began_at + took_s / 2)
