from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)

from groundwire.publish import Sender, publish_metrics
from publish.conftest import Backend
from publish.test_evaluations import graded, result


def points(body: bytes) -> dict[tuple[str, ...], int]:
    """The gauge's points by the values of their attributes."""
    [metric] = ExportMetricsServiceRequest.FromString(body).resource_metrics[0].scope_metrics[0].metrics
    assert metric.name == "groundwire.grades"
    return {
        tuple(one.value.string_value for one in point.attributes): point.as_int
        for point in metric.gauge.data_points
    }


def test_answers_are_counted_by_grade_and_outcome(backend: Backend) -> None:
    """One series for each grade, outcome, basis and service; its value counts answers."""
    records = [graded(result(), result("latency", outcome="measured")), graded(result(), record_id="r2")]
    assert publish_metrics(records, Sender(backend.url), at_ns=7) == (2, 0)
    [body] = backend.bodies("/v1/metrics")
    assert points(body) == {
        ("quotation", "fail", "checked", "shop"): 2,
        ("latency", "measured", "checked", "shop"): 1,
    }


def test_no_records_send_nothing(backend: Backend) -> None:
    """An empty log is not a row of zeros."""
    assert publish_metrics([], Sender(backend.url), at_ns=7) == (0, 0)
    assert backend.requests == []


def test_refused_points_are_counted(backend: Backend) -> None:
    """What the backend refuses inside an accepted request is told apart."""
    answer = ExportMetricsServiceResponse()
    answer.partial_success.rejected_data_points = 1
    backend.script = [(200, {}, answer.SerializeToString())]
    assert publish_metrics([graded(result())], Sender(backend.url), at_ns=7) == (1, 1)
