import json
from pathlib import Path

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from groundwire.errors import ConfigError, GroundwireError
from groundwire.publish import Evaluation, Ledger, Refused, Sender, publish
from publish.conftest import Backend

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def evaluation(key: str = "k1", **fields: object) -> Evaluation:
    return Evaluation(
        **{
            "key": key,
            "name": "quotation",
            "outcome": "pass",
            "trace_id": TRACE,
            "span_id": SPAN,
            "judged_at_ns": 5_000,
            "graded_at_ns": 9_000,
            "attributes": {"gen_ai.evaluation.name": "quotation", "gen_ai.evaluation.score.value": 1.0},
            **fields,
        }
    )


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def sender(backend: Backend, pauses: list[float]) -> Sender:
    return Sender(backend.url, sleep=pauses.append)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "audit", "there logs")


def sent_logs(backend: Backend) -> list[int]:
    return [
        len(ExportLogsServiceRequest.FromString(body).resource_logs[0].scope_logs[0].log_records)
        for body in backend.bodies("/v1/logs")
    ]


def test_a_log_record_is_an_event_of_its_span(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """It carries the event's name and the judged span's ids."""
    publish([evaluation()], sender, ledger)
    [body] = backend.bodies("/v1/logs")
    [record] = ExportLogsServiceRequest.FromString(body).resource_logs[0].scope_logs[0].log_records
    assert record.event_name == "gen_ai.evaluation.result"
    assert (record.trace_id.hex(), record.span_id.hex(), record.time_unix_nano) == (TRACE, SPAN, 9_000)


def test_a_span_is_a_linked_child_at_the_judged_spans_end(
    backend: Backend, sender: Sender, ledger: Ledger
) -> None:
    """It lasts no time at the end of what it judges, so that no trace looks longer than it was."""
    publish([evaluation()], sender, ledger, mode="spans")
    [body] = backend.bodies("/v1/traces")
    [span] = ExportTraceServiceRequest.FromString(body).resource_spans[0].scope_spans[0].spans
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, SPAN)
    assert [(link.trace_id.hex(), link.span_id.hex()) for link in span.links] == [(TRACE, SPAN)]
    assert span.start_time_unix_nano == span.end_time_unix_nano == 5_000


def test_the_same_judgment_makes_the_same_span(backend: Backend, sender: Sender, tmp_path: Path) -> None:
    """Sent again without a ledger, it has the same span id: a backend keeps one."""
    for number in (1, 2):
        publish([evaluation()], sender, Ledger(tmp_path / "audit", str(number)), mode="spans")
    ids = {
        ExportTraceServiceRequest.FromString(body).resource_spans[0].scope_spans[0].spans[0].span_id
        for body in backend.bodies("/v1/traces")
    }
    assert len(ids) == 1


def test_a_second_run_sends_nothing(backend: Backend, sender: Sender, tmp_path: Path) -> None:
    """What the ledger holds is counted, not sent."""
    publish([evaluation()], sender, Ledger(tmp_path / "audit", "there"))
    again = publish([evaluation()], sender, Ledger(tmp_path / "audit", "there"))
    assert (again.sent, again.already, len(backend.requests)) == (0, 1, 1)


def test_a_broken_run_goes_on_where_it_was(backend: Backend, sender: Sender, tmp_path: Path) -> None:
    """The batches before the failure are not sent again."""
    three = [evaluation(key) for key in ("a", "b", "c")]
    backend.script = [(200, {}, b""), (400, {}, b"no")]
    with pytest.raises(Refused):
        publish(three, sender, Ledger(tmp_path / "audit", "there"), batch_size=1)
    rest = publish(three, sender, Ledger(tmp_path / "audit", "there"), batch_size=1)
    assert (rest.sent, rest.already) == (2, 1)


