"""Is the endpoint there, what does it take, how does its clock go, and does a span reach the files?"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from groundwire.doctor.findings import Finding
from groundwire.doctor.hints import hint_at
from groundwire.doctor.wire import Client, Reply, grpc_client, http_client, padded_request
from groundwire.envelopes import read_items
from groundwire.errors import EnvelopeError
from groundwire.span import SpanData

TEST_SCOPE = "groundwire.doctor"
"""The scope of the test span, by which it is told from the service's own."""
_MIB = 1 << 20
_SIZES_MIB = (1, 5, 20, 40, 60)
_TEXT = "All of this must arrive. " * 400
_PLANTED = "doctor.test@example.org"
_ALLOWED_SKEW_S = 2.0


def examine_endpoint(base: str) -> tuple[list[Finding], Client | None]:
    """Check whether ``base`` takes OTLP (over HTTP or gRPC), how large requests may be, and its clock.

    Returns the findings and a client for :func:`examine_arrival`, None where nothing answers. Sends no span.
    """
    client, way, reply = _connect(base)
    if client is None:
        return [_unreachable(base, reply)], None
    took = f"{base} takes OTLP over {way}; an empty request took {reply.took_s * 1000:.0f} ms."
    found = [Finding("endpoint", "ok", took, data={"protocol": way, "took_ms": round(reply.took_s * 1000)})]
    found.append(_limits(client))
    if reply.skew_s is not None:
        found.append(_clock(reply.skew_s))
    return found, client


def _connect(base: str) -> tuple[Client | None, str, Reply]:
    client = http_client(base)
    over_http = client(b"")
    if over_http.problem is None:
        return client, "HTTP", over_http
    client = grpc_client(base)
    over_grpc = client(b"")
    if over_grpc.problem is None:
        return client, "gRPC", over_grpc
    return None, "", over_grpc if over_grpc.is_otlp and not over_http.is_otlp else over_http


def _unreachable(base: str, reply: Reply) -> Finding:
    problem = reply.problem or ""
    return Finding("endpoint", "bad", f"{base} takes no OTLP: {problem}.", hint_at(problem))


def _limits(client: Client) -> Finding:
    taken, problem = 0, None
    for size in _SIZES_MIB:
        problem = client(padded_request(size * _MIB)).problem
        if problem is not None:
            break
        taken = size
    data = {"taken_mib": taken, "refused": problem}
    if problem is None:
        return Finding("limits", "ok", f"Requests of {taken} MiB are taken.", data=data)
    text = f"Requests of {taken} MiB are taken, larger ones refused: {problem}."
    if not taken:
        text = f"An empty request is taken, one of {_SIZES_MIB[0]} MiB refused: {problem}."
    if taken >= 20:
        return Finding("limits", "ok", text, data=data)
    return Finding(
        "limits", "bad", f"{text} A refused request is lost whole: 512 answers by default.",
        "Raise max_recv_msg_size_mib and max_request_body_size; OTEL_BSP_MAX_EXPORT_BATCH_SIZE=64.", data,
    )  # fmt: skip


def _clock(skew_s: float) -> Finding:
    data = {"skew_s": round(skew_s)}
    if abs(skew_s) <= _ALLOWED_SKEW_S:
        return Finding("clock", "ok", "Its clock agrees with this one to a second or two.", data=data)
    return Finding(
        "clock", "bad", f"Its clock is {abs(skew_s):.0f} s {'ahead' if skew_s > 0 else 'behind'}.",
        "Synchronize the clocks: files and partitions are named by its clock, spans by the service's.", data,
    )  # fmt: skip


def examine_arrival(
    client: Client,
    traces: Path,
    *,
    wait_s: float = 10.0,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Finding]:
    """Send one test span and look for it in the files under ``traces`` for ``wait_s`` seconds.

    Says where it arrived and how soon, whether its text is whole, whether a planted mail address was masked
    and whether a sampling threshold was written.
    """
    trace_id = secrets.token_bytes(16)
    began = time.monotonic()
    reply = client(_test_request(trace_id))
    if reply.problem is not None:
        return [
            Finding(
                "arrival", "bad", f"A test span was refused: {reply.problem}.", "See the Collector's log."
            )
        ]
    found = _await(traces, trace_id.hex(), began + wait_s, sleep)
    if found is None:
        return [_never_came(traces, wait_s)]
    return [_arrived(found, time.monotonic() - began), _masking(found), _threshold(found)]


