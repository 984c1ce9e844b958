import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from groundwire.doctor import examine_endpoint
from groundwire.doctor.wire import http_client, padded_request
from groundwire.errors import ConfigError


class Server(ThreadingHTTPServer):
    """Answers a POST with ``status`` and a clock that goes ``date``; more than ``room`` is too much."""

    status, date, room = 200, "", 1 << 30
    headers: dict[str, str]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.rfile.read(size)
        self.server.headers = dict(self.headers.items())
        self.send_response_only(413 if size > self.server.room else self.server.status)
        if self.server.date:
            self.send_header("Date", self.server.date)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield one
    one.shutdown()
    thread.join()
    one.server_close()


def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


def test_padding_is_a_request_without_spans() -> None:
    """It parses as an export request of its size that holds nothing."""
    request = padded_request(300_000)
    assert len(request) > 300_000
    assert not ExportTraceServiceRequest.FromString(request).resource_spans


def test_nothing_there_is_bad_and_ends_the_examination() -> None:
    """Where nothing answers over HTTP or gRPC, there is one finding and no client."""
    findings, client = examine_endpoint("http://127.0.0.1:9")
    assert client is None
    assert [(one.check, one.level) for one in findings] == [("endpoint", "bad")]


def test_a_clock_that_is_off_is_bad(server: Server) -> None:
    """A server's time years away is told, with its direction."""
    server.date = "Mon, 01 Jan 2018 00:00:00 GMT"
    findings, _ = examine_endpoint(url(server))
    [clock] = [one for one in findings if one.check == "clock"]
    assert clock.level == "bad" and "behind" in clock.text


def test_no_clock_is_no_finding(server: Server) -> None:
    """An answer without a date says nothing about the clock."""
    findings, _ = examine_endpoint(url(server))
    assert [one.check for one in findings] == ["endpoint", "limits"]


def test_a_refusal_for_size_is_bad(server: Server) -> None:
    """An endpoint that refuses large requests loses whole batches."""
    server.room = 500
    findings, _ = examine_endpoint(url(server))
    [limits] = [one for one in findings if one.check == "limits"]
    assert limits.level == "bad"
    assert "An empty request is taken, one of 1 MiB refused: status 413" in limits.text


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (307, "redirects"),
        (400, "write https://"),
        (401, "OTEL_EXPORTER_OTLP_HEADERS"),
        (404, "without another path"),
        (429, "overloaded"),
        (503, "overloaded"),
    ],
)
def test_an_endpoint_that_takes_nothing_is_bad_and_says_what_to_do(
    server: Server, status: int, hint: str
) -> None:
    """It is there, but an empty request, which any receiver takes, is refused."""
    server.status = status
    findings, client = examine_endpoint(url(server))
    assert client is None
    assert [(one.check, one.level) for one in findings] == [("endpoint", "bad")]
    assert f"status {status}" in findings[0].text
    assert hint in str(findings[0].mend)


def test_tls_where_there_is_none_is_named(server: Server) -> None:
    """The scheme of the address is what has to change."""
    findings, _ = examine_endpoint(url(server).replace("http://", "https://"))
    assert findings[0].level == "bad"
    assert "http:// instead of https://" in str(findings[0].mend)


def test_the_headers_of_the_service_are_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the Collector asks for a token, the check has the service's."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20abc")
    http_client(url(server))(b"")
    assert {name.lower(): value for name, value in server.headers.items()}["authorization"] == "Bearer abc"


def test_an_address_without_a_scheme_is_refused() -> None:
    """The message shows what an address looks like."""
    with pytest.raises(ConfigError, match="http://"):
        http_client("localhost:4318")
