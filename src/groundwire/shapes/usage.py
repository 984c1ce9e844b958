"""Token counts, each vocabulary with its own meaning of cached and reasoning tokens.

Out comes a dict with the names of ``groundwire.record.Usage``, where ``input_tokens`` *includes* cached ones
and ``output_tokens`` *includes* reasoning. A name that is absent was not reported; 0 was reported as zero.
Counts that contradict each other are passed on as reported, with a ``note`` beside them.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, name_table, pick, whole_of

Usage = dict[str, Any]

HOLDERS: Final = name_table("usage usage_metadata usageMetadata token_usage tokenUsage usage_details")
"""Names under which a result keeps its usage, in order of trust."""
_FURTHER: Final = name_table(
    "response_metadata meta raw additional_kwargs llm_output metadata _meta generation_info message response"
)
_INPUT: Final = name_table(
    "input_tokens prompt_tokens inputTokens promptTokens n_prompt_tokens num_prompt_tokens prompt_eval_count"
)
_OUTPUT: Final = name_table(
    "output_tokens completion_tokens outputTokens completionTokens n_completion_tokens "
    "num_completion_tokens eval_count"
)
_CACHE_READ: Final = name_table(
    "cache_read_input_tokens cached_input_tokens cachedInputTokens input_cached_tokens "
    "cacheReadInputTokens cached_tokens prompt_cache_hit_tokens cache_read cache_read_tokens "
    "num_cached_tokens"
)
_CACHE_WRITE: Final = name_table(
    "cache_write_input_tokens cache_creation_input_tokens cacheWriteInputTokens cache_creation "
    "cache_write cache_write_tokens cache_creation_tokens"
)
_REASONING: Final = ("reasoning_output_tokens", "reasoning_tokens", "reasoningTokens", "reasoning",
                     "num_reasoning_tokens")  # fmt: skip
_INPUT_DETAILS: Final = ("input_tokens_details", "prompt_tokens_details", "input_token_details",
                         "inputTokenDetails", "prompt_token_details")  # fmt: skip
_OUTPUT_DETAILS: Final = ("output_tokens_details", "completion_tokens_details", "output_token_details",
                          "outputTokenDetails")  # fmt: skip


_ANTHROPIC: Final = ("cache_creation_input_tokens", "cache_creation")
_GEMINI: Final = name_table(
    "prompt_token_count promptTokenCount candidates_token_count candidatesTokenCount total_token_count "
    "totalTokenCount response_token_count responseTokenCount"
)


def read_usage(value: Any) -> Usage | None:
    """Return the usage that ``value`` is or holds; None when none was reported.

    >>> read_usage({"usage": {"prompt_tokens": 9, "completion_tokens": 2}})
    {'input_tokens': 9, 'output_tokens': 2}
    >>> read_usage({"input_tokens": 9, "output_tokens": 2, "cache_read_input_tokens": 90,
    ...             "cache_creation_input_tokens": 0})
    {'input_tokens': 99, 'output_tokens': 2, 'cache_read_input_tokens': 90, 'cache_write_input_tokens': 0}
    """
    try:
        return _find(value, 0)
    except Exception:  # noqa: BLE001 - reading never raises into the caller
        return None


def _find(value: Any, depth: int) -> Usage | None:
    fields = fields_of(value)
    if not fields or depth > MAX_DEPTH:
        return None
    found = held_usage(fields)
    if found is not None:
        return found
    for name in _FURTHER:
        inner = get(fields, name)
        if inner is not None and fields_of(inner) is not fields:
            found = _find(inner, depth + 1)
            if found is not None:
                return found
    return _of_haystack(fields, depth) or parse_usage(fields)


def _of_haystack(fields: Fields, depth: int) -> Usage | None:
    """Haystack and LangChain keep usage in the meta of each reply or generation."""
    for name in ("meta", "_meta", "replies", "generations"):
        items = items_of(get(fields, name))
        if items and depth < 4:
            inner = items_of(items[0])
            found = _find(inner[0] if inner else items[0], depth + 1)
            if found is not None:
                return found
    return None


def held_usage(fields: Fields) -> Usage | None:
    """Return the usage under one of the usual names, the names' order deciding."""
    for name in HOLDERS:
        stored = fields_of(get(fields, name))
        if stored:
            found = parse_usage(stored, of_langchain=name == "usage_metadata", held=True)
            if found is not None:
                return found
    return None


def parse_usage(fields: Fields, *, of_langchain: bool = False, held: bool = False) -> Usage | None:
    """Read one usage object by the names it uses; None when it holds no count.

    Raw Anthropic and Bedrock counts leave cached tokens out of the input and are added up; LangChain's
    ``usage_metadata`` and OpenAI's counts include them already. ``held``: the fields stand under a name
    that says usage, so that bare ``input`` and ``output`` are counts and not texts.
    """
    if pick(fields, *_GEMINI) is not None:
        return _of_gemini(fields)
    if get(fields, "billed_units") is not None or _is_cohere_tokens(fields):
        return _of_cohere(fields)
    usage = _by_name(fields)
    if held and "input_tokens" not in usage:
        _set(usage, "input_tokens", _count(fields, ("input",)))
    if held and "output_tokens" not in usage:
        _set(usage, "output_tokens", _count(fields, ("output",)))
    if not usage:
        return None
    if not of_langchain and _excludes_cache(fields):
        _include_cache(usage)
    return with_note(usage)


