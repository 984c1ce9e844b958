"""What a stream keeps of its chunks: the same whether each is looked at alone or many at once."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.instrumentation import instrument
from groundwire.instrumentation.buffer import ChunkBuffer
from groundwire.instrumentation.policy import Capture, Policy
from groundwire.testing import CapturedSpans

texts = st.builds(lambda start, length: start + "x" * length, st.sampled_from("abc"), st.integers(0, 300))
chunks = st.lists(st.one_of(texts, texts, st.just({"usage": {"input_tokens": 1}}), st.none()), max_size=40)


def policy_of(capture: Capture, budget: int) -> Policy:
    policy = Policy(capture, None, None)
    policy.max_span_bytes = budget
    return policy


@given(chunks, st.sampled_from(["full", "none"]), st.sampled_from([1, 1000, 10_000, 1_000_000]))
def test_chunks_seen_at_once_are_taken_as_one_by_one(given: list[Any], capture: Capture, budget: int) -> None:
    """What is kept, the count and the length said of a cut answer do not depend on when the buffer looks."""
    slow, fast = (ChunkBuffer(policy_of(capture, budget)) for _ in range(2))
    unseen = 1
    for chunk in given * 8:
        slow.add(chunk)
        fast.parts.append(chunk)
        unseen -= 1
        if unseen == 0:
            if fast.count() > 1:
                fast.settle()
            unseen = fast.stretch(chunk)
    assert fast.join(None) == slow.join(None)
    assert fast.count() == slow.count()


@pytest.mark.parametrize("returned", [None, {"contexts": ["A passage."]}])
def test_a_short_stream_beyond_the_budget_is_cut_at_its_end(returned: Any) -> None:
    """Nothing looked at these chunks while they came."""
    slow, fast = (ChunkBuffer(policy_of("full", 1000)) for _ in range(2))
    for chunk in ["a" * 900, "b" * 900, "c" * 900]:
        slow.add(chunk)
        fast.parts.append(chunk)
    fields, kept = fast.join(returned)
    assert (fields, kept) == slow.join(returned)
    assert fields["digests"] == {"answer": {"length": 2700, "truncated": True}}
    assert len(kept) == 2


class Chunk:
    """Something that is no text, and can be watched."""


@pytest.mark.parametrize("capture", ["none", "full"])
def test_few_chunks_are_alive_beyond_what_is_kept(
    spans: CapturedSpans, capture: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream of anything holds on to a handful of chunks with capture off, or once it keeps no more."""
    monkeypatch.setattr("groundwire.instrumentation.buffer.MAX_OBJECTS", 100)

    @instrument(capture=capture, tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[Chunk]:
        for _ in range(1000):
            yield Chunk()

    alive: weakref.WeakSet[Chunk] = weakref.WeakSet()
    most = 0
    for chunk in stream("q"):
        alive.add(chunk)
        most = max(most, len(alive))
    assert most <= (16 if capture == "none" else 116)
    del chunk
    assert len(alive) == 0
    assert spans.attributes()["groundwire.stream.chunks"] == 1000
