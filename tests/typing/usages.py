"""Usages of the decorator as type checkers see them. Lines marked ``wrong`` must be refused, all others not.

Not run: checked by mypy (and pyright, where it is at hand) through ``test_typing.py``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import assert_type, overload

from groundwire import bind, call, configure, current_call, feedback, flush, instrument, retriever


@instrument
def plain(question: str, *, k: int = 3) -> dict[str, int]:
    return {question: k}


assert_type(plain("q"), dict[str, int])
assert_type(plain("q", k=1), dict[str, int])
plain(1)  # wrong
plain("q", not_a_parameter=0)  # wrong
plain()  # wrong


@instrument(name="x", capture="hash", tags={"a": "b"})
async def coroutine(question: str) -> int:
    return len(question)


async def use() -> None:
    assert_type(await coroutine("q"), int)
    await coroutine(b"q")  # wrong
    async for chunk in async_generator("q"):
        assert_type(chunk, str)
    async with call("chat", question="q") as answer:
        answer.set_model("m", provider="p")
        answer.set_model(1)  # wrong


@instrument
def generator(question: str) -> Iterator[str]:
    yield question


assert_type(list(generator("q")), list[str])


@instrument
async def async_generator(question: str) -> AsyncIterator[str]:
    yield question


@overload
def either(question: str) -> str: ...
@overload
def either(question: int) -> int: ...
@instrument
def either(question: str | int) -> str | int:
    return question


assert_type(either("q"), str)
assert_type(either(1), int)


class Bot:
    @instrument
    def method(self, question: str) -> str:
        return question

    @classmethod
    @instrument
    def inner_class(cls, question: str) -> str:
        return question

    @instrument
    @staticmethod
    def outer_static(question: str) -> str:
        return question

    @staticmethod
    @instrument
    def inner_static(question: str) -> str:
        return question


assert_type(Bot().method("q"), str)
assert_type(Bot.inner_class("q"), str)
assert_type(Bot.outer_static("q"), str)
assert_type(Bot.inner_static("q"), str)
Bot().method(1)  # wrong


@retriever
def search(query: str) -> list[str]:
    return [query]


assert_type(search("q"), list[str])
search(1)  # wrong

assert_type(instrument(partial(plain, "q")), partial[dict[str, int]])
assert_type(bind(plain)("q"), dict[str, int])
current_call().set_usage(input_tokens=1)
current_call().set_usage(tokens=1)  # wrong
assert_type(feedback(current_call().ref, score=0.5), bool)
assert_type(configure(sample=0.1), bool)
assert_type(flush(), bool)
instrument(capture="some")  # wrong
instrument(3)  # wrong
with call(question="q") as recorded:
    recorded.set_answer("a")
