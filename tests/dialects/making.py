"""Makes traces by hand: spans in a row, a millisecond each, all in one trace."""

from __future__ import annotations

import json
from typing import Any

from groundwire.dialects import normalize_trace
from groundwire.record import RagRecord
from groundwire.span import LogData, Scope, SpanData, SpanEvent, Trace

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
QUESTION = "How high does the gate lift?"
ANSWER = "It lifts eight metres [1]. It is green [2]."
TEXTS = ("The gate lifts eight metres.", "The gate was painted green.")
CITED = [("1", 22, 25), ("2", 39, 42)]
SYSTEM = f"Answer from the passages.\n[1] {TEXTS[0]}\n[2] {TEXTS[1]}"
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
LANGCHAIN_DOCUMENTS = [
    {"page_content": text, "metadata": {"source": f"{n}.md"}, "id": f"d{n}"}
    for n, text in enumerate(TEXTS, 1)
]
MS = 1_000_000


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class Maker:
    """Builds a trace; a span's start and end are given in milliseconds after the trace's own."""

    def __init__(self, scope: str = "test", **resource: Any) -> None:
        self.scope, self.resource = Scope(scope), {"service.name": "kb", **resource}
        self.spans: list[SpanData] = []
        self.logs: list[LogData] = []

    def span(
        self, name: str, parent: SpanData | None = None, at: tuple[int, int] = (0, 100), **attributes: Any
    ) -> SpanData:
        """Add a span; in attribute names ``__`` stands for a dot."""
        made = SpanData(
            TRACE_ID, f"{len(self.spans) + 1:016x}", name, parent and parent.span_id,
            start_ns=10**18 + at[0] * MS, end_ns=10**18 + at[1] * MS,
            resource=self.resource, scope=self.scope,
            attributes={key.replace("__", "."): value for key, value in attributes.items()},
        )  # fmt: skip
        self.spans.append(made)
        return made

    def put(self, span: SpanData, attributes: dict[str, Any]) -> SpanData:
        span.attributes.update(attributes)
        return span

    def event(self, span: SpanData, name: str, **attributes: Any) -> None:
        named = {key.replace("__", "."): value for key, value in attributes.items()}
        span.events.append(SpanEvent(name, span.start_ns, named))

    def log(self, span: SpanData, name: str, body: Any = None, **attributes: Any) -> None:
        named = {key.replace("__", "."): value for key, value in attributes.items()}
        self.logs.append(LogData(name, TRACE_ID, span.span_id, span.end_ns, body, named))

    def trace(self) -> Trace:
        return Trace(TRACE_ID, self.spans, self.logs)

    def records(self, **options: Any) -> list[RagRecord]:
        return normalize_trace(self.trace(), **options)

    def record(self, **options: Any) -> RagRecord:
        (record,) = self.records(**options)
        return record


def texts_of(record: RagRecord) -> list[str | None]:
    return [context.text for context in record.contexts or ()]


def cited_of(record: RagRecord) -> list[tuple[str | None, int | None, int | None]]:
    return [(c.source_id, c.answer_start, c.answer_end) for c in record.citations or ()]


def assert_whole(record: RagRecord) -> None:
    """The small flow's question, answer, passages and markers are all there."""
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    assert texts_of(record) == list(TEXTS)
    assert cited_of(record) == CITED
