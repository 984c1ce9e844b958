"""``configure``, ``flush`` and ``sampler``: the only part of the live side that touches the SDK, and only
when called."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from opentelemetry import trace

from groundwire.errors import ConfigError, GroundwireError
from groundwire.instrumentation.losses import count_loss, logger, warn_once_a_minute
from groundwire.instrumentation.process import is_disabled, remaining_exit_seconds, started

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.sdk.trace.sampling import Sampler

_PROTOCOLS = ("grpc", "http/protobuf")
_provider: TracerProvider | None = None


def configure(
    *,
    file: str | os.PathLike[str] | None = None,
    endpoint: str | None = None,
    protocol: str | None = None,
    sample: float | None = None,
    service_name: str | None = None,
    resource: Mapping[str, str] | None = None,
    shutdown_timeout: float = 5.0,
) -> bool:
    """Set up an SDK with export, for a service that has none; True if it did.

    Without arguments the OpenTelemetry environment variables decide (``OTEL_EXPORTER_OTLP_ENDPOINT``,
    ``…_PROTOCOL``, ``…_HEADERS``, ``OTEL_SERVICE_NAME``, ``OTEL_TRACES_SAMPLER``,
    ``OTEL_TRACES_EXPORTER=none``, ``OTEL_BSP_*``, …). ``file`` writes OTLP/JSON lines instead, as the
    Collector's file exporter does. ``endpoint`` and ``protocol`` (``grpc`` or ``http/protobuf``) win over
    the environment. ``sample`` is a ratio for :func:`sampler`. ``shutdown_timeout``: seconds that the exit
    may be delayed for what is still queued.

    A provider that is set already is never replaced: then this warns and returns False. With
    ``OTEL_SDK_DISABLED=true`` nothing is set up, no file is made, and it returns False. Raises ConfigError on
    a wrong argument, a file that can not be written or a variable that OpenTelemetry refuses.
    """
    global _provider
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        warn_once_a_minute("configure", "a tracer provider is set already; configure() leaves it as it is")
        return False
    if is_disabled():
        logger.info("OTEL_SDK_DISABLED is true: configure() sets nothing up")
        return False
    try:
        exporter = _exporter(file, endpoint, protocol)
        provider = _new_provider(sample, service_name, resource)
    except GroundwireError:
        raise
    except Exception as cause:
        raise ConfigError(
            f"OpenTelemetry can not be set up: {cause}",
            where="configure",
            mend="Look at the arguments and the OTEL_* variables of the environment.",
        ) from cause
    if exporter is not None:
        another = None if file is not None else partial(_otlp_or_console, endpoint, protocol)
        _add_processor(provider, exporter, another, shutdown_timeout)
    trace.set_tracer_provider(provider)
    _provider = provider
    return True


def _new_provider(
    sample: float | None, service_name: str | None, resource: Mapping[str, str] | None
) -> TracerProvider:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    attributes: dict[str, Any] = dict(resource or {})
    if service_name is not None:
        attributes["service.name"] = service_name
    chosen = None if sample is None else sampler(sample)
    return TracerProvider(sampler=chosen, resource=Resource.create(attributes), shutdown_on_exit=False)


def _add_processor(
    provider: TracerProvider,
    exporter: SpanExporter,
    make_another: Callable[[], Any] | None,
    shutdown_timeout: float,
) -> None:
    from groundwire.instrumentation.processor import BoundedProcessor, setting

    processor = BoundedProcessor(
        exporter,
        max_queue=setting("OTEL_BSP_MAX_QUEUE_SIZE", 2048),
        max_batch=setting("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 64),
        delay_s=setting("OTEL_BSP_SCHEDULE_DELAY", 1000) / 1000,
        make_another=make_another,
    )
    provider.add_span_processor(processor)
    atexit.register(lambda: processor.shutdown(remaining_exit_seconds(shutdown_timeout)))


def _exporter(
    file: str | os.PathLike[str] | None, endpoint: str | None, protocol: str | None
) -> SpanExporter | None:
    if file is not None:
        if endpoint is not None or protocol is not None:
            raise ConfigError("file= and endpoint= exclude each other", where="configure")
        from groundwire.instrumentation.otlp_json import JsonLinesExporter

        return JsonLinesExporter(file)
    return _otlp_or_console(endpoint, protocol)


def _otlp_or_console(endpoint: str | None, protocol: str | None) -> SpanExporter | None:
    named = "" if endpoint else os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if named == "none":
        return None
    if named == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter()
    if named not in ("", "otlp"):
        warn_once_a_minute("exporter", "OTEL_TRACES_EXPORTER=%s is not known here: otlp is used", named)
    return _otlp_exporter(endpoint, _settle_protocol(protocol, endpoint))


def _settle_protocol(protocol: str | None, endpoint: str | None) -> str:
    named = (
        protocol
        or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
        or os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
        or ("http/protobuf" if endpoint and endpoint.rstrip("/").endswith("/v1/traces") else "grpc")
    )
    if named not in _PROTOCOLS:
        raise ConfigError(
            "unknown protocol", where="configure", expected=" or ".join(_PROTOCOLS), got=repr(named)
        )
    return named


def _otlp_exporter(endpoint: str | None, protocol: str) -> SpanExporter:
    if protocol == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcExporter

        return GrpcExporter(endpoint=endpoint)
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpExporter

    from groundwire.instrumentation.http_session import make_session

    if endpoint is not None and not endpoint.rstrip("/").endswith("/v1/traces"):
        endpoint = endpoint.rstrip("/") + "/v1/traces"
    return HttpExporter(endpoint=endpoint, session=make_session())


def flush(timeout: float = 5.0) -> bool:
    """Send what is queued, for at most ``timeout`` seconds; True if all was handed over.

    For serverless functions, prefork workers and tests, before the process freezes or ends. Works with any
    provider; True at once where there is none. Never raises.
    """
    deadline = time.monotonic() + timeout
    is_offloaded = _flush_offload(timeout)
    force_flush = getattr(trace.get_tracer_provider(), "force_flush", None)
    if force_flush is None:
        return is_offloaded
    done: list[bool] = []

    def work() -> None:
        try:
            done.append(bool(force_flush(int(max(0.0, deadline - time.monotonic()) * 1000))))
        except Exception as cause:  # noqa: BLE001 - a foreign provider's fault
            count_loss("flush", cause)

    worker = started(work, "groundwire-flush")
    if worker is None:
        work()  # the exit has begun
    else:
        worker.join(max(0.0, deadline - time.monotonic()))
    return is_offloaded and bool(done) and done[0]


def _flush_offload(timeout: float) -> bool:
    import sys

    module = sys.modules.get("groundwire.instrumentation.offload")
    return True if module is None else bool(module.flush_stores(timeout))


def sampler(ratio: float) -> Sampler:
    """Return a sampler that keeps the share ``ratio`` of traces (0 to 1) and writes ``ot=th``.

    See :func:`groundwire.instrumentation.sampling.sampler`; this loads the SDK.
    """
    from groundwire.instrumentation.sampling import sampler as make

    return make(ratio)
