"""What tools returned, as it stands in the messages of a model call: where no span of the tools was kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from groundwire.dialects.messages import read_turns
from groundwire.dialects.toolresult import read_tool_documents
from groundwire.dialects.values import as_label, parse_json
from groundwire.record import RetrievedContext

_MAX_DEPTH = 4
_CALL_LISTS = ("tool_calls", "parts", "content")
_RESULTS = frozenset({"tool_call_response", "tool_result", "tool-result", "function_call_output"})
_RESULT_NAMES = ("response", "result", "output", "content")
_CALL_IDS = ("id", "tool_call_id", "tool_use_id", "toolCallId", "call_id", "toolUseId")
_TOOL_NAMES = ("name", "tool_name", "toolName")


class _Result(NamedTuple):
    call_id: str | None
    name: str | None
    value: Any


def read_tool_turns(messages: Any) -> tuple[RetrievedContext, ...] | None:
    """Return the documents that tools returned since the last question; None where there are none.

    >>> asked = {"role": "user", "content": "Who?"}
    >>> called = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "search"}}]}
    >>> read_tool_turns([asked, called, {"role": "tool", "tool_call_id": "c", "content": "Ada."}])[0].text
    'Ada.'
    """
    value = parse_json(messages).value
    if isinstance(value, Mapping):
        value = parse_json(value.get("messages", value.get("input"))).value
    if not isinstance(value, list):
        return None
    asked = [i for i, item in enumerate(value) if any(turn.role == "user" for turn in read_turns(item, 1))]
    since = value[asked[-1] + 1 if asked else 0 :]
    names = dict(_calls(since, 0))
    found: list[RetrievedContext] = []
    for result in _results(since):
        name = result.name or names.get(result.call_id or "")
        found.extend(read_tool_documents(result.value, name=name).contexts or ())
    return tuple(found) or None


def _calls(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield id and name of every call for a tool."""
    if isinstance(value, list):
        for item in value if depth <= _MAX_DEPTH else ():
            yield from _calls(item, depth + 1)
    elif isinstance(value, Mapping):
        function = value.get("function")
        name = _first(function if isinstance(function, Mapping) else value, _TOOL_NAMES)
        call_id = _first(value, _CALL_IDS)
        if name and call_id and value.get("type") not in _RESULTS:
            yield call_id, name
        for key in _CALL_LISTS:
            yield from _calls(value.get(key), depth + 1)


def _results(messages: list[Any]) -> Iterator[_Result]:
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        parts = [part for key in ("parts", "content") for part in _parts(message.get(key))]
        results = [part for part in (message, *parts) if part.get("type") in _RESULTS]
        for part in results:
            value = next((part[key] for key in _RESULT_NAMES if part.get(key) is not None), None)
            yield _Result(_first(part, _CALL_IDS), _first(part, _TOOL_NAMES), _opened(value))
        if not results and message.get("role") == "tool":
            yield _Result(_first(message, _CALL_IDS), _first(message, _TOOL_NAMES), message.get("content"))


def _parts(value: Any) -> list[Mapping[str, Any]]:
    return [part for part in value if isinstance(part, Mapping)] if isinstance(value, list) else []


def _opened(value: Any) -> Any:
    """``{"type": "json", "value": …}``: a typed output."""
    return value["value"] if isinstance(value, Mapping) and {"type", "value"} <= value.keys() else value


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((label for name in names if (label := as_label(fields.get(name))) is not None), None)
