"""The ``gen_ai.*`` attributes that many dialects share: model, usage, ids, cost, messages.

All three generations of message capture are read: span attributes, span events and log records, and files
that ``*_ref`` attributes name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from groundwire import semconv
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.indexed import read_indexed
from groundwire.dialects.messages import Turn, read_answer, read_conversation, read_turns
from groundwire.dialects.supplied import read_supplied
from groundwire.dialects.usage import pick_usage, read_cost
from groundwire.dialects.values import as_float, as_label, as_text, as_texts, parse_json
from groundwire.span import LogData, SpanEvent

SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions"
OPERATION_DETAILS = "gen_ai.client.inference.operation.details"
USAGE_NAMES = {
    "input_tokens": (semconv.INPUT_TOKENS, "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens"),
    "output_tokens": (semconv.OUTPUT_TOKENS, "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens"),
    "cache_read_input_tokens": (
        semconv.CACHE_READ_INPUT_TOKENS, "gen_ai.usage.cache_read_input_tokens",
        "gen_ai.usage.details.cache_read_tokens", "gen_ai.usage.input_tokens.cached",
        "gen_ai.usage.details.cached_tokens",
    ),
    "cache_write_input_tokens": (
        semconv.CACHE_WRITE_INPUT_TOKENS, "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_creation_input_tokens", "gen_ai.usage.details.cache_write_tokens",
    ),
    "reasoning_output_tokens": (
        semconv.REASONING_OUTPUT_TOKENS, "gen_ai.usage.reasoning_tokens",
        "gen_ai.usage.details.reasoning_tokens", "gen_ai.usage.output_tokens.reasoning",
    ),
}  # fmt: skip
_LABELS = (
    ("provider", (semconv.PROVIDER_NAME, "gen_ai.system")),
    ("model", (semconv.RESPONSE_MODEL, semconv.REQUEST_MODEL)),
    ("response_id", (semconv.RESPONSE_ID,)),
    ("conversation_id", (semconv.CONVERSATION_ID, "session.id")),
    ("subject_id", (semconv.USER_ID, "enduser.id")),
    ("prompt_id", (semconv.PROMPT_NAME,)),
    ("prompt_version", (semconv.PROMPT_VERSION,)),
)
_FINISH_REASONS = (
    semconv.FINISH_REASONS, "gen_ai.response.finish_reason", "anthropic.message.stop_reason",
)  # fmt: skip
_FIRST_CHUNK_SECONDS = ("gen_ai.response.time_to_first_chunk", "gen_ai.server.time_to_first_token")
_VARIABLE = "gen_ai.prompt.variable."
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def read_common(reading: Reading, *, with_usage: bool = True) -> None:
    """Fill model, provider, ids, finish reason, usage and cost from ``gen_ai.*``."""
    attributes = reading.span.attributes
    for name, keys in _LABELS:
        for key in keys:
            reading.put(name, as_label(attributes.get(key)), key)
    for key in _FINISH_REASONS:
        reading.put("finish_reason", next(iter(as_texts(attributes.get(key))), None), key)
    if with_usage:
        reading.put("usage", pick_usage(attributes, USAGE_NAMES), semconv.INPUT_TOKENS)
    for key in _FIRST_CHUNK_SECONDS:
        seconds = as_float(attributes.get(key))
        if seconds is not None and 0 <= seconds < 1e6:
            reading.put("time_to_first_chunk_ns", int(seconds * 1e9), key)
    cost = read_cost(attributes.get("gen_ai.usage.cost"), source="gen_ai.usage.cost")
    if cost is not None and cost.amount != "0":  # written as 0 where the price table was unreachable
        reading.put("cost", cost, "gen_ai.usage.cost")
    for key, value in attributes.items():
        if key.startswith(_VARIABLE) and (text := as_text(value)) is not None:
            reading.variables.setdefault(key[len(_VARIABLE) :], text)


class _Found(NamedTuple):
    """Messages as written somewhere, and the name of that place."""

    value: Any
    source: str


def read_messages(reading: Reading, around: Surroundings) -> None:
    """Fill prompt turns, question, history and answer from wherever this span's messages are."""
    attributes = reading.span.attributes
    system = _first(attributes, reading, around, SYSTEM_INSTRUCTIONS)
    given = _first(attributes, reading, around, semconv.INPUT_MESSAGES)
    said = _first(attributes, reading, around, semconv.OUTPUT_MESSAGES)
    given = given or _flattened(attributes, "gen_ai.prompt")
    said = said or _flattened(attributes, "gen_ai.completion")
    for entries in (_event_entries(reading.span.events), _log_entries(around.logs)):
        inputs, outputs = from_events(entries)
        given, said = given or inputs, said or outputs
    put_input(reading, given, system)
    put_output(reading, said)


def _first(attributes: Mapping[str, Any], reading: Reading, around: Surroundings, name: str) -> _Found | None:
    """Look a content attribute up: on the span, in its details event or log, in the file it refers to."""
    for place in (attributes, *_details(reading, around)):
        if place.get(name) is not None:
            return _Found(place[name], name)
    reference = attributes.get(f"{name}_ref")
    for place in _details(reading, around):
        reference = reference if reference is not None else place.get(f"{name}_ref")
    if reference is None:
        return None
    content = around.refs.read(reference)
    if content is None:
        reading.damage[_FIELD_OF.get(name, "question")] = "not_exported"
        return None
    return _Found(_json_lines(content), f"{name}_ref")


_FIELD_OF = {semconv.INPUT_MESSAGES: "question", semconv.OUTPUT_MESSAGES: "answer"}


