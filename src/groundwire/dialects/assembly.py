"""Readings of a trace → records: one per answered question, each field with where it came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundwire.dialects.citing import read_citations
from groundwire.dialects.damage import is_masked, text_damage
from groundwire.dialects.evidence import Evidence, gather_evidence
from groundwire.dialects.form import Reading, Role
from groundwire.dialects.messages import Turn
from groundwire.dialects.prompted import find_prompted
from groundwire.dialects.sampling import read_sampling
from groundwire.dialects.spanfacts import read_error, read_span_facts
from groundwire.dialects.totals import sum_unit
from groundwire.dialects.tree import SpanTree
from groundwire.dialects.units import Unit
from groundwire.record import RagRecord

_FROM_ANY = (
    "conversation_id", "subject_id", "prompt_id", "prompt_version", "environment", "version", "expected",
    "abstained",
)  # fmt: skip
_REDACTED_KEYS = "redaction.redacted.keys"
_FROM_MODEL = ("model", "provider", "finish_reason")
_RECORD_NAME = {"version": "service_version"}


def assemble_record(unit: Unit, tree: SpanTree) -> RagRecord:
    """Return the record of one unit."""
    return _Assembler(unit, tree).build()


class _Assembler:
    def __init__(self, unit: Unit, tree: SpanTree) -> None:
        self.unit, self.tree = unit, tree
        self.head = unit.head
        self.final = find_final_call(unit, tree)
        self.fields: dict[str, Any] = read_span_facts(self.head.span)
        self.provenance: dict[str, str] = {}
        self.completeness: dict[str, str] = {}

    def build(self) -> RagRecord:
        self._put_question()
        self._put_answer()
        evidence = gather_evidence(self.unit, self.final, self.tree)
        self._put_evidence(evidence)
        self._put_citations(evidence)
        self._put_totals()
        self._put_labels()
        self._put_error()
        self._put_times()
        self._note_gaps()
        return RagRecord(
            sampling=read_sampling(self.head.span, self.tree.local_root(self.head.span)),
            provenance=self.provenance,
            completeness=self.completeness,
            **self.fields,
        )

    def _put(self, name: str, value: Any, reading: Reading, source: str | None = None) -> None:
        self.fields[name] = value
        self.provenance[name] = f"{reading.span.span_id}:{reading.sources.get(source or name, '')}"

    def _readings(self) -> list[Reading]:
        """The head, the final call, then the others: the order in which they are believed."""
        first = [self.head] + ([self.final] if self.final is not None and self.final is not self.head else [])
        known = {id(reading) for reading in first}
        return first + [member for member in self.unit.members if id(member) not in known]

    def _put_text(self, name: str, reading: Reading) -> bool:
        text = getattr(reading, name)
        if text is None:
            if name in reading.damage:
                self.completeness.setdefault(name, reading.damage[name])
            return False
        if is_masked(text):
            self.completeness[name] = "redacted"
            return False
        self._put(name, text, reading)
        damage = reading.damage.get(name) or text_damage(text)
        if damage is None:
            self.completeness.pop(name, None)
        else:
            self.completeness[name] = damage
        return damage != "truncated"

    def _put_question(self) -> None:
        if self._put_text("question", self.head):
            self._put_history(self.head)
            self._unwrap_question(self.head)
            return
        asked = self._embedded_question()
        candidates = [] if asked else [self.final] if self.final is not None else []
        chains = [member for member in self.unit.members if member.role is Role.CHAIN]
        for reading in (*chains, *candidates, *self.unit.of_role(Role.LLM)):
            if reading is not self.head and reading.question and self._put_text("question", reading):
                self._put_history(reading)
                self._unwrap_question(reading)
                return
        if self.fields.get("question") is None:
            self._put_query()

    def _unwrap_question(self, reading: Reading) -> None:
        """A template that puts passages and question into one user message: the question is its last part.

        So it is with a function whose question is the very prompt of its model call.
        """
        question = self.fields["question"]
        prompts = [call.question for call in self.unit.of_role(Role.LLM)]
        if reading.role is not Role.LLM and question not in prompts:
            return
        found = find_prompted([Turn("user", question)])
        if found.contexts and found.question:
            self.fields["question"] = found.question
            self.provenance["question"] += " (in the prompt)"

    def _embedded_question(self) -> bool:
        """Tell whether the final prompt wraps the question: then the retrieval's query is the question."""
        queries = [m.query for m in self.unit.of_role(Role.RETRIEVAL) if m.query]
        given = [turn.content for turn in self.final.turns] if self.final is not None else []
        return any(query != text and query in text for query in queries for text in given)

    def _put_query(self) -> None:
        for reading in self.unit.of_role(Role.RETRIEVAL, Role.RERANK):
            if reading.query:
                self._put("question", reading.query, reading, "query")
                return

    def _put_history(self, reading: Reading) -> None:
        if reading.history:
            self._put("history", reading.history, reading)

    def _put_answer(self) -> None:
        if self._put_text("answer", self.head) and self.head.answer:
            return
        if self.final is not None and self.final is not self.head and self.final.answer is not None:
            kept = self.fields.get("answer")
            if not kept or self.final.answer.startswith(kept[:64]):
                self._put_text("answer", self.final)
            return
        if self.head.answer is None and self.final is None:
            chains = [member for member in self.unit.of_role(Role.CHAIN) if member.answer]
            if chains:
                self._put_text("answer", chains[-1])

    def _put_evidence(self, evidence: Evidence) -> None:
        self.fields["contexts"] = evidence.contexts
        self.provenance.update(evidence.sources)
        self.completeness.update(evidence.missing)

    def _put_citations(self, evidence: Evidence) -> None:
        answer = self.fields.get("answer")
        holders = [r for r in (self.final, self.head) if r is not None and r.output is not None]
        stated = next((r for r in self._readings() if r.citations is not None), None)
        if stated is not None:
            self._put("citations", stated.citations, stated)
            return
        passages = find_prompted(self.final.turns).contexts if self.final is not None else ()
        best = None
        for reading in holders or [self.head]:
            cited = read_citations(answer, evidence.contexts, reading.output, passages)
            if best is None or cited.from_provider:
                best = (cited, reading)
            if cited.from_provider:
                break
        if best is None or best[0].citations is None:
            return
        cited, reading = best
        self.fields["citations"] = cited.citations
        origin = self.provenance.get("answer", "")
        self.provenance["citations"] = (
            f"{reading.span.span_id}:{reading.sources.get('output', '')}" if cited.from_provider else origin
        )

    def _put_totals(self) -> None:
        totals = sum_unit(self.unit, self.tree)
        if totals.usage is not None:
            self.fields["usage"], self.provenance["usage"] = totals.usage, totals.usage_source
        if totals.cost is not None:
            self.fields["recorded_cost"], self.provenance["recorded_cost"] = totals.cost, totals.cost_source

    def _put_labels(self) -> None:
        model_first = [self.final, self.head] if self.final is not None else [self.head]
        readings = self._readings()
        for name in _FROM_MODEL:
            self._put_first(name, (*model_first, *self.unit.of_role(Role.LLM)))
        for name in _FROM_ANY:
            self._put_first(name, readings)
        for name in ("tags", "metadata"):
            merged = {k: v for reading in reversed(readings[:2]) for k, v in getattr(reading, name).items()}
            if merged:
                self.fields[name] = merged
        feedback = tuple(item for reading in readings for item in reading.feedback)
        if feedback:
            self.fields["feedback"] = feedback

    def _put_first(self, name: str, readings: Iterable[Reading]) -> None:
        for reading in readings:
            value = getattr(reading, name)
            if value is not None:
                self._put(_RECORD_NAME.get(name, name), value, reading, name)
                return

    def _put_error(self) -> None:
        error = self.head.error or read_error(self.head.span)
        if error is None and self.fields.get("answer") is None and self.final is not None:
            error = self.final.error or read_error(self.final.span)
        if error is not None:
            self.fields["error"] = error

    def _put_times(self) -> None:
        final, start = self.final, self.head.span.start_ns
        if self.head.role is Role.LLM:
            starts = [m.span.start_ns for m in self.unit.of_role(Role.LLM) if m.span.start_ns]
            start = min(starts, default=start)
            end = self.head.span.end_ns
            if start and end and end >= start:
                self.fields["started_at_ns"], self.fields["latency_ns"] = start, end - start
        chunk = final.time_to_first_chunk_ns if final is not None else self.head.time_to_first_chunk_ns
        begun = final.span.start_ns if final is not None else start
        if chunk is not None and begun and start and begun >= start:
            self.fields["time_to_first_chunk_ns"] = begun - start + chunk

    def _note_gaps(self) -> None:
        failed = self.fields.get("error") is not None
        for name in ("question", "answer"):
            if self.fields.get(name) is None and not (failed and name == "answer"):
                self.completeness.setdefault(name, "not_captured")
        if self.fields.get("usage") is None:
            self.completeness.setdefault("usage", "not_captured")
        if self.fields.get("answer") is None and self.fields.get("citations") is None and not failed:
            self.completeness.setdefault("citations", "not_captured")
        self._note_dropped()
        self._note_lost_parent()
        self._note_redaction()

    def _note_dropped(self) -> None:
        dropped = [member for member in self.unit.members if member.span.dropped_attributes > 0]
        missing = [name for name, reason in self.completeness.items() if reason == "not_captured"]
        if dropped:
            for name in missing:
                self.completeness[name] = "dropped"
            if any(member.role in (Role.RETRIEVAL, Role.RERANK) for member in dropped):
                self.completeness.setdefault("contexts", "dropped")

    def _note_redaction(self) -> None:
        """A Collector's redaction processor names the keys that it took away."""
        if any(_REDACTED_KEYS in member.span.attributes for member in self.unit.members):
            for name in ("question", "answer", "contexts"):
                if self.completeness.get(name) == "not_captured":
                    self.completeness[name] = "redacted"

    def _note_lost_parent(self) -> None:
        """What a span above would have said is lost when that span is not in the trace."""
        root = self.tree.local_root(self.head.span)
        if root.span_id not in self.tree.orphans:
            return
        sampled = self.fields.get("answer") is not None and "ot=th" in root.trace_state
        reason = "sampled_away" if sampled else "not_exported"
        self.completeness.setdefault("trace", reason)
        for name in ("question", "answer", "contexts"):
            if self.completeness.get(name) == "not_captured":
                self.completeness[name] = reason


def find_final_call(unit: Unit, tree: SpanTree) -> Reading | None:
    """Return the model call that wrote the unit's answer.

    The last one whose text is (part of) the head's answer, else the last one with text, else the last.
    Calls inside a retrieval, a reranker or a tool do not count.
    """
    if unit.head.role is Role.LLM:
        return unit.head
    inner = (Role.RETRIEVAL, Role.RERANK, Role.TOOL)
    inside = {m.span.span_id for m in unit.of_role(*inner) if m is not unit.head}
    calls = [
        call
        for call in unit.of_role(Role.LLM)
        if not any(ancestor.span_id in inside for ancestor in tree.ancestors(call.span))
    ]
    speaking = [call for call in calls if call.answer and call.answer.strip()]
    answer = (unit.head.answer or "").strip()
    matching = [call for call in speaking if answer and (call.answer or "").strip() == answer]
    if not matching and answer:
        matching = [call for call in speaking if (call.answer or "").strip() in answer]
    for group in (matching, speaking, calls):
        if group:
            return group[-1]
    return None
