"""Results that an application made up itself: mappings and objects with the usual names, and tuples."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import (
    MAX_DEPTH,
    Fields,
    fields_of,
    get,
    items_of,
    label_of,
    name_table,
    number_of,
    pick,
    text_of,
)
from groundwire.shapes.citations import citations_of, settle_sources
from groundwire.shapes.documents import read_documents
from groundwire.shapes.passages import Context
from groundwire.shapes.usage import held_usage, read_usage

Result = dict[str, Any]

ANSWER_NAMES: Final = name_table(
    "answer output response result text completion reply final_answer generated_text output_text "
    "generation content message prediction answer_text final_output llm_output body response_txt summary "
    "data"
)
CONTEXT_NAMES: Final = name_table(
    "contexts context retrieved_contexts documents docs source_documents sourceDocuments source_nodes "
    "retrieved_documents retrieved_docs retrieval_context passages chunks retrieved_chunks hits "
    "search_results nodes sources source_docs evidence matches all_retrieved_documents"
)
CITATION_NAMES: Final = name_table("citations references cited quotes annotations cited_sources")
_MODELS: Final = name_table("model model_name model_version modelVersion model_id modelId response_model")
_FINISH: Final = ("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")
_CONVERSATIONS: Final = name_table("conversation_id session_id thread_id chat_id conversationId sessionId")
_LATENCIES: Final = (
    ("latency_ns", 1), ("latency_ms", 1_000_000), ("latency_s", 10**9), ("latency_seconds", 10**9),
    ("duration_ns", 1), ("duration_ms", 1_000_000), ("duration_s", 10**9), ("duration_seconds", 10**9),
    ("elapsed_ms", 1_000_000), ("elapsed_s", 10**9), ("elapsed_seconds", 10**9), ("latencyMs", 1_000_000),
)  # fmt: skip
_COSTS: Final = name_table("cost_usd total_cost_usd cost total_cost costUsd totalCost response_cost")


def read_plain(fields: Fields, depth: int, read_inner: Any) -> Result:
    """Read a mapping or object by its names; ``read_inner(value, depth)`` reads what lies inside."""
    result: Result = {}
    for name in ANSWER_NAMES:
        stored = get(fields, name)
        if stored is not None and _put_answer(result, stored, depth, read_inner):
            break
    _put_contexts(result, fields)
    _put_citations(result, fields)
    add_common(result, fields)
    return result


def _put_answer(result: Result, stored: Any, depth: int, read_inner: Any) -> bool:
    text = text_of(stored)
    if text is not None:
        result["answer"] = text
        return True
    if depth >= MAX_DEPTH or number_of(stored) is not None:
        return False
    inner = read_inner(stored, depth + 1)
    if "answer" not in inner:
        return False
    result.update(inner)
    return True


def _put_contexts(result: Result, fields: Fields) -> None:
    found: list[Context] | None = None
    for name in CONTEXT_NAMES:
        stored = get(fields, name)
        if stored is None:
            continue
        read = read_documents(stored)
        if read is None:
            continue
        if found is None or not found:
            found = read
        elif name == "sources":
            found = _merged(found, read)
    if found is not None:
        result["contexts"] = found


def _merged(contexts: list[Context], more: list[Context]) -> list[Context]:
    """Join passages that are listed twice; the second listing may add ids to the texts of the first."""
    by_text = {text: index for index, context in enumerate(contexts) if (text := context.get("text"))}
    ids = {context.get("id") for context in contexts}
    merged = list(contexts)
    for context in more:
        text = context.get("text")
        if text in by_text:
            merged[by_text[text]] = {**context, **merged[by_text[text]]}
        elif text and context.get("id") and context["id"] not in ids:
            merged.append(context)
    return merged


def _put_citations(result: Result, fields: Fields) -> None:
    for name in CITATION_NAMES:
        stored = get(fields, name)
        if stored is None:
            continue
        citations = citations_of(stored, result.get("answer"))
        if citations is not None:
            contexts = result.get("contexts") or []
            result["citations"] = [_naming(citation, contexts) for citation in citations]
            settle_sources(result["citations"], contexts)
            return


def _naming(citation: dict[str, Any], contexts: list[Context]) -> dict[str, Any]:
    """Take a bare text for a source's name where a context has that very name."""
    quote = citation.get("quote")
    known = (context.get(name) for context in contexts for name in ("id", "title", "uri"))
    if len(citation) == 1 and quote and quote in known:
        return {"source_id": quote}
    return citation