def _test_request(trace_id: bytes) -> bytes:
    now = time.time_ns()
    texts = {"groundwire.doctor.text": _TEXT, "groundwire.doctor.planted": f"Write to {_PLANTED} today."}
    span = Span(
        trace_id=trace_id, span_id=secrets.token_bytes(8), name="groundwire doctor",
        start_time_unix_nano=now, end_time_unix_nano=now,
        attributes=[KeyValue(key=key, value=AnyValue(string_value=text)) for key, text in texts.items()],
    )  # fmt: skip
    scope = ScopeSpans(scope=InstrumentationScope(name=TEST_SCOPE), spans=[span])
    return ExportTraceServiceRequest(resource_spans=[ResourceSpans(scope_spans=[scope])]).SerializeToString()


def _await(traces: Path, trace_id: str, deadline: float, sleep: Callable[[float], None]) -> SpanData | None:
    seen: dict[Path, tuple[int, int]] = {}
    while True:
        for path in _changed(traces, seen):
            found = _find(path, trace_id)
            if found is not None:
                return found
        if time.monotonic() > deadline:
            return None
        sleep(0.2)


def _changed(traces: Path, seen: dict[Path, tuple[int, int]]) -> Iterator[Path]:
    """Files that are new or have grown; of the rest at the first look only those of the last minute."""
    files = [traces] if traces.is_file() else sorted(path for path in traces.rglob("*") if path.is_file())
    for path in files:
        try:
            state = path.stat()
        except OSError:
            continue
        mark = (state.st_size, state.st_mtime_ns)
        if seen.get(path) != mark and time.time() - state.st_mtime < 60:
            seen[path] = mark
            yield path


def _find(path: Path, trace_id: str) -> SpanData | None:
    try:
        for item in read_items(os.fspath(path)):
            if isinstance(item, SpanData) and item.trace_id == trace_id:
                return item
    except EnvelopeError:
        return None
    return None


def _never_came(traces: Path, wait_s: float) -> Finding:
    return Finding(
        "arrival", "bad", f"A test span was taken, but is in no file under {traces} after {wait_s:.0f} s.",
        "Check the path of the file exporter, its pipeline, and what samples or filters before it.",
    )  # fmt: skip


def _arrived(span: SpanData, took_s: float) -> Finding:
    where = span.origin.path if span.origin else "the files"
    length = len(str(span.attributes.get("groundwire.doctor.text", "")))
    data = {"file": where, "took_s": round(took_s, 2), "text_characters": length}
    if length == len(_TEXT):
        return Finding("arrival", "ok", f"A test span was in {where} after {took_s:.1f} s, whole.", data=data)
    return Finding(
        "arrival", "bad", f"A test span arrived, its text cut from {len(_TEXT):,} characters to {length:,}.",
        "Score from a branch that nothing shortens: truncate in the backends' pipeline only.", data,
    )  # fmt: skip


def _masking(span: SpanData) -> Finding:
    if _PLANTED in str(span.attributes.get("groundwire.doctor.planted", "")):
        return Finding(
            "redaction", "note", "A planted mail address arrived as it was: the Collector masks nothing.",
            "Where personal data must not be kept: redact= in the service, or production.yaml.",
        )  # fmt: skip
    return Finding("redaction", "ok", "A planted mail address was masked on the way.")


def _threshold(span: SpanData) -> Finding:
    state = span.trace_state
    if "th:" in state:
        return Finding(
            "sampler", "note", f"The Collector wrote a sampling threshold: {state}.", data={"state": state}
        )
    return Finding(
        "sampler", "ok", "No sampler stood between: no threshold was written.", data={"state": state}
    )
