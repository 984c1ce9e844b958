"""``diagnostics()``: what the live side sees of its own set-up and losses."""

from __future__ import annotations

import os
from typing import Any

from opentelemetry import trace

from groundwire import __version__, semconv
from groundwire.instrumentation.losses import lost
from groundwire.instrumentation.policy import Policy
from groundwire.instrumentation.process import calls_so_far, is_disabled, process_id
from groundwire.instrumentation.site import tracer_of


def diagnostics() -> dict[str, Any]:
    """Return the live side's state as plain values: versions, provider, what is captured, calls and losses.

    ``is_recording``: whether spans would be made at all. ``sdk_disabled``: whether ``OTEL_SDK_DISABLED`` says
    that they shall not. ``lost``: what could not be recorded, by reason.
    ``attribute_length_limit``: the SDK's own limit where the environment sets one; it cuts JSON anywhere,
    so raise it and leave the cutting to ``max_span_bytes``.

    >>> diagnostics()["capture"]
    'full'
    """
    from importlib.metadata import version

    provider = trace.get_tracer_provider()
    policy = Policy(None, None)
    return {
        "version": __version__,
        "opentelemetry_api": version("opentelemetry-api"),
        "tracer_provider": f"{type(provider).__module__}.{type(provider).__qualname__}",
        "is_recording": tracer_of(provider) is not None,
        "sdk_disabled": is_disabled(),
        "schema": semconv.SCHEMA_URL,
        "capture": policy.capture,
        "redact": sorted(policy.redact_kinds),
        "offload": policy.offload,
        "profiles": policy.profiles(),
        "max_span_bytes": policy.max_span_bytes,
        "attribute_length_limit": _attribute_length_limit(),
        "process": process_id(),
        "calls": calls_so_far(),
        "lost": lost(),
    }


def _attribute_length_limit() -> int | None:
    for name in ("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"):
        text = os.environ.get(name, "").strip()
        if text.isdigit():
            return int(text)
    return None
