"""Token counts, each vocabulary with its own meaning of cached and reasoning tokens.

Out comes a dict with the names of ``groundwire.record.Usage``, where ``input_tokens`` *includes* cached ones
and ``output_tokens`` *includes* reasoning. A name that is absent was not reported; 0 was reported as zero.
Counts that contradict each other are passed on as reported, with a ``note`` beside them.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, whole_of
from groundwire.shapes.budget import bounded
from groundwire.shapes.roles import Found, by_role, role_table

Usage = dict[str, Any]

_ROLES: Final = role_table(
    input_tokens="input_tokens prompt_tokens inputTokens promptTokens n_prompt_tokens num_prompt_tokens "
    "prompt_eval_count prompt_token_count promptTokenCount",
    output_tokens="output_tokens completion_tokens outputTokens completionTokens n_completion_tokens "
    "num_completion_tokens eval_count",
    cache_read_input_tokens="cache_read_input_tokens cached_input_tokens cachedInputTokens "
    "input_cached_tokens cacheReadInputTokens cached_tokens prompt_cache_hit_tokens cache_read "
    "cache_read_tokens num_cached_tokens cached_content_token_count cachedContentTokenCount",
    cache_write_input_tokens="cache_write_input_tokens cache_creation_input_tokens cacheWriteInputTokens "
    "cache_creation cache_write cache_write_tokens cache_creation_tokens",
    reasoning_output_tokens="reasoning_output_tokens reasoning_tokens reasoningTokens reasoning "
    "num_reasoning_tokens thinking_tokens thoughts_token_count thoughtsTokenCount",
    total="total_tokens totalTokens total_token_count totalTokenCount",
    bare_input="input",
    bare_output="output",
    bare_total="total",
    input_details="input_tokens_details prompt_tokens_details input_token_details inputTokenDetails "
    "prompt_token_details",
    output_details="output_tokens_details completion_tokens_details output_token_details outputTokenDetails",
    candidates="candidates_token_count candidatesTokenCount response_token_count responseTokenCount",
    tools="tool_use_prompt_token_count toolUsePromptTokenCount",
    cohere="tokens billed_units",
    holder="usage usage_metadata usageMetadata token_usage tokenUsage usage_details",
    further="response_metadata meta raw additional_kwargs llm_output metadata _meta generation_info message "
    "response replies generations",
)
"""Per role its names, in order of trust. ``holder`` names a usage object, ``further`` what may hold one."""
_COUNTS: Final = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_write_input_tokens",
    "reasoning_output_tokens",
)
_ANTHROPIC: Final = ("cache_creation_input_tokens", "cache_creation")


def read_usage(value: Any) -> Usage | None:
    """Return the usage that ``value`` is or holds; None when none was reported.

    >>> read_usage({"usage": {"prompt_tokens": 9, "completion_tokens": 2}})
    {'input_tokens': 9, 'output_tokens': 2}
    >>> read_usage({"input_tokens": 9, "output_tokens": 2, "cache_read_input_tokens": 90,
    ...             "cache_creation_input_tokens": 0})
    {'input_tokens': 99, 'output_tokens': 2, 'cache_read_input_tokens': 90, 'cache_write_input_tokens': 0}
    """
    return bounded(lambda: _find(value, 0), None)


def _find(value: Any, depth: int) -> Usage | None:
    fields = fields_of(value)
    return usage_in(fields, depth) if fields and depth <= MAX_DEPTH else None


def usage_in(fields: Fields, depth: int = 0) -> Usage | None:
    """Return the usage that the fields hold under a usual name, in metadata, or are themselves."""
    found = by_role(fields, _ROLES)
    if not found:
        return None
    for rank, stored in found.get("holder", ()):
        inner = fields_of(stored)
        held = _parse(inner, by_role(inner, _ROLES), rank=rank) if inner else None
        if held is not None:
            return held
    for _, stored in found.get("further", ()):
        items = items_of(stored)
        further = _find(_first_of(items) if items else stored, depth + 1)
        if further is not None:
            return further
    return _parse(fields, found)


def _first_of(items: Any) -> Any:
    """Haystack and LangChain keep usage in the meta of each reply or generation, perhaps nested once."""
    inner = items_of(items[0])
    return inner[0] if inner else items[0]


def held_usage(fields: Fields) -> Usage | None:
    """Return the usage under one of the usual names only."""
    for rank, stored in by_role(fields, _ROLES).get("holder", ()):
        inner = fields_of(stored)
        held = _parse(inner, by_role(inner, _ROLES), rank=rank) if inner else None
        if held is not None:
            return held
    return None


def _parse(fields: Fields, found: dict[str, Found], rank: int | None = None) -> Usage | None:
    """Read one usage object; ``rank`` is that of the name that it stood under, None when under none.

    Raw Anthropic and Bedrock counts leave cached tokens out of the input and are added up; LangChain's
    ``usage_metadata`` and OpenAI's counts include them already. Bare ``input`` and ``output`` are counts only
    under a name that says usage, else they are texts.
    """
    if "cohere" in found:
        cohere = _of_cohere(fields, found)
        if cohere is not None:
            return cohere
    usage: Usage = {}
    for name in _COUNTS:
        if name in found:
            _set(usage, name, _count(found[name]))
    if "input_details" in found or "output_details" in found:
        _add_details(usage, found)
    if "candidates" in found or "tools" in found:
        _add_gemini(usage, found)
    if ("bare_input" in found or "bare_output" in found) and (rank is not None or _is_bare(found)):
        _set_default(usage, "input_tokens", found.get("bare_input"))
        _set_default(usage, "output_tokens", found.get("bare_output"))
    if not usage:
        return None
    if rank != 1 and len(usage) > 1 and _excludes_cache(fields, found):
        usage["input_tokens"] += _cached(usage)
    return with_note(usage)


def _is_bare(found: dict[str, Found]) -> bool:
    """Tell whether bare names are counts although no name around them says so: three whole numbers."""
    counts = [found[name][0][1] for name in ("bare_input", "bare_output", "bare_total") if name in found]
    return len(counts) == 3 and all(type(count) is int for count in counts)


def _set(usage: Usage, name: str, count: int | None) -> None:
    if count is not None:
        usage[name] = count


def _set_default(usage: Usage, name: str, pairs: Found | None) -> None:
    if pairs is not None and name not in usage:
        _set(usage, name, _count(pairs))


def _count(pairs: Found) -> int | None:
    for _, stored in pairs:
        count = stored if type(stored) is int and stored >= 0 else whole_of(stored)
        if count is not None:
            return count
    return None


def _add_details(usage: Usage, found: dict[str, Found]) -> None:
    """The details beside a count are part of it; they say more exactly what a bare name says."""
    for role, names in (("input_details", _COUNTS[2:4]), ("output_details", _COUNTS[4:])):
        for _, stored in found.get(role, ()):
            inner = fields_of(stored)
            details = by_role(inner, _ROLES) if inner else {}
            for name in names:
                if name in details:
                    _set(usage, name, _count(details[name]))


def _add_gemini(usage: Usage, found: dict[str, Found]) -> None:
    """Gemini counts thoughts beside the candidates (both are output) and tool results beside the prompt."""
    output = _count(found.get("candidates", []))
    tools = _count(found.get("tools", []))
    if output is not None:
        usage["output_tokens"] = output + usage.get("reasoning_output_tokens", 0)
    if tools is not None and "input_tokens" in usage:
        usage["input_tokens"] += tools


def _of_cohere(fields: Fields, found: dict[str, Found]) -> Usage | None:
    """``tokens`` is what the model read and wrote; ``billed_units`` leaves out what Cohere adds itself."""
    if "input_tokens" in found:
        return None
    usage: Usage = {}
    for _, stored in found["cohere"]:
        inner = fields_of(stored)
        counts = by_role(inner, _ROLES) if inner else {}
        for name in _COUNTS[:2]:
            _set_default(usage, name, counts.get(name))
    if usage and "cache_read_input_tokens" in found:
        _set(usage, "cache_read_input_tokens", _count(found["cache_read_input_tokens"]))
    return with_note(usage) if usage else None


def _excludes_cache(fields: Fields, found: dict[str, Found]) -> bool:
    """Tell Anthropic's raw usage (it names cache *creation*) and Bedrock's (camelCase) from inclusive counts.

    A total that equals input and output alone says that the input is already whole.
    """
    if "input_tokens" not in found or found["input_tokens"][0][0] not in _RAW:
        return False
    if get(fields, "inputTokens") is not None:
        return (
            get(fields, "cacheReadInputTokens") is not None
            or get(fields, "cacheWriteInputTokens") is not None
        )
    if not any(name in fields for name in _ANTHROPIC):
        return False
    read, total = _count(found["input_tokens"]), _count(found.get("total", []))
    written = _count(found.get("output_tokens", [])) or 0
    return read is not None and (total is None or total != read + written)


_RAW: Final = (_ROLES["input_tokens"][1], _ROLES["inputTokens"][1])


def _cached(usage: Usage) -> int:
    read: int = usage.get("cache_read_input_tokens", 0)
    written: int = usage.get("cache_write_input_tokens", 0)
    return read + written


def with_note(usage: Usage) -> Usage:
    """Mark counts that can not all be true; they are passed on as reported, never clamped."""
    problems = []
    if "input_tokens" in usage and _cached(usage) > usage["input_tokens"]:
        problems.append("cached tokens exceed input tokens")
    if "output_tokens" in usage and usage.get("reasoning_output_tokens", 0) > usage["output_tokens"]:
        problems.append("reasoning tokens exceed output tokens")
    if problems:
        usage["note"] = "; ".join(problems)
    return usage
