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
    number_of,
    pick,
    text_of,
)
from groundwire.shapes.citations import citations_of, settle_sources
from groundwire.shapes.documents import documents_of
from groundwire.shapes.passages import Context
from groundwire.shapes.roles import Found, by_role, role_table
from groundwire.shapes.usage import held_usage, usage_in

Result = dict[str, Any]

_ROLES: Final = role_table(
    answer="answer output response result text completion reply final_answer generated_text output_text "
    "generation content message prediction answer_text final_output llm_output body response_txt summary "
    "data outputs generated raw",
    contexts="contexts context retrieved_contexts documents docs source_documents sourceDocuments "
    "source_nodes retrieved_documents retrieved_docs retrieval_context passages chunks retrieved_chunks hits "
    "search_results nodes sources source_docs evidence matches all_retrieved_documents retrievalResults",
    citations="citations references cited quotes annotations cited_sources",
    model="model model_name model_version modelVersion model_id modelId response_model",
    finish_reason="finish_reason stop_reason finishReason stopReason done_reason",
    conversation_id="conversation_id session_id thread_id chat_id conversationId sessionId",
    provider="provider",
    abstained="abstained abstain",
    latency="latency_ns latency_ms latency_s latency_seconds duration_ns duration_ms duration_s "
    "duration_seconds elapsed_ms elapsed_s elapsed_seconds",
    cost="cost_usd total_cost_usd cost total_cost costUsd totalCost response_cost",
    metadata="metadata",
)
"""Per role its names, in order of trust."""
_NAMES: Final = {(role, rank): name for name, (role, rank) in _ROLES.items()}
_CONTEXT_ROLES: Final = {name: role for name, role in _ROLES.items() if role[0] == "contexts"}
_BODY: Final = _ROLES["body"][1]
_MAX_BODY: Final = 1_000_000
_FACTORS: Final = {"ns": 1, "ms": 1_000_000, "s": 10**9, "seconds": 10**9}
_FACTS: Final = frozenset(
    "model finish_reason conversation_id provider abstained latency cost metadata".split(" ")
)


def read_plain(fields: Fields, depth: int, read_inner: Any) -> Result:
    """Read a mapping or object by its names; ``read_inner(value, depth)`` reads what lies inside."""
    found = by_role(fields, _ROLES)
    result: Result = {}
    try:
        _put_all(result, fields, found, depth, read_inner)
    except Exception:  # noqa: BLE001 - what was read until then is kept
        pass
    return result


def _put_all(result: Result, fields: Fields, found: dict[str, Found], depth: int, read_inner: Any) -> None:
    for rank, stored in found.get("answer", ()):
        put = _put_body if rank == _BODY else _put_answer
        if put(result, stored, depth, read_inner):
            break
    if "contexts" in found:
        _put_contexts(result, found["contexts"])
    if "citations" in found:
        _put_citations(result, found["citations"])
    _add_facts(result, fields, found)


def _put_body(result: Result, stored: Any, depth: int, read_inner: Any) -> bool:
    """Read the body of an HTTP answer: a mapping in JSON, as web frameworks return it."""
    import json

    text = text_of(stored)
    if text is None or not text.startswith("{") or len(text) > _MAX_BODY:
        return _put_answer(result, stored, depth, read_inner)
    try:
        opened = json.loads(text)
    except (ValueError, RecursionError):
        opened = None
    return _put_answer(result, opened, depth, read_inner) or _put_answer(result, text, depth, read_inner)


def _put_answer(result: Result, stored: Any, depth: int, read_inner: Any) -> bool:
    text = text_of(stored)
    if text is not None:
        result["answer"] = text
        return True
    if depth >= MAX_DEPTH or number_of(stored) is not None:
        return False
    inner = read_inner(stored, depth + 1)
    if "answer" in inner:
        result.update(inner)
    elif "contexts" in inner:
        result.setdefault("contexts", inner["contexts"])
    return "answer" in inner


def contexts_of(fields: Fields) -> list[Context] | None:
    """Return the passages under the usual names; None when there are none of these names."""
    result: Result = {}
    _put_contexts(result, by_role(fields, _CONTEXT_ROLES).get("contexts", []))
    return result.get("contexts")


def _put_contexts(result: Result, pairs: Found) -> None:
    found: list[Context] | None = None
    for rank, stored in pairs:
        read = documents_of(stored)
        if read is None:
            continue
        if not found:
            found = read
        elif _NAMES["contexts", rank] == "sources":
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


def _put_citations(result: Result, pairs: Found) -> None:
    for _, stored in pairs:
        citations = citations_of(stored, result.get("answer"))
        if citations is not None:
            contexts = result.get("contexts") or []
            if any(len(citation) == 1 for citation in citations):
                citations = _with_names(citations, contexts)
            result["citations"] = citations
            settle_sources(result["citations"], contexts)
            return


def _with_names(citations: list[dict[str, Any]], contexts: list[Context]) -> list[dict[str, Any]]:
    """Take a bare text for a source's name where a context has that very name."""
    names = {context.get(field) for context in contexts for field in ("id", "title", "uri")} - {None}
    return [
        {"source_id": citation["quote"]}
        if len(citation) == 1 and citation.get("quote") in names
        else citation
        for citation in citations
    ]


def add_common(result: Result, fields: Fields) -> None:
    """Add usage, model, finish reason, cost, latency and the like where ``fields`` has them."""
    _add_facts(result, fields, by_role(fields, _ROLES))


def _add_facts(result: Result, fields: Fields, found: dict[str, Found]) -> None:
    usage = usage_in(fields) if "usage" not in result else held_usage(fields)
    if usage:
        result["usage"] = usage
    if found.keys().isdisjoint(_FACTS):
        return
    for name in ("model", "finish_reason", "conversation_id", "provider"):
        if name in found:
            label = next(
                (label for _, stored in found[name] if (label := label_of(stored)) is not None), None
            )
            if label is not None:
                result[name] = label
    for _, stored in found.get("abstained", ()):
        if type(stored) is bool:
            result["abstained"] = stored
    if "latency" in found:
        _put_latency(result, found["latency"])
    if "cost" in found:
        _put_cost(result, found["cost"], text_of(get(fields, "currency")))
    if "metadata" in found and "source_nodes" not in fields:
        _put_metadata(result, found["metadata"][0][1])


def _put_metadata(result: Result, stored: Any) -> None:
    """Keep the application's own metadata (LlamaIndex keeps its nodes' there: the contexts have those)."""
    metadata = fields_of(stored)
    if metadata:
        result["metadata"] = {**metadata, **result.get("metadata", {})}


def _put_latency(result: Result, pairs: Found) -> None:
    for rank, stored in pairs:
        factor = _FACTORS[_NAMES["latency", rank].rpartition("_")[2]]
        number = number_of(stored)
        if number is not None and 0 <= number < 1e15:
            result["latency_ns"] = stored * factor if type(stored) is int else round(number * factor)
            return


def _put_cost(result: Result, pairs: Found, currency: str | None) -> None:
    for rank, stored in pairs:
        cost = _cost_of(stored, _NAMES["cost", rank], currency)
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
        contexts = documents_of(item)
        if contexts is not None:
            result["contexts"] = contexts
    elif "citations" not in result:
        citations = citations_of(item, result.get("answer"))
        if citations is not None:
            result["citations"] = citations
