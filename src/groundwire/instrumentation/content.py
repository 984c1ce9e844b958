"""The careful way onto a span: mends odd values, redacts, hashes or leaves out, cuts to size, offloads.

The order matters: values are mended first (so that nothing later fails), then redacted, then restricted to
what ``capture`` allows, then cut, then moved to the store.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import Any

from groundwire.instrumentation.emission import Attributes, Fields, add_attributes, record_context
from groundwire.instrumentation.policy import Policy, keyed_digest
from groundwire.instrumentation.values import MAX_SECONDS, Changes, clean_value

_KEPT_OF_DOCUMENTS = ("id", "uri", "score", "access")
_DROPPED_OF_CITATIONS = ("quote", "claim")
_CONTENT_FIELDS = frozenset(
    ("question", "answer", "history", "query", "metadata", "expected", "contexts", "documents", "citations")
)


def prepare(fields: Fields, policy: Policy, attributes: Attributes) -> Attributes:
    """Return ``attributes`` with ``fields`` added, changed as ``policy`` and their own oddities require."""
    changes: Changes = Counter()
    if "documents" in fields:
        fields = {**fields, "contexts": [record_context(document) for document in fields["documents"]]}
        del fields["documents"]
    deadline = monotonic() + MAX_SECONDS
    cleaned = {name: clean_value(value, name, changes, deadline) for name, value in fields.items()}
    fields = settle_types(cleaned, changes)
    if policy.redact_kinds or policy.redact_call:
        from groundwire.instrumentation.redaction import redact_fields

        redact_fields(fields, policy, changes)
    if not policy.full:
        fields = restricted(fields, hashed=policy.capture == "hash")
    written: Attributes = {}
    size = add_attributes(written, with_changes(fields, changes), policy, is_clean=True)
    if size > policy.max_span_bytes:
        from groundwire.instrumentation.budget import cut_to_size

        cut_to_size(fields, size, policy, changes)
        written = {}
        add_attributes(written, with_changes(fields, changes), policy, is_clean=True)
    if policy.offload:
        from groundwire.instrumentation.offload import move_content

        move_content(written, policy.offload)
    return attributes | written


def with_changes(fields: Fields, changes: Changes) -> Fields:
    """Return ``fields`` with the list of changes as a field of its own."""
    if not changes:
        return fields
    rows = [{"field": f, "change": c, "count": n} for (f, c), n in sorted(changes.items())]
    return {**fields, "changes": rows}


_TEXT_FIELDS = (
    "question", "answer", "query", "model", "provider", "conversation_id", "subject_id", "prompt_id",
    "prompt_version", "index_version", "tenant", "stream_end", "context_source", "finish_reason",
)  # fmt: skip
_LIST_FIELDS = ("history", "contexts", "citations")
_DICT_FIELDS = ("usage", "tags", "expected", "recorded_cost", "metadata", "digests")
_INT_FIELDS = ("latency_ns", "time_to_first_chunk_ns", "stream_chunks", "consumer_wait_ns")
_KINDS = ((_TEXT_FIELDS, str), (_LIST_FIELDS, list), (_DICT_FIELDS, dict), (_INT_FIELDS, int),
          (("abstained",), bool))  # fmt: skip


_COST = ("amount", "currency", "source")


def _is_label(value: Any) -> bool:
    return type(value) is str and len(value) <= 1024


def settle_types(fields: Fields, changes: Changes) -> Fields:
    """Leave out values whose type can not be right (an application may tell a call anything)."""
    for names, kind in _KINDS:
        for name in names:
            value = fields.get(name)
            if value is not None and (type(value) is not kind or (kind is int and not _fits(value))):
                changes[name, "converted"] += 1
                fields[name] = str(value) if kind is str and type(value) in (int, float) else None
    for name in _LIST_FIELDS:
        if fields.get(name):
            fields[name] = [item for item in fields[name] if isinstance(item, dict)]
    if fields.get("recorded_cost"):
        cost = fields["recorded_cost"]
        fields["recorded_cost"] = {name: cost[name] for name in _COST if _is_label(cost.get(name))}
    if fields.get("usage"):
        fields["usage"] = {name: count for name, count in fields["usage"].items() if _fits(count)}
    return fields


def _fits(value: Any) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def restricted(fields: Fields, *, hashed: bool) -> Fields:
    """Return ``fields`` without the content; with ``hashed``, with its lengths and keyed digests instead.

    Raises on values of a wrong type, and with ``hashed`` on a lone surrogate.
    """
    kept = {name: value for name, value in fields.items() if name not in _CONTENT_FIELDS}
    digests = dict(fields.get("digests") or {})
    for name in ("question", "answer"):
        if hashed and fields.get(name) is not None:
            digests[name] = {**digest_of(fields[name]), **digests.get(name, {})}
    for index, turn in enumerate(fields.get("history") or ()):
        if hashed and issubclass(type(turn.get("content")), str):
            digests[f"history[{index}]"] = digest_of(turn["content"])
    kept["digests"] = digests
    for name, text in (("contexts", "text"), ("documents", "content")):
        if fields.get(name) is not None:
            kept[name] = [_restricted(item, text if hashed else None) for item in fields[name]]
    if fields.get("citations") is not None:
        kept["citations"] = [
            {name: value for name, value in citation.items() if name not in _DROPPED_OF_CITATIONS}
            for citation in fields["citations"]
        ]
    return kept


def digest_of(text: str) -> dict[str, Any]:
    """Return a text's length in code points and its keyed digest."""
    return {"length": len(text), "digest": keyed_digest(text)}


def _restricted(item: dict[str, Any], text: str | None) -> dict[str, Any]:
    kept = {name: item[name] for name in _KEPT_OF_DOCUMENTS if item.get(name) is not None}
    if text is not None and isinstance(item.get(text), str):
        kept.update(digest_of(item[text]))
    return kept
