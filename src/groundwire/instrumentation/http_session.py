"""The HTTP session of ``configure()``: hears what a receiver answers beside success and failure.

The SDK's exporter takes a redirection for a success and does not read how many spans were refused.
"""

from __future__ import annotations

import os
from typing import Any

import requests

from groundwire.instrumentation.losses import count_loss, warn_once_a_minute


class Session(requests.Session):
    """Raises on a redirection, and counts what the receiver refused of a request that it took."""

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Send a request as ``requests`` does. Raises TooManyRedirects where it did not arrive as it was."""
        response = super().request(*args, **kwargs)
        if 300 <= response.status_code < 400 or response.request.method != "POST":
            target = response.headers.get("location") or response.url
            raise requests.TooManyRedirects(f"redirected to {target}: give that as the endpoint")
        if response.ok and response.content:
            self._count_refused(response.content)
        return response

    def _count_refused(self, content: bytes) -> None:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

        try:
            partial = ExportTraceServiceResponse.FromString(content).partial_success
        except Exception:  # noqa: BLE001 - another form of answer
            return
        if partial.rejected_spans > 0:
            count_loss("refused", count=partial.rejected_spans)
            warn_once_a_minute("refused", "the receiver refused spans: %s", partial.error_message)


def make_session() -> Session | None:
    """Return a new session; None where the environment names one that has the service's credentials."""
    if any(name.endswith("_CREDENTIAL_PROVIDER") for name in os.environ if name.startswith("OTEL_PYTHON_")):
        return None
    return Session()
