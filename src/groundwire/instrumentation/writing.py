"""Sets many attributes on a span at once: in a third of the time where the span is the SDK's own.

The SDK checks each value of ``set_attributes`` one by one, which costs a fifth of a recorded call. Ours need
no check. So they go straight into the SDK's container, under its lock, but only where that does exactly what
``set_attributes`` would have done: the span's class and method are the SDK's own (nobody's subclass, wrapper
or patch is passed by), no limit applies, and a trial has shown that the container holds after it what it
holds after the usual way. Everywhere else the usual way is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.trace import Span

from groundwire.instrumentation.losses import count_loss

_SDK: Final = "opentelemetry.sdk.trace"
_methods: dict[type, Callable[..., Any] | None] = {}
"""The method ``set_attributes`` of each class of span whose attributes may be written directly, else None."""


def write_attributes(span: Span, attributes: Mapping[str, Any]) -> None:
    """Set ``attributes`` (str, int, bool, tuples of str) on a span; if it has ended already, count a loss."""
    if not span.is_recording():
        count_loss("late")
        return
    kind = type(span)
    if kind not in _methods:
        _methods[kind] = kind.set_attributes if _is_sdks_own(kind) and container_is_known() else None
    usual: Any = span.set_attributes
    if getattr(usual, "__func__", usual) is _methods[kind] and _write(span._attributes, attributes):  # type: ignore[attr-defined]
        return
    usual(attributes)


def _write(held: BoundedAttributes, attributes: Mapping[str, Any]) -> bool:
    if held.max_value_len is not None or (
        held.maxlen is not None and len(held) + len(attributes) > held.maxlen
    ):
        return False
    with held._lock:
        held._dict.update(attributes)
    return True


def _is_sdks_own(kind: type[Span]) -> bool:
    return kind.__module__ == _SDK and getattr(kind.set_attributes, "__module__", None) == _SDK


def container_is_known() -> bool:
    """Whether writing into the SDK's container of attributes leaves it as setting each of them would."""
    tried: dict[str, Any] = {"text": "a", "count": 1, "flag": True, "texts": ("a",)}
    try:
        usual, direct = (BoundedAttributes(maxlen=8, immutable=False) for _ in range(2))
        for name, value in tried.items():
            usual[name] = value
        is_written = _write(direct, tried)
        states = [{k: v for k, v in vars(held).items() if k != "_lock"} for held in (usual, direct)]
        return is_written and states[0] == states[1] and dict(direct) == tried
    except Exception:  # noqa: BLE001 - another SDK than the ones we know
        return False
