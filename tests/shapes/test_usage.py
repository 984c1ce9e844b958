"""Token counts: every vocabulary's meaning of cached and reasoning tokens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.shapes import read_usage

CASES: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "openai chat: the prompt includes cached tokens": (
        {"prompt_tokens": 17_903, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 17_817}},
        {"input_tokens": 17_903, "output_tokens": 9, "cache_read_input_tokens": 17_817},
    ),
    "openai responses: reasoning is part of the output": (
        {"input_tokens": 10, "output_tokens": 90, "output_tokens_details": {"reasoning_tokens": 64}},
        {"input_tokens": 10, "output_tokens": 90, "reasoning_output_tokens": 64},
    ),
    "anthropic: the input leaves cached tokens out": (
        {
            "input_tokens": 10,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": 100,
        },
        {
            "input_tokens": 1_010,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_write_input_tokens": 100,
        },
    ),
    "anthropic: no cache write reported": (
        {
            "input_tokens": 10,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": None,
        },
        {"input_tokens": 910, "output_tokens": 9, "cache_read_input_tokens": 900},
    ),
    "a total that says the input is whole": (
        {
            "input_tokens": 910,
            "output_tokens": 9,
            "total_tokens": 919,
            "cache_read_input_tokens": 900,
            "cache_creation_input_tokens": 0,
        },
        {
            "input_tokens": 910,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_write_input_tokens": 0,
        },
    ),
    "ours: input includes cached tokens": (
        {
            "input_tokens": 910,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_write_input_tokens": 0,
        },
        {
            "input_tokens": 910,
            "output_tokens": 9,
            "cache_read_input_tokens": 900,
            "cache_write_input_tokens": 0,
        },
    ),
    "gemini: thoughts are output beside the candidates, tool results are input": (
        {
            "promptTokenCount": 40,
            "toolUsePromptTokenCount": 5,
            "candidatesTokenCount": 20,
            "thoughtsTokenCount": 7,
        },
        {"input_tokens": 45, "output_tokens": 27, "reasoning_output_tokens": 7},
    ),
    "bedrock converse: the input leaves cached tokens out": (
        {"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 100, "cacheWriteInputTokens": 20},
        {
            "input_tokens": 130,
            "output_tokens": 5,
            "cache_read_input_tokens": 100,
            "cache_write_input_tokens": 20,
        },
    ),
    "cohere: what the model read, not what is billed": (
        {"billed_units": {"input_tokens": 20.0, "output_tokens": 9.0}, "tokens": {"input_tokens": 500.0}},
        {"input_tokens": 500, "output_tokens": 9},
    ),
    "langchain": (
        {
            "input_tokens": 100,
            "output_tokens": 20,
            "input_token_details": {"cache_read": 60, "cache_creation": 30},
            "output_token_details": {"reasoning": 5},
        },
        {
            "input_tokens": 100,
            "output_tokens": 20,
            "cache_read_input_tokens": 60,
            "cache_write_input_tokens": 30,
            "reasoning_output_tokens": 5,
        },
    ),
    "vercel": (
        {"inputTokens": 100, "outputTokens": 20, "cachedInputTokens": 60, "reasoningTokens": 5},
        {
            "input_tokens": 100,
            "output_tokens": 20,
            "cache_read_input_tokens": 60,
            "reasoning_output_tokens": 5,
        },
    ),
    "deepseek": (
        {"prompt_tokens": 100, "completion_tokens": 20, "prompt_cache_hit_tokens": 60},
        {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 60},
    ),
    "ollama": ({"prompt_eval_count": 9, "eval_count": 2}, {"input_tokens": 9, "output_tokens": 2}),
    "langfuse": ({"input": 9, "output": 2, "total": 11}, {"input_tokens": 9, "output_tokens": 2}),
    "more cached than read: as reported, with a note": (
        {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 90}},
        {"input_tokens": 10, "cache_read_input_tokens": 90, "note": "cached tokens exceed input tokens"},
    ),
    "zero is not unknown": (
        {"prompt_tokens": 0, "completion_tokens": None},
        {"input_tokens": 0},
    ),
    "counts as text and as whole floats": (
        {"input_tokens": "12", "output_tokens": 3.0},
        {"input_tokens": 12, "output_tokens": 3},
    ),
    "no counts": ({"input_tokens": True, "output_tokens": -1, "prompt_tokens": float("nan")}, None),
}


@pytest.mark.parametrize("name", CASES)
def test_each_vocabulary_keeps_its_meaning(name: str) -> None:
    """The same tokens are never counted twice, and none that were read are left out."""
    usage, expected = CASES[name]
    assert read_usage({"usage": usage}) == expected


def test_usage_is_found_where_frameworks_keep_it() -> None:
    """In the metadata of a message, in a raw answer, in the metas of replies."""
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    for value in (
        usage,
        {"response_metadata": {"token_usage": usage}},
        {"raw": {"usage": usage}},
        {"llm_output": {"token_usage": usage}},
        {"replies": [{"_meta": {"usage": usage}}]},
        {"meta": [{"usage": usage}]},
    ):
        assert read_usage(value) == {"input_tokens": 9, "output_tokens": 2}


def test_texts_named_input_and_output_are_no_counts() -> None:
    """A question ``"12"`` and an answer ``"24"`` are not twelve and twenty-four tokens."""
    assert read_usage({"input": "12", "output": "24"}) is None
    assert read_usage("usage") is None and read_usage(None) is None


@given(
    st.dictionaries(
        st.sampled_from(
            ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
        ),
        st.integers(0, 10_000) | st.none(),
    )
)
def test_anthropics_input_never_shrinks(usage: dict[str, int | None]) -> None:
    """However the raw counts lie, the input that is read covers the cached tokens it reports."""
    read = read_usage({"usage": {"cache_creation_input_tokens": None, **usage}}) or {}
    cached = read.get("cache_read_input_tokens", 0) + read.get("cache_write_input_tokens", 0)
    if "input_tokens" in read:
        assert read["input_tokens"] == (usage["input_tokens"] or 0) + cached