def add_common(result: Result, fields: Fields) -> None:
    """Add usage, model, finish reason, cost, latency and the like where ``fields`` has them."""
    usage = read_usage(fields) if "usage" not in result else held_usage(fields)
    if usage:
        result["usage"] = usage
    for name, names in (("model", _MODELS), ("finish_reason", _FINISH), ("conversation_id", _CONVERSATIONS)):
        stored = pick(fields, *names)
        label = label_of(stored) if stored is not None else None
        if label is not None:
            result[name] = label
    provider = text_of(get(fields, "provider"))
    if provider:
        result["provider"] = provider
    for name in ("abstained", "abstain"):
        if type(get(fields, name)) is bool:
            result["abstained"] = get(fields, name)
    _put_latency(result, fields)
    _put_cost(result, fields)
    # LlamaIndex keeps the metadata of its nodes there, which the contexts have already
    metadata = fields_of(get(fields, "metadata")) if get(fields, "source_nodes") is None else None
    if metadata:
        result["metadata"] = {**dict(dict.items(metadata)), **result.get("metadata", {})}


def _put_latency(result: Result, fields: Fields) -> None:
    for name, factor in _LATENCIES:
        stored = get(fields, name)
        number = number_of(stored) if stored is not None else None
        if number is not None and 0 <= number < 1e15:
            result["latency_ns"] = stored * factor if type(stored) is int else round(number * factor)
            return


def _put_cost(result: Result, fields: Fields) -> None:
    for name in _COSTS:
        stored = get(fields, name)
        if stored is None:
            continue
        cost = _cost_of(stored, name, text_of(get(fields, "currency")))
        if cost is not None:
            result["recorded_cost"] = cost
            return


def _cost_of(stored: Any, name: str, currency: str | None) -> dict[str, str] | None:
    inner = fields_of(stored)
    if inner:
        amount = pick(inner, "amount", "total", "total_cost", "totalCost", "usd", "cost")
        return None if amount is None else _cost_of(amount, name, text_of(get(inner, "currency")) or currency)
    amount = decimal_text(stored)
    return None if amount is None else {"amount": amount, "currency": currency or "USD", "source": name}


def decimal_text(value: Any) -> str | None:
    """Write an amount as a plain decimal, without exponent; None when it is no finite amount ≥ 0.

    >>> decimal_text(1e-7), decimal_text(0.25), decimal_text("0.10"), decimal_text(True)
    ('0.0000001', '0.25', '0.10', None)
    """
    from decimal import Decimal, InvalidOperation

    text = text_of(value)
    if text is None:
        number = number_of(value)
        text = None if number is None else str(value) if type(value) is Decimal else repr(number)
    if text is None or len(text) > 40:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    if not amount.is_finite() or amount < 0 or abs(amount.adjusted()) > 30:
        return None
    shown = format(amount, "f")
    return shown[:-2] if shown.endswith(".0") else shown


def read_tuple(items: Any, depth: int, read_inner: Any) -> Result:
    """Read ``(answer, contexts, …)``: the first text is the answer, a list its contexts."""
    result: Result = {}
    lists = []
    for item in items:
        if text_of(item) is not None:
            result.setdefault("answer", text_of(item))
        elif items_of(item) is not None:
            lists.append(item)
        elif fields_of(item):
            for name, stored in read_inner(item, depth + 1).items():
                result.setdefault(name, stored)
    for listed in lists:
        _put_tuple_list(result, listed)
    return result


def _put_tuple_list(result: Result, item: Any) -> None:
    if not result.get("contexts"):
        contexts = read_documents(item)
        if contexts is not None:
            result["contexts"] = contexts
    elif "citations" not in result:
        citations = citations_of(item, result.get("answer"))
        if citations is not None:
            result["citations"] = citations
