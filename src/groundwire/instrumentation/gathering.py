"""Joins what is known of an answer: the result, arguments, retrievals, options, what was told, the hook.

Later ones win: result, then the function's constants where the result says nothing, then what the call was
told, then ``extract``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.instrumentation.calls import Call
from groundwire.instrumentation.emission import RECORD_FIELDS
from groundwire.instrumentation.hooks import call_hook
from groundwire.instrumentation.late import shapes, values
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.site import Site

Fields = dict[str, Any]


def gather_fields(call: Call, fields: Fields) -> None:
    """Complete ``fields``, which holds what the result said."""
    if call.history:
        fields["history"] = call.history
    if call.retrieved is not None:
        join_retrieved(fields, merge_passages(call.retrieved))
    elif call.contexts_argument is not None and "contexts" not in fields and "documents" not in fields:
        contexts = shapes.read_documents(call.contexts_argument)
        if contexts is not None:
            fields["contexts"], fields["context_source"] = contexts, "argument"
    for name, value in call.site.constants.items():
        fields.setdefault(name, value)
    told = call.told()
    if told:
        _join_told(fields, told)


def join_retrieved(fields: Fields, retrieved: list[dict[str, Any]]) -> None:
    """Take the retrieved passages as contexts, or fill the texts of a result's own from them by id."""
    if "documents" in fields:
        return
    own = fields.get("contexts")
    if own is None:
        fields["contexts"], fields["context_source"] = retrieved, "retriever"
        return
    if all("text" in context for context in own):
        return
    by_id = {context["id"]: context for context in retrieved if context.get("id") is not None}
    fields["contexts"] = [{**by_id.get(context.get("id"), {}), **context} for context in own]


def merge_passages(lists: list[list[Fields]]) -> list[Fields]:
    """Return all passages in order, each once: the same id, or without ids the same text.

    >>> merge_passages([[{"id": "a", "text": "x"}], [{"id": "a", "text": "x"}, {"text": "y"}]])
    [{'id': 'a', 'text': 'x'}, {'text': 'y'}]
    """
    merged: dict[tuple[str, Any], Fields] = {}
    for passages in lists:
        for passage in passages:
            key = ("id", passage["id"]) if passage.get("id") is not None else ("text", passage.get("text"))
            merged.setdefault(key, passage)
    return list(merged.values())


def _join_told(fields: Fields, told: Fields) -> None:
    told = dict(told)
    for name in ("tags", "metadata", "usage"):
        if type(told.get(name)) is dict and type(fields.get(name)) is dict:
            told[name] = {**fields[name], **told[name]}
    if "contexts" in told:
        told["contexts"] = settle_contexts(told["contexts"])
        fields["context_source"] = "call"
    if "citations" in told:
        answer = told.get("answer", fields.get("answer"))
        told["citations"] = settle_citations(told["citations"], answer)
    _take(fields, told)


def extract_fields(
    site: Site, fields: Fields, arguments: tuple[tuple[Any, ...], Mapping[str, Any]], result: Any
) -> None:
    """Ask the user's hook; what it returns wins over all. Its errors are counted, never raised."""
    try:
        given = call_hook(site.extract, site.finder.bind(*arguments), result)  # type: ignore[arg-type]
        if given is None:
            return
        given = values.plain_items(given)
        if given.get("contexts") is not None:
            given["contexts"] = settle_contexts(given["contexts"])
            fields["context_source"] = "extract"
        if given.get("citations") is not None:
            answer = given.get("answer", fields.get("answer"))
            given["citations"] = settle_citations(given["citations"], answer)
        _take(fields, given)
    except Exception as cause:  # noqa: BLE001 - the hook is the user's; it must not break the call
        count_loss("extract", cause)


_CITATION_TYPES: dict[str, tuple[type, ...]] = {
    "quote": (str,), "source_id": (str,), "claim": (str,), "resolved": (str,), "answer_start": (int,),
    "answer_end": (int,), "source_start": (int,), "source_end": (int,),
}  # fmt: skip
_CONTEXT_TYPES: dict[str, tuple[type, ...]] = {
    "id": (str,), "text": (str,), "score": (float, int), "uri": (str,), "title": (str,), "metadata": (dict,),
    "length": (int,), "digest": (str,), "truncated": (bool,), "access": (str,),
}  # fmt: skip


def settle_citations(citations: Any, answer: Any) -> list[Fields]:
    """Return citations in the record's form; what has that form already is taken at its word."""
    if _all_have_form(citations, _CITATION_TYPES):
        return [_without_none(citation) for citation in citations]
    return shapes.read_citations(citations, answer if type(answer) is str else None) or []


def settle_contexts(contexts: Any) -> list[Fields]:
    """Return contexts in the record's form; what has that form already is taken at its word."""
    if _all_have_form(contexts, _CONTEXT_TYPES):
        return [_without_none(context) for context in contexts]
    return shapes.read_documents(contexts) or []


def _all_have_form(items: Any, types: Mapping[str, tuple[type, ...]]) -> bool:
    return type(items) is list and all(
        type(item) is dict
        and all(
            name in types and (value is None or type(value) in types[name]) for name, value in item.items()
        )
        for item in items
    )


def _without_none(item: Fields) -> Fields:
    return {name: value for name, value in item.items() if value is not None}


def _settle(fields: Fields) -> None:
    """Bring what will be walked into the record's form; what has none is counted and left out."""
    for name, read in (("history", shapes.read_history), ("usage", _usage_of)):
        if fields.get(name) is not None:
            fields[name] = read(fields[name])
            if fields[name] is None:
                count_loss("read")


def _usage_of(usage: Any) -> Any:
    return usage if type(usage) is dict else shapes.read_usage(usage)


def _take(fields: Fields, given: Mapping[str, Any]) -> None:
    """Put ``given`` over ``fields``; names that are no fields of a record become metadata."""
    if "contexts" in given:
        fields.pop("documents", None)
    foreign = {name: value for name, value in given.items() if name not in RECORD_FIELDS}
    fields.update((name, value) for name, value in given.items() if name in RECORD_FIELDS)
    _settle(fields)
    if foreign:
        known = fields.get("metadata")
        fields["metadata"] = {**(known if type(known) is dict else {}), **foreign}
