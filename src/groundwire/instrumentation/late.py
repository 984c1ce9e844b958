"""Modules that are imported with their first use, so that importing and decorating stay cheap."""

from __future__ import annotations

import importlib
from typing import Any


class Late:
    """Stands for a module; its attributes are looked up once and kept.

    >>> Late("math").floor(1.5)
    1
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return Late, (self._name,)

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


shapes = Late("groundwire.shapes")
emission = Late("groundwire.instrumentation.emission")
quick = Late("groundwire.instrumentation.quick")
content = Late("groundwire.instrumentation.content")
values = Late("groundwire.instrumentation.values")
streams = Late("groundwire.instrumentation.streams")
futures = Late("groundwire.instrumentation.futures")
gathering = Late("groundwire.instrumentation.gathering")
failures = Late("groundwire.instrumentation.failures")
