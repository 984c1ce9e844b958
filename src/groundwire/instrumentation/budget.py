"""Cuts a span's content to its size budget, inside the structure: nothing is left half-written.

Long passages give first, all down to one common length; then history and quotes, then answer and question;
metadata before any text. Every cut text keeps its full length and digest.
"""

from __future__ import annotations

from typing import Any

import orjson

from groundwire.instrumentation.emission import LABELS
from groundwire.instrumentation.policy import Policy, plain_digest
from groundwire.instrumentation.values import Changes

Fields = dict[str, Any]
_SHORTEST = 64
_LONGEST_LABEL = 1024


def cut_to_size(fields: Fields, size: int, policy: Policy, changes: Changes) -> None:
    """Shorten ``fields``, whose encoded content takes ``size`` bytes, in place until the budget holds."""
    budget = policy.max_span_bytes - 2048
    size = _cut_labels(fields, size, budget, changes)
    size = _drop_metadata(fields, size, budget, changes)
    for cut in (_cut_contexts, _cut_turns, _cut_answer_and_question):
        if size > budget:
            size -= cut(fields, size - budget, policy, changes)
    if size > budget:
        _drop_items(fields, size - budget, changes)


def _size_of(value: Any) -> int:
    return len(orjson.dumps(value))


def _cut_labels(fields: Fields, size: int, budget: int, changes: Changes) -> int:
    """Cut what is no label any more (an id, a query) to a length that any may have."""
    for name in LABELS:
        text = fields.get(name)
        if size > budget and text and len(text) > _LONGEST_LABEL:
            fields[name] = text[:_LONGEST_LABEL]
            size -= len(text) - _LONGEST_LABEL
            changes[name, "truncated"] += 1
    return size


def _drop_metadata(fields: Fields, size: int, budget: int, changes: Changes) -> int:
    """Drop metadata that takes more than a quarter of the budget."""
    for context in fields.get("contexts") or ():
        metadata = context.get("metadata")
        if metadata and size > budget and (freed := _size_of(metadata)) > 1024:
            del context["metadata"]
            size -= freed
            changes["contexts.metadata", "dropped"] += 1
    for name in ("metadata", "expected", "tags"):
        if size > budget and fields.get(name) and (freed := _size_of(fields[name])) > 1024:
            del fields[name]
            size -= freed
            changes[name, "dropped"] += 1
    return size


def _cut_contexts(fields: Fields, excess: int, policy: Policy, changes: Changes) -> int:
    contexts = fields.get("contexts") or []
    sizes = [_size_of(context["text"]) if context.get("text") else 0 for context in contexts]
    limit = common_limit(sizes, sum(sizes) - excess)
    freed = 0
    for context, size in zip(contexts, sizes, strict=True):
        if size > max(limit, _SHORTEST):
            freed += size - _cut_context(context, max(limit, _SHORTEST))
            changes["contexts", "truncated"] += 1
    return freed


def common_limit(sizes: list[int], room: int) -> int:
    """Return the largest limit such that the sizes, each cut to it, fit into ``room``.

    >>> common_limit([10, 100, 100], 70)
    30
    """
    remaining = max(room, 0)
    for index, size in enumerate(sorted(sizes)):
        share = remaining // (len(sizes) - index)
        if size > share:
            return share
        remaining -= size
    return max(sizes, default=0)


def _cut_context(context: dict[str, Any], limit: int) -> int:
    text = context["text"]
    context.setdefault("length", len(text))
    context.setdefault("digest", plain_digest(text))
    context["truncated"] = True
    context["text"] = cut_text(text, limit)
    return _size_of(context["text"])


def cut_text(text: str, limit: int) -> str:
    """Return the longest start of ``text`` whose JSON takes at most ``limit`` bytes (quotes included)."""
    low, high = 0, min(len(text), max(limit, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if _size_of(text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _cut_turns(fields: Fields, excess: int, policy: Policy, changes: Changes) -> int:
    freed = 0
    for index, turn in enumerate(fields.get("history") or ()):
        if freed < excess:
            freed += _cut_named(fields, turn, "content", f"history[{index}]", excess - freed, 1)
            changes["history", "truncated"] += 1
    for citation in fields.get("citations") or ():
        for name in ("quote", "claim"):
            text = citation.get(name)
            if freed < excess and text and len(text) > 1024:
                citation[name] = text[:1024]
                freed += _size_of(text) - _size_of(citation[name])
                changes["citations", "truncated"] += 1
    return freed


def _cut_answer_and_question(fields: Fields, excess: int, policy: Policy, changes: Changes) -> int:
    copies = 2 if policy.openinference and not policy.offload else 1
    freed = 0
    for name in sorted(("question", "answer"), key=lambda name: -len(fields.get(name) or "")):
        if freed < excess and fields.get(name):
            freed += _cut_named(fields, fields, name, name, excess - freed, copies)
            changes[name, "truncated"] += 1
    return freed


def _cut_named(fields: Fields, holder: dict[str, Any], name: str, key: str, excess: int, copies: int) -> int:
    text = holder[name]
    before = _size_of(text)
    limit = max(before - excess // copies - 1, _SHORTEST)
    if limit >= before:
        return 0
    entry = {"length": len(text), "digest": plain_digest(text), "truncated": True}
    digests = fields.setdefault("digests", {})
    digests[key] = {**entry, **digests.get(key, {})}
    holder[name] = cut_text(text, limit)
    return (before - _size_of(holder[name])) * copies


def _drop_items(fields: Fields, excess: int, changes: Changes) -> None:
    """Drop the last documents, citations and turns until the rest fits."""
    for name in ("contexts", "citations", "history"):
        items = fields.get(name) or []
        while items and excess > 0:
            excess -= _size_of(items.pop()) + 1
            changes[name, "dropped"] += 1
