"""Graded answers → one gauge: how many answers have which outcome of which grade. Pure.

For dashboards and alarms. It is a snapshot of the log's newest records: sending it again changes nothing,
and a corrected grade moves from one outcome to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.metrics.v1.metrics_pb2 import (
    Gauge,
    Metric,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
)
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from groundwire import semconv
from groundwire.audit.schema import Graded
from groundwire.publish.otlp import DEFAULT_RESOURCE, Attributes, key_values, parse_answer, scope
from groundwire.publish.transport import Sender

Series = tuple[str, str, str, str | None]
METRICS_PATH = "/v1/metrics"


def count_outcomes(records: Iterable[Graded]) -> Counter[Series]:
    """Count answers by (grade, outcome, basis, service)."""
    return Counter(
        (result.name, result.outcome, result.basis, record.system.service)
        for record in records
        for result in record.results
    )


def encode_metrics(counts: Counter[Series], resource: Attributes, at_ns: int) -> bytes:
    """Return an export request of the gauge ``groundwire.grades`` (unit: answers) at ``at_ns``."""
    points = [_point(series, count, at_ns) for series, count in sorted(counts.items(), key=str)]
    metric = Metric(
        name=semconv.METRIC_GRADES,
        unit="{answer}",
        description="Answers by grade and outcome, newest records of the audit log",
        gauge=Gauge(data_points=points),
    )
    metrics = ResourceMetrics(
        resource=Resource(attributes=key_values(resource)),
        scope_metrics=[ScopeMetrics(scope=scope(), metrics=[metric])],
    )
    return ExportMetricsServiceRequest(resource_metrics=[metrics]).SerializeToString()


def publish_metrics(
    records: Iterable[Graded], sender: Sender, *, at_ns: int, resource: Attributes = DEFAULT_RESOURCE
) -> tuple[int, int]:
    """Send the snapshot and return how many series were sent and how many of them the backend refused.

    Raises :class:`~groundwire.publish.transport.Refused` when it is not taken at all.
    """
    counts = count_outcomes(records)
    if not counts:
        return 0, 0
    body = encode_metrics(counts, resource, at_ns)
    answer = sender.post(METRICS_PATH, body, "application/x-protobuf")
    rejected, _ = parse_answer(answer, ExportMetricsServiceResponse, "rejected_data_points")
    return len(counts), rejected


def _point(series: Series, count: int, at_ns: int) -> NumberDataPoint:
    name, outcome, basis, service = series
    stated = {
        semconv.EVALUATION_NAME: name,
        semconv.GRADE_OUTCOME: outcome,
        semconv.GRADE_BASIS: basis,
        semconv.JUDGED_SERVICE: service,
    }
    attributes = {key: value for key, value in stated.items() if value is not None}
    return NumberDataPoint(attributes=key_values(attributes), time_unix_nano=at_ns, as_int=count)
