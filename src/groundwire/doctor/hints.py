"""What to do about an endpoint that takes nothing, by what it answered."""

from __future__ import annotations

from typing import Final

_HINTS: Final = (
    (("WRONG_VERSION_NUMBER", "RECORD_LAYER"), "It speaks no TLS: write http:// instead of https://."),
    (
        ("CERTIFICATE_VERIFY_FAILED",),
        "Its certificate is not trusted here. The service trusts it where OTEL_EXPORTER_OTLP_CERTIFICATE"
        " names the file of its authority.",
    ),
    (
        ("status 401", "status 403", "UNAUTHENTICATED", "PERMISSION_DENIED"),
        "It asks who you are: set OTEL_EXPORTER_OTLP_HEADERS, as in authorization=Bearer%20TOKEN.",
    ),
    (("status 404", "status 405"), "Give the address before /v1/traces, without another path."),
    (("status 400",), "Should it speak TLS: write https:// instead of http://."),
    (("status 30",), "Give the address to which it redirects: the exporter follows none."),
    (("status 429", "status 5", "RESOURCE_EXHAUSTED"), "It is there, but overloaded or broken: see its log."),
    (("timed out", "DEADLINE"), "Something takes the connection and never answers: see its log."),
    (("Name or service", "nodename", "getaddrinfo"), "Check the name of the host."),
)


def hint_at(problem: str) -> str:
    """Return what to do about ``problem``.

    >>> hint_at("status 403 (Forbidden)")[:20]
    'It asks who you are:'
    >>> hint_at("Connection refused")[:25]
    'Start the Collector there'
    """
    for signs, hint in _HINTS:
        if any(sign in problem for sign in signs):
            return hint
    return "Start the Collector there, or set OTEL_EXPORTER_OTLP_ENDPOINT to where it is."