def _details(reading: Reading, around: Surroundings) -> Iterator[Mapping[str, Any]]:
    for event in reading.span.events:
        if event.name == OPERATION_DETAILS:
            yield event.attributes
    for log in around.logs:
        if log_name(log) == OPERATION_DETAILS:
            yield log.attributes
            if isinstance(log.body, Mapping):
                yield log.body


def _json_lines(content: str) -> Any:
    """A referenced file is one JSON document, or one message a line."""
    value = parse_json(content)
    if value.complete and not isinstance(value.value, str):
        return value.value
    lines = [parse_json(line) for line in content.splitlines() if line.strip()]
    return [line.value for line in lines] if lines and all(line.complete for line in lines) else content


def _flattened(attributes: Mapping[str, Any], prefix: str) -> _Found | None:
    """``gen_ai.prompt.0.role`` and ``.content``: OpenLLMetry's form until 0.4x."""
    items = read_indexed(attributes, prefix)
    return _Found(items.items, f"{prefix}.*") if items else None


def _event_entries(events: Iterable[SpanEvent]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for event in events:
        if event.name.startswith("gen_ai."):
            yield event.name, event.attributes


def _log_entries(logs: Iterable[LogData]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for log in logs:
        body = parse_json(log.body).value
        yield log_name(log), body if isinstance(body, Mapping) else {**log.attributes, "content": body}


def log_name(log: LogData) -> str:
    """Return a log record's event name, which older writers keep in an attribute."""
    return log.name or as_label(log.attributes.get("event.name")) or ""


def from_events(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[_Found | None, _Found | None]:
    """Collect message events, inputs and outputs: each is one message, a choice is one output."""
    inputs: list[Any] = []
    outputs: list[Any] = []
    for name, fields in entries:
        fields = _with_event_content(fields)
        if name in _ROLES:
            inputs.append({"role": _ROLES[name], **fields})
        elif name == "gen_ai.choice":
            message = parse_json(fields.get("message")).value
            body = message if isinstance(message, Mapping) else fields
            outputs.append({"role": "assistant", **body, "finish_reason": fields.get("finish_reason")})
        elif name == "gen_ai.content.prompt":
            inputs.extend(_as_list(fields.get("gen_ai.prompt")))
        elif name == "gen_ai.content.completion":
            outputs.extend(_as_list(fields.get("gen_ai.completion")))
    return (
        _Found(inputs, "events:gen_ai.*.message") if inputs else None,
        _Found(outputs[:1] if _is_one_answer(outputs) else outputs, "events:gen_ai.choice")
        if outputs
        else None,
    )


def _is_one_answer(outputs: list[Any]) -> bool:
    """Several choices of one call: the first is the answer."""
    return len(outputs) > 1 and all(isinstance(item, Mapping) and "role" in item for item in outputs)


def _with_event_content(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Azure's form keeps the whole message as JSON in ``gen_ai.event.content``."""
    content = parse_json(fields.get("gen_ai.event.content")).value
    return {**fields, **content} if isinstance(content, Mapping) else fields


def _as_list(value: Any) -> list[Any]:
    value = parse_json(value).value
    if isinstance(value, list):
        return value
    return (
        [] if value is None else [value if isinstance(value, Mapping) else {"role": "user", "content": value}]
    )


def put_input(reading: Reading, given: _Found | None, system: _Found | None = None) -> None:
    """Fill turns, question and history; system instructions stand first."""
    turns: tuple[Turn, ...] = ()
    if system is not None:
        turns = tuple(turn._replace(role="system") for turn in read_turns(_as_messages(system.value)))
    if given is not None:
        conversation = read_conversation(given.value)
        if reading.role is Role.LLM:
            reading.put("carried", read_supplied(given.value), given.source)
        turns += conversation.turns
        reading.put("question", conversation.question, given.source)
        reading.put("history", conversation.history, given.source)
        if not conversation.complete:
            reading.damage["question"] = "truncated"
    source = SYSTEM_INSTRUCTIONS if system is not None or given is None else given.source
    reading.put("turns", turns, source)


def _as_messages(value: Any) -> Any:
    """System instructions are an array of parts, without roles."""
    parts = parse_json(value).value
    if (
        isinstance(parts, list)
        and parts
        and all(isinstance(part, Mapping) and "role" not in part for part in parts)
    ):
        return [{"role": "system", "parts": parts}]
    return parts


def put_output(reading: Reading, said: _Found | None) -> None:
    """Fill the answer and the finish reason; a bare string is the answer itself."""
    if said is None:
        return
    answer = read_answer(said.value)
    reading.put("answer", answer.text, said.source)
    reading.put("answer", _structured_answer(said.value), said.source)
    reading.put("finish_reason", answer.finish_reason, said.source)
    if reading.output is None:
        reading.output = parse_json(said.value).value
        reading.sources["output"] = said.source
    if not answer.complete:
        reading.damage["answer"] = "truncated"


_ENVELOPE = frozenset({
    "role", "tool_calls", "choices", "generations", "messages", "parts", "content", "object", "candidates",
    "message", "arguments", "function", "replies", "output", "outputs", "data",
})  # fmt: skip


def _structured_answer(value: Any) -> str | None:
    """A model's structured output is its answer as it stands: JSON that is no message and no response."""
    text = as_text(value)
    parsed = parse_json(value).value if text is not None else None
    return text if isinstance(parsed, Mapping) and parsed and _ENVELOPE.isdisjoint(parsed) else None


def found(value: Any, source: str) -> _Found | None:
    """Wrap a value that a dialect found elsewhere; None stays None."""
    return None if value is None else _Found(value, source)
