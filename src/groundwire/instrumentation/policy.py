"""What content goes onto spans, and what else is written: arguments and environment, whichever is
stricter."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from groundwire.errors import ConfigError
from groundwire.instrumentation.losses import warn_once_a_minute

Capture = Literal["full", "hash", "none"]
Redact = bool | str | Iterable[str] | Callable[[str], str] | None

_STRICTNESS: Final = {"full": 0, "hash": 1, "none": 2}
_OTEL_CAPTURE: Final = {
    "true": "full", "span_only": "full", "span_and_event": "full",
    "false": "none", "no_content": "none", "event_only": "none",
}  # fmt: skip
PROFILES: Final = ("genai", "openinference", "retrieval-content")
DEFAULT_MAX_SPAN_BYTES: Final = 1_048_576
ENV_CAPTURE: Final = "GROUNDWIRE_CAPTURE"
ENV_OTEL_CAPTURE: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
ENV_REDACT: Final = "GROUNDWIRE_REDACT"
ENV_EMIT: Final = "GROUNDWIRE_EMIT"
ENV_MAX_SPAN_BYTES: Final = "GROUNDWIRE_MAX_SPAN_BYTES"
ENV_OFFLOAD: Final = "GROUNDWIRE_OFFLOAD"
ENV_HASH_KEY: Final = "GROUNDWIRE_HASH_KEY"


class Policy:
    """The settled rules for one function. ``is_plain``: no text is changed and none goes elsewhere."""

    __slots__ = (
        "capture", "full", "is_plain", "max_span_bytes", "offload", "openinference", "redact_call",
        "redact_kinds", "retrieval_content",
    )  # fmt: skip

    def __init__(self, capture: str | None, redact: Redact, offload: str | None = None) -> None:
        self.capture = settle_capture(capture)
        self.full = self.capture == "full"
        self.redact_kinds, self.redact_call = settle_redaction(redact)
        self.offload = offload or os.environ.get(ENV_OFFLOAD) or None
        profiles = settle_profiles()
        self.openinference = "openinference" in profiles
        self.retrieval_content = "retrieval-content" in profiles
        self.max_span_bytes = settle_max_span_bytes()
        self.is_plain = not (self.redact_kinds or self.redact_call or self.offload)

    def profiles(self) -> list[str]:
        """Return the names of the emission profiles that are on."""
        flags = {
            "genai": True,
            "openinference": self.openinference,
            "retrieval-content": self.retrieval_content,
        }
        return [name for name, is_on in flags.items() if is_on]

    def stricter(self, other: Policy) -> Policy:
        """Return whichever of the two lets less content through."""
        mine, theirs = self._strictness(), other._strictness()
        return other if theirs > mine else self

    def _strictness(self) -> tuple[int, int, bool]:
        redaction = len(self.redact_kinds) + (100 if self.redact_call else 0)
        return _STRICTNESS[self.capture], redaction, self.offload is not None


def settle_capture(argument: str | None) -> str:
    """Return the strictest of the argument and the two environment variables; ``full`` if none is set.

    A value of ours that is not understood counts as ``none``: content is never written by mistake.
    """
    values = [argument] if argument in _STRICTNESS else []
    own = os.environ.get(ENV_CAPTURE, "").strip().lower()
    if own and own not in _STRICTNESS:
        warn_once_a_minute(ENV_CAPTURE, "%s is not full, hash or none: nothing is captured", ENV_CAPTURE)
        own = "none"
    standard = os.environ.get(ENV_OTEL_CAPTURE, "").strip().lower()
    if standard and standard not in _OTEL_CAPTURE:
        warn_once_a_minute(ENV_OTEL_CAPTURE, "%s is not understood: nothing is captured", ENV_OTEL_CAPTURE)
    values += [own] if own else []
    values += [_OTEL_CAPTURE.get(standard, "none")] if standard else []
    return max(values, key=_STRICTNESS.__getitem__, default="full")


def settle_redaction(redact: Redact) -> tuple[frozenset[str], Callable[[str], str] | None]:
    """Return the kinds to redact (argument and environment together) and the user's own function.

    ``True`` means every kind. Raises ConfigError on an unknown kind in the argument.
    """
    environment = os.environ.get(ENV_REDACT, "").strip()
    if redact is None or redact is False:
        kinds: frozenset[str] = frozenset()
    elif callable(redact):
        return _environment_kinds(environment), redact
    else:
        kinds = _parse("all" if redact is True else redact)
    return kinds | _environment_kinds(environment), None


def _environment_kinds(text: str) -> frozenset[str]:
    if not text or text.lower() in ("0", "false", "off", "none"):
        return frozenset()
    try:
        return _parse("all" if text.lower() in ("1", "true", "on") else text)
    except ConfigError:
        warn_once_a_minute(ENV_REDACT, "%s names an unknown kind: everything is redacted", ENV_REDACT)
        return _parse("all")


def _parse(names: str | Iterable[str]) -> frozenset[str]:
    from groundwire.patterns import parse_kinds

    return parse_kinds(names)


def settle_profiles() -> frozenset[str]:
    """Return the emission profiles: ``genai`` always, else what ``GROUNDWIRE_EMIT`` names."""
    text = os.environ.get(ENV_EMIT)
    if text is None:
        return frozenset(("genai", "openinference"))
    named = {word.strip().lower() for word in text.split(",") if word.strip()}
    if unknown := named.difference(PROFILES):
        warn_once_a_minute(ENV_EMIT, "%s: unknown profile %s", ENV_EMIT, ", ".join(sorted(unknown)))
    return frozenset(named.intersection(PROFILES) | {"genai"})


def settle_max_span_bytes() -> int:
    """Return the size budget of one span's content in bytes of UTF-8."""
    text = os.environ.get(ENV_MAX_SPAN_BYTES, "")
    if text.strip().isdigit():
        return max(int(text), 4096)
    return DEFAULT_MAX_SPAN_BYTES


class _Key:
    """The key of digests and redaction tokens; random for this process unless one is configured."""

    __slots__ = ("id", "secret")

    def __init__(self) -> None:
        from hashlib import sha256

        configured = os.environ.get(ENV_HASH_KEY, "")
        self.secret = configured.encode("utf-8", "surrogateescape") or os.urandom(32)
        self.id = sha256(b"groundwire key id\0" + self.secret).hexdigest()[:8]


_key: _Key | None = None


def _current_key() -> _Key:
    global _key
    if _key is None:
        _key = _Key()
    return _key


def _mac(message: bytes) -> str:
    import hmac

    return hmac.digest(_current_key().secret, message, "sha256").hex()


def keyed_digest(text: str) -> str:
    """Return ``hmac-sha256:<key id>:<32 hex>`` of the text's UTF-8: equal texts, equal digests.

    Raises UnicodeEncodeError on a lone surrogate, which has no UTF-8.
    """
    return f"hmac-sha256:{_current_key().id}:{_mac(text.encode())[:32]}"


def keyed_token(kind: str, text: str) -> str:
    """Return eight hex digits that stand for a redacted value, keyed and apart for each kind."""
    return _mac(f"{kind}\0{text}".encode("utf-8", "replace"))[:8]


def plain_digest(text: str) -> str:
    """Return ``sha256:<64 hex>`` of the text's UTF-8."""
    from hashlib import sha256

    return "sha256:" + sha256(text.encode("utf-8", "replace")).hexdigest()


Extract = Callable[[dict[str, Any], Any], Any]
