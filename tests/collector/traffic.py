"""Sends spans to a Collector through the real SDK and exporters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import Sampler

from collector.running import Collector


def exporter_to(collector: Collector, protocol: str = "grpc") -> SpanExporter:
    """The SDK's own exporter, pointed at ``collector``."""
    if protocol == "grpc":
        return GrpcExporter(endpoint=collector.grpc, insecure=True)
    return HttpExporter(endpoint=f"{collector.http}/v1/traces")


@contextmanager
def provider_to(
    collector: Collector, protocol: str = "grpc", *, sampler: Sampler | None = None, **batching: Any
) -> Iterator[TracerProvider]:
    """A tracer provider that sends to ``collector``; flushed and shut down at the end."""
    resource = Resource.create({"service.name": "shop", "service.version": "3.1"})
    provider = TracerProvider(resource=resource, sampler=sampler, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter_to(collector, protocol), **batching))
    yield provider
    provider.force_flush(30_000)
    provider.shutdown()
