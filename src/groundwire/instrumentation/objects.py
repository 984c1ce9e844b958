"""Callable objects, partials, bound methods and built-ins under ``@instrument``: a proxy that is called."""

from __future__ import annotations

import functools
import inspect
from types import MethodType
from typing import Any

import wrapt

from groundwire.instrumentation.functions import wrapper_of
from groundwire.instrumentation.recording import AnswerSite


def wrap_object(site: AnswerSite) -> Any:
    """Return a proxy of the site's callable that records its calls and else behaves like it."""
    return CallableProxy(site.function, site)


def _likeness(function: Any) -> Any:
    """Return what tells the kind of a callable: its class's ``__call__``, or itself; None: what it returns.

    A proxy of a function (``wrapt``'s decorators make such) says that it is of the function's kind, and may
    return anything.
    """
    called = next(
        (vars(base)["__call__"] for base in type(function).__mro__ if "__call__" in vars(base)), None
    )
    kinds = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
    if any(is_kind(called) for is_kind in kinds):
        return called
    return function if type(function) in (functools.partial, MethodType) else None


class CallableProxy(wrapt.ObjectProxy):  # type: ignore[type-arg]
    """Stands in for a callable object; ``isinstance``, attributes and binding see the original."""

    def __init__(self, wrapped: Any, site: AnswerSite) -> None:
        super().__init__(wrapped)
        self._self_site = site
        self._self_call = wrapper_of(site, _likeness(wrapped))
        self._self_bound: AnswerSite | None = None

    @property
    def __call__(self) -> Any:
        """Call the original under a recording; a property, so that frameworks see of which kind it is."""
        return self._self_call

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        bind = getattr(type(self.__wrapped__), "__get__", None)
        if bind is None:
            return self
        bound = bind(self.__wrapped__, instance, owner)
        if bound is self.__wrapped__:
            return self
        if self._self_bound is None:
            options = {"name": self._self_site.label, **self._self_site.options}
            self._self_bound = type(self._self_site)(bound, options)
        return CallableProxy(bound, self._self_bound.on(bound))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _rebuild, (self._self_site,)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def _rebuild(site: AnswerSite) -> Any:
    return wrap_object(site)