def test_evaluations_travel_in_batches(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """Five in batches of two are three requests."""
    publish([evaluation(str(n)) for n in range(5)], sender, ledger, batch_size=2)
    assert sent_logs(backend) == [2, 2, 1]


def test_what_may_pass_is_tried_again(
    backend: Backend, sender: Sender, ledger: Ledger, pauses: list[float]
) -> None:
    """503 and 429 are waited out, the latter as long as it says."""
    backend.script = [(503, {}, b""), (429, {"Retry-After": "7"}, b"")]
    counts = publish([evaluation()], sender, ledger)
    assert (counts.sent, pauses) == (1, [0.5, 7.0])


def test_what_will_not_pass_is_said_at_once(
    backend: Backend, sender: Sender, ledger: Ledger, pauses: list[float]
) -> None:
    """401 is not tried again, and the message says where the key goes."""
    backend.script = [(401, {}, b"who are you")]
    with pytest.raises(Refused, match=r"401 \(who are you\).*--header"):
        publish([evaluation()], sender, ledger)
    assert pauses == []


def test_patience_ends(backend: Backend, ledger: Ledger) -> None:
    """After the patience no further attempt is made."""
    backend.script = [(503, {}, b"")] * 9
    with pytest.raises(Refused, match="503"):
        publish([evaluation()], Sender(backend.url, patience_s=0.1), ledger)
    assert len(backend.requests) == 1


def test_a_backend_without_logs_is_told_apart(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """Where /v1/logs does not exist, the message points to spans."""
    backend.script = [(405, {}, b"")]
    with pytest.raises(Refused, match="--as spans"):
        publish([evaluation()], sender, ledger)


def test_a_redirect_is_no_success(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """A page of a log-in behind a redirect has taken nothing."""
    backend.script = [(302, {"Location": backend.url + "/login"}, b"")]
    with pytest.raises(Refused, match="302"):
        publish([evaluation()], sender, ledger)
    assert len(ledger) == 0


def test_a_page_is_no_success(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """An answer of 200 that is no OTLP has taken nothing."""
    backend.script = [(200, {}, b"<html>Welcome</html>")]
    with pytest.raises(GroundwireError, match="no OTLP"):
        publish([evaluation()], sender, ledger)
    assert len(ledger) == 0


def test_nothing_listening_is_an_error_with_a_remedy(ledger: Ledger) -> None:
    """A refused connection names the address and says that a rerun goes on."""
    with pytest.raises(Refused, match=r"http://127\.0\.0\.1:9/v1/logs.*run the same command again"):
        publish([evaluation()], Sender("http://127.0.0.1:9", patience_s=0), ledger)


def test_a_batch_that_is_too_large_is_halved(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """413 splits the batch until it is taken."""
    backend.script = [(413, {}, b"")]
    counts = publish([evaluation(str(n)) for n in range(4)], sender, ledger)
    assert counts.sent == 4
    assert sent_logs(backend) == [4, 2, 2]


def test_a_partial_refusal_is_counted_with_its_reason(
    backend: Backend, sender: Sender, ledger: Ledger
) -> None:
    """What the backend refuses inside an accepted request is neither sent nor sent again."""
    answer = ExportLogsServiceResponse()
    answer.partial_success.rejected_log_records = 1
    answer.partial_success.error_message = "too old"
    backend.script = [(200, {}, answer.SerializeToString())]
    counts = publish([evaluation("a"), evaluation("b")], sender, ledger)
    assert (counts.sent, counts.rejected, counts.reasons) == (1, 1, {"too old": 1})


@pytest.mark.parametrize("trace_id", ["", "plain-1", "0" * 32, "AB" * 16])
def test_a_record_without_a_trace_is_counted_not_sent(trace_id: str, sender: Sender, ledger: Ledger) -> None:
    """A plain record has no trace in any backend."""
    counts = publish([evaluation(trace_id=trace_id)], sender, ledger)
    assert (counts.sent, counts.untraced) == (0, 1)


def test_phoenix_gets_annotations(backend: Backend, sender: Sender, ledger: Ledger) -> None:
    """Label, score and metadata by span id, under one identifier, so that sending again replaces."""
    publish([evaluation()], sender, ledger, mode="phoenix")
    [body] = backend.bodies("/v1/span_annotations?sync=true")
    [annotation] = json.loads(body)["data"]
    assert "Content-Encoding" not in backend.requests[0][1], "Phoenix reads no compressed annotations"
    assert annotation["span_id"] == SPAN
    assert annotation["identifier"] == "groundwire"
    assert annotation["result"] == {"label": "pass", "score": 1.0}


def test_what_phoenix_does_not_have_is_left_for_later(
    backend: Backend, sender: Sender, tmp_path: Path
) -> None:
    """A span that was sampled away costs nothing but itself, and is tried again by the next run."""
    gone = evaluation("gone", span_id="00000000000000bb")
    backend.script = [(404, {}, b"Spans with IDs 00000000000000bb do not exist.")]
    ledger = Ledger(tmp_path / "audit", "there")
    counts = publish([evaluation("there"), gone], sender, ledger, mode="phoenix")
    assert (counts.sent, counts.absent) == (1, 1)
    assert ("there" in ledger, "gone" in ledger) == (True, False)


def test_headers_go_along(backend: Backend, ledger: Ledger) -> None:
    """A key given as a header is on each request."""
    publish([evaluation()], Sender(backend.url, headers={"Authorization": "Bearer x"}), ledger)
    assert backend.requests[0][1]["Authorization"] == "Bearer x"


def test_an_address_without_a_scheme_is_refused() -> None:
    """The message shows what an address looks like."""
    with pytest.raises(ConfigError, match="http://"):
        Sender("localhost:4318")


def test_a_cut_ledger_line_counts_as_not_confirmed(tmp_path: Path) -> None:
    """A crash while writing costs one batch sent again, and the next line stays whole."""
    ledger = Ledger(tmp_path / "audit", "there")
    ledger.add(["a"])
    with ledger.path.open("ab") as file:
        file.write(b'["b", "c')
    torn = Ledger(tmp_path / "audit", "there")
    torn.add(["d"])
    again = Ledger(tmp_path / "audit", "there")
    assert ("a" in again, "b" in again, "d" in again) == (True, False, True)
