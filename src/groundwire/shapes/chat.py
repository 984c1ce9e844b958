"""Chat answers: OpenAI's chat completions and their many relatives, and single messages of any framework.

The same shape is spoken by Azure (passages under ``message.context``), Perplexity (passages at the top),
Mistral (reference parts), LangChain, LlamaIndex, Haystack and Ollama messages.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of
from groundwire.shapes.blocks import Parts, read_parts
from groundwire.shapes.citations import citation_of
from groundwire.shapes.cited import Citation
from groundwire.shapes.documents import documents_of
from groundwire.shapes.passages import Context
from groundwire.shapes.plain import Result, add_common, decimal_text

_CONTENTS: Final = ("content", "_content", "blocks", "parts", "contents", "items")
_METADATA: Final = ("response_metadata", "_meta", "meta", "additional_kwargs", "raw", "generation_info")
_PROVIDERS: Final = (
    (("gpt-", "o1", "o3", "o4", "chatgpt-", "ft:gpt-", "text-davinci"), "openai"),
    (("sonar",), "perplexity"),
    (("grok",), "x_ai"),
    (("mistral-", "ministral", "magistral", "open-mistral", "codestral"), "mistral_ai"),
    (("deepseek-",), "deepseek"),
)
"""How the models of some providers begin; a name with a slash says nothing of who served it."""


def read_completion(fields: Fields, choices: Any) -> Result:
    """Read an answer with ``choices``; of several, the first.

    >>> read_completion({"model": "m-1"}, [{"message": {"content": "Ada."}, "finish_reason": "stop"}])
    {'answer': 'Ada.', 'model': 'm-1', 'finish_reason': 'stop'}
    """
    choice = fields_of(choices[0]) if choices else None
    result: Result = {}
    if choice:
        message = fields_of(pick(choice, "message", "delta", "messages"))
        if message:
            result = read_message(message)
        elif text_of(get(choice, "text")) is not None:
            result["answer"] = text_of(get(choice, "text"))
    add_common(result, fields)
    if choice:
        add_common(result, {"finish_reason": pick(choice, "finish_reason", "finishReason")})
    _add_search(result, fields)
    _add_cost(result, fields)
    _name_provider(result, fields)
    return result


def read_message(fields: Fields) -> Result:
    """Read one assistant message: its text, its citations, and what its metadata says of the model."""
    result: Result = {}
    parts = read_parts(pick(fields, *_CONTENTS))
    refusal = text_of(get(fields, "refusal"))
    if refusal and parts.answer is None:
        parts.add({"type": "refusal", "refusal": refusal})
    if parts.answer is None and text_of(get(fields, "text")) is not None:
        parts.add(get(fields, "text"))
    put_parts(result, parts)
    _add_annotations(result, fields)
    _add_azure(result, fields)
    for name in _METADATA:
        inner = fields_of(get(fields, name))
        if inner:
            _add_metadata(result, inner)
    add_common(result, {name: stored for name, stored in dict.items(fields) if name != "metadata"})
    return result


def put_parts(result: Result, parts: Parts) -> None:
    """Write what the content parts said into the result."""
    if parts.answer is not None:
        result["answer"] = parts.answer
    if parts.citations:
        result["citations"] = parts.citations
    if parts.contexts:
        result["contexts"] = parts.contexts
    if parts.refusal:
        result["metadata"] = {"refusal": True}


def _add_annotations(result: Result, fields: Fields) -> None:
    """Chat completions hang annotations on the message; their offsets index its whole text."""
    more = fields_of(get(fields, "additional_kwargs")) or {}
    listed = items_of(get(fields, "annotations")) or items_of(get(more, "annotations")) or ()
    found = [citation for item in listed for citation in citation_of(item, result.get("answer") or "")]
    if found:
        result["citations"] = [*result.get("citations", ()), *found]


def _add_azure(result: Result, fields: Fields) -> None:
    """Azure's ``[docN]`` markers count ``context.citations`` from 1; those passages get these names."""
    more = fields_of(get(fields, "additional_kwargs")) or {}
    context = fields_of(pick(fields, "context")) or fields_of(get(more, "context"))
    if not context:
        return
    contexts = documents_of(pick(context, "citations", "all_retrieved_documents"))
    if contexts is not None:
        result["contexts"] = [{**passage, "id": f"doc{n}"} for n, passage in enumerate(contexts, 1)]
        result["provider"] = "azure.ai.openai"


def _add_metadata(result: Result, metadata: Fields) -> None:
    from groundwire.shapes.google import add_grounding

    add_common(result, {name: stored for name, stored in dict.items(metadata) if name != "metadata"})
    provider = text_of(pick(metadata, "model_provider", "ls_provider"))
    if provider:
        result["provider"] = provider
    grounding = fields_of(pick(metadata, "grounding_metadata", "groundingMetadata"))
    if grounding:
        answer = result.get("answer") or ""
        add_grounding(result, grounding, [(0, answer)], answer)


def _add_search(result: Result, fields: Fields) -> None:
    """Perplexity lists its passages at the top; ``[1]`` in the text counts them from 1."""
    found = documents_of(pick(fields, "search_results", "citations"))
    if found and "contexts" not in result:
        result["contexts"] = found


def _add_cost(result: Result, fields: Fields) -> None:
    """Some gateways write the cost of the call into the usage (US dollars)."""
    usage = fields_of(get(fields, "usage")) or {}
    cost = get(usage, "cost")
    inner = fields_of(cost)
    amount = decimal_text(get(inner, "total_cost") if inner else cost) if cost is not None else None
    if amount is not None and "recorded_cost" not in result:
        result["recorded_cost"] = {"amount": amount, "currency": "USD", "source": "usage.cost"}


def _name_provider(result: Result, fields: Fields) -> None:
    if "provider" in result:
        return
    model = result.get("model") or ""
    if items_of(get(fields, "prompt_filter_results")) is not None:
        result["provider"] = "azure.ai.openai"
    elif "/" not in model:
        named = [provider for beginnings, provider in _PROVIDERS if model.startswith(beginnings)]
        result.update({"provider": named[0]} if named else {})


def last_answer(messages: Any) -> Fields | None:
    """Return the last assistant message with text among many; None when there is none."""
    from groundwire.shapes.messages import read_turn

    for item in reversed(messages):
        turn = read_turn(item)
        if turn is not None and turn["role"] == "assistant" and turn["content"]:
            return fields_of(item)
    return None


def artifacts_of(messages: Any) -> list[Citation] | None:
    """Return the passages that LangChain's retrieval tools left as artifacts of their messages."""
    found: list[Context] = []
    for item in messages:
        fields = fields_of(item) or {}
        if text_of(get(fields, "type")) == "tool" and get(fields, "artifact") is not None:
            found.extend(documents_of(get(fields, "artifact")) or ())
    return found or None
