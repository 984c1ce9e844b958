"""Audit logs and captured runs of spancheck → plain records, so that they can be scored again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.stats import Tally
from groundwire.envelopes.values import parse_int
from groundwire.span import Origin, PlainRecord


def is_spancheck(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is an audit log (``cases``) or a saved run (``results``)."""
    cases = document.get("cases", document.get("results"))
    return isinstance(cases, list) and any(isinstance(case, Mapping) and "case_id" in case for case in cases)


def read_spancheck(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[PlainRecord]:
    """Yield one record a case; a case whose system failed is a record with ``error``."""
    for case in document.get("cases", document.get("results")):
        if isinstance(case, Mapping):
            text = json.dumps(case, sort_keys=True, default=str).encode()
            tally.stats.plain_records += 1
            yield PlainRecord(_fields(case), tally.identify(text), origin)


def _fields(case: Mapping[str, Any]) -> dict[str, Any]:
    output = case.get("output")
    output = output if isinstance(output, Mapping) else {}
    meta = case.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    answerable = meta.get("answerable")
    fields = {
        "question": _text(case.get("input")),
        "answer": _text(output.get("answer")),
        "contexts": _contexts(output),
        "citations": [_citation(each) for each in _items(output, "citations")] if output else None,
        "usage": _usage(output.get("usage")),
        "recorded_cost": _cost(output.get("usage")),
        "latency_ns": _nanoseconds(output.get("latency_ms")),
        "abstained": output.get("abstained"),
        "error": _text(case.get("error")),
        "expected": {
            "answer": _text(case.get("expected")),
            "answerable": answerable if isinstance(answerable, bool) else None,
        },
        "tags": {"category": str(case["category"])} if case.get("category") else {},
        "metadata": {"case_id": case.get("case_id"), "meta": dict(meta)},
    }
    return {name: value for name, value in fields.items() if value is not None}


def _nanoseconds(milliseconds: Any) -> int | None:
    is_number = isinstance(milliseconds, (int, float)) and not isinstance(milliseconds, bool)
    return round(milliseconds * 1_000_000) if is_number and 0 <= milliseconds < 1e12 else None


def _contexts(output: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the named sources, then those contexts that are none of them."""
    if not output:
        return None
    sources = output.get("sources")
    named = sources if isinstance(sources, Mapping) else {}
    found = [{"id": str(key), "text": str(text)} for key, text in named.items()]
    known = {entry["text"] for entry in found}
    return found + [{"text": str(text)} for text in _items(output, "contexts") if str(text) not in known]


def _citation(citation: Any) -> dict[str, Any]:
    if not isinstance(citation, Mapping):
        return {"quote": str(citation)}
    quote = next((citation[key] for key in ("span", "quote", "text") if citation.get(key)), None)
    given = {"quote": quote, "source_id": citation.get("source_id"), "claim": citation.get("claim")}
    return {key: str(value) for key, value in given.items() if value is not None}


def _usage(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, Mapping):
        return None
    counts = {key: parse_int(usage.get(key)) for key in ("input_tokens", "output_tokens")}
    return {key: count for key, count in counts.items() if count is not None} or None


def _cost(usage: Any) -> dict[str, str] | None:
    amount = usage.get("cost_usd") if isinstance(usage, Mapping) else None
    return None if amount is None else {"amount": str(amount), "currency": "USD", "source": "spancheck"}


def _items(output: Mapping[str, Any], key: str) -> list[Any]:
    value = output.get(key)
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
