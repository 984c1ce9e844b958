"""Module-level decorated callables, as an application has them; importable by other processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

from opentelemetry import trace

from groundwire.instrumentation import current_call, instrument, retriever


@instrument
def plain(question: str, k: int = 3) -> dict[str, Any]:
    """Answer."""
    return {"answer": f"{question}{k}"}


@instrument
async def coroutine(question: str, k: int = 3) -> dict[str, Any]:
    return {"answer": f"{question}{k}"}


@instrument
def generator(question: str, k: int = 3) -> Iterator[str]:
    yield question
    yield str(k)


@instrument
async def async_generator(question: str, k: int = 3) -> AsyncIterator[str]:
    yield question
    yield str(k)


@retriever
def search(query: str) -> list[str]:
    return [query]


class Bot:
    """A class with every kind of method, the decorator on either side."""

    name = "bot"

    @instrument
    def method(self, question: str) -> str:
        return f"{self.name} {question}"

    @instrument
    @staticmethod
    def outer_static(question: str) -> str:
        return question

    @staticmethod
    @instrument
    def inner_static(question: str) -> str:
        return question

    @instrument
    @classmethod
    def outer_class(cls, question: str) -> str:
        return f"{cls.name} {question}"

    @classmethod
    @instrument
    def inner_class(cls, question: str) -> str:
        return f"{cls.name} {question}"


class Callable_:
    """A callable object."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, question: str) -> str:
        self.calls += 1
        return question


def report_parent(label: str) -> tuple[str, int, bool]:
    """Return what is current in a worker process."""
    return label, trace.get_current_span().get_span_context().span_id, current_call().is_recording


def add(question: str, k: int) -> str:
    return f"{question}{k}"


callable_object = instrument(Callable_())
bound_partial = instrument(partial(add, k=3))