def _by_name(fields: Fields) -> Usage:
    usage: Usage = {}
    inner = fields_of(pick(fields, *_INPUT_DETAILS)) or {}
    outer = fields_of(pick(fields, *_OUTPUT_DETAILS)) or {}
    _set(usage, "input_tokens", _count(fields, _INPUT))
    _set(usage, "output_tokens", _count(fields, _OUTPUT))
    _set(usage, "cache_read_input_tokens", _either(fields, inner, _CACHE_READ))
    _set(usage, "cache_write_input_tokens", _either(fields, inner, _CACHE_WRITE))
    _set(usage, "reasoning_output_tokens", _either(fields, outer, (*_REASONING, "thinking_tokens")))
    return usage


def _set(usage: Usage, name: str, count: int | None) -> None:
    if count is not None:
        usage[name] = count


def _either(fields: Fields, details: Fields, names: tuple[str, ...]) -> int | None:
    count = _count(details, names)
    return _count(fields, names) if count is None else count


def _count(fields: Fields, names: tuple[str, ...]) -> int | None:
    for name in names:
        stored = get(fields, name)
        if stored is not None:
            count = whole_of(stored)
            if count is not None:
                return count
    return None


def _excludes_cache(fields: Fields) -> bool:
    """Tell Anthropic's raw usage (it names cache *creation*) and Bedrock's (camelCase) from inclusive counts.

    A total that equals input and output alone says that the input is already whole.
    """
    if get(fields, "inputTokens") is not None:
        return pick(fields, "cacheReadInputTokens", "cacheWriteInputTokens") is not None
    if not any(dict.__contains__(fields, name) for name in _ANTHROPIC):
        return False
    names = ("total_tokens", "input_tokens", "output_tokens")
    total, read, written = (whole_of(get(fields, name)) for name in names)
    return read is not None and (total is None or total != read + (written or 0))


def _include_cache(usage: Usage) -> None:
    cached = usage.get("cache_read_input_tokens", 0) + usage.get("cache_write_input_tokens", 0)
    if "input_tokens" in usage:
        usage["input_tokens"] += cached


def _of_gemini(fields: Fields) -> Usage | None:
    """Gemini counts thoughts beside the candidates (both are output) and tool results beside the prompt."""
    usage: Usage = {}
    prompt = _count(fields, ("prompt_token_count", "promptTokenCount"))
    tools = _count(fields, ("tool_use_prompt_token_count", "toolUsePromptTokenCount"))
    output = _count(fields, ("candidates_token_count", "candidatesTokenCount", "response_token_count",
                             "responseTokenCount"))  # fmt: skip
    thoughts = _count(fields, ("thoughts_token_count", "thoughtsTokenCount"))
    _set(usage, "input_tokens", None if prompt is None else prompt + (tools or 0))
    if output is not None or thoughts is not None:
        usage["output_tokens"] = (output or 0) + (thoughts or 0)
    cached = _count(fields, ("cached_content_token_count", "cachedContentTokenCount"))
    _set(usage, "cache_read_input_tokens", cached)
    _set(usage, "reasoning_output_tokens", thoughts)
    return with_note(usage) if usage else None


def _is_cohere_tokens(fields: Fields) -> bool:
    return fields_of(get(fields, "tokens")) is not None and get(fields, "input_tokens") is None


def _of_cohere(fields: Fields) -> Usage | None:
    """``tokens`` is what the model read and wrote; ``billed_units`` leaves out what Cohere adds itself."""
    tokens = fields_of(get(fields, "tokens")) or {}
    billed = fields_of(get(fields, "billed_units")) or {}
    usage: Usage = {}
    for name in ("input_tokens", "output_tokens"):
        _set(usage, name, _either(billed, tokens, (name,)))
    _set(usage, "cache_read_input_tokens", _count(fields, ("cached_tokens",)))
    return with_note(usage) if usage else None


def with_note(usage: Usage) -> Usage:
    """Mark counts that can not all be true; they are passed on as reported, never clamped."""
    total, output = usage.get("input_tokens"), usage.get("output_tokens")
    cached = usage.get("cache_read_input_tokens", 0) + usage.get("cache_write_input_tokens", 0)
    problems = []
    if total is not None and cached > total:
        problems.append("cached tokens exceed input tokens")
    if output is not None and usage.get("reasoning_output_tokens", 0) > output:
        problems.append("reasoning tokens exceed output tokens")
    if problems:
        usage["note"] = "; ".join(problems)
    return usage
