"""Sends evaluations in batches, remembers what arrived, and counts everything."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from groundwire.audit.append import TOOL, Writing, append_statement, appending
from groundwire.publish.evaluations import Evaluation
from groundwire.publish.ledger import Ledger
from groundwire.publish.otlp import DEFAULT_RESOURCE, Attributes, encode_logs, encode_spans, parse_rejected
from groundwire.publish.phoenix import ANNOTATIONS_PATH, encode_annotations, parse_absent
from groundwire.publish.transport import Refused, Sender

Mode = Literal["logs", "spans", "phoenix"]
_PROTOBUF = "application/x-protobuf"
_TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID = re.compile(r"(?!0{16})[0-9a-f]{16}")


def record_copy(audit: Path, destination: str, records: int) -> None:
    """Note in the log that a copy with content is about to leave for ``destination``.

    Do this before sending: `erase` names such copies, and one too many is better than one too few. Raises
    AuditError where the log can not be written.
    """
    statement = {
        "type": "exported",
        "kind": "published",
        "with_content": True,
        "records": records,
        "actor": {"kind": "tool", "id": TOOL},
    }
    writing = Writing()
    with appending(audit, writing) as (_, journal):
        append_statement(journal, writing, statement, content={"place": destination})


@dataclass
class Published:
    """What came of it, in evaluations: ``sent`` now, ``already`` there from an earlier run, ``untraced`` (no
    span behind the record to put them on), ``absent`` (the backend has no such span, yet or any more; tried
    again by the next run), ``rejected`` by the backend, with its ``reasons``.
    """

    sent: int = 0
    already: int = 0
    untraced: int = 0
    absent: int = 0
    rejected: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as a JSON-ready mapping."""
        return {
            "sent": self.sent,
            "already": self.already,
            "untraced": self.untraced,
            "absent": self.absent,
            "rejected": self.rejected,
            "reasons": dict(self.reasons),
        }


def publish(
    evaluations: Iterable[Evaluation],
    sender: Sender,
    ledger: Ledger,
    *,
    mode: Mode = "logs",
    resource: Attributes = DEFAULT_RESOURCE,
    batch_size: int = 200,
    on_progress: Callable[[Published], None] = lambda so_far: None,
) -> Published:
    """Send what ``ledger`` does not hold yet, batch by batch, and return the counts.

    Each batch is in the ledger before the next is sent, so a run that broke off goes on where it was. Sending
    one twice does no harm in ``spans`` (equal span ids) and ``phoenix`` (updated in place); of ``logs`` one
    batch comes twice where a run dies between the answer and the ledger. A batch that is too large for the
    other side is halved. Raises :class:`Refused` when a batch is not taken.
    """
    run = _Run(sender, ledger, mode, resource)
    for batch in _batches(_unsent(evaluations, ledger, run.counts), batch_size):
        run.send(batch)
        on_progress(run.counts)
    return run.counts


class _Answer(NamedTuple):
    rejected: int = 0
    reason: str = ""
    absent: frozenset[str | None] = frozenset()


@dataclass
class _Run:
    sender: Sender
    ledger: Ledger
    mode: Mode
    resource: Attributes
    counts: Published = field(default_factory=Published)

    def send(self, batch: list[Evaluation]) -> None:
        """Send a batch, in halves where it is too large, and remember it."""
        try:
            answer = _SENDERS[self.mode](batch, self.sender, self.resource)
        except Refused as refused:
            if refused.status != 413 or len(batch) == 1:
                raise
            half = len(batch) // 2
            self.send(batch[:half])
            self.send(batch[half:])
        else:
            self.ledger.add(one.key for one in batch if one.span_id not in answer.absent)
            self._count(batch, answer)

    def _count(self, batch: list[Evaluation], answer: _Answer) -> None:
        absent = sum(one.span_id in answer.absent for one in batch)
        self.counts.sent += len(batch) - absent - answer.rejected
        self.counts.absent += absent
        self.counts.rejected += answer.rejected
        if answer.rejected:
            reasons = self.counts.reasons
            reasons[answer.reason] = reasons.get(answer.reason, 0) + answer.rejected


def _unsent(evaluations: Iterable[Evaluation], ledger: Ledger, counts: Published) -> Iterator[Evaluation]:
    seen: set[str] = set()
    for one in evaluations:
        if not _TRACE_ID.fullmatch(one.trace_id) or not _SPAN_ID.fullmatch(one.span_id or ""):
            counts.untraced += 1
        elif one.key in ledger or one.key in seen:
            counts.already += 1
        else:
            seen.add(one.key)
            yield one


def _send_logs(batch: list[Evaluation], sender: Sender, resource: Attributes) -> _Answer:
    answer = sender.post("/v1/logs", encode_logs(batch, resource), _PROTOBUF)
    return _Answer(*parse_rejected(answer, as_spans=False))


def _send_spans(batch: list[Evaluation], sender: Sender, resource: Attributes) -> _Answer:
    answer = sender.post("/v1/traces", encode_spans(batch, resource), _PROTOBUF)
    return _Answer(*parse_rejected(answer, as_spans=True))


def _send_annotations(batch: list[Evaluation], sender: Sender, resource: Attributes) -> _Answer:
    try:
        sender.post(ANNOTATIONS_PATH, encode_annotations(batch), "application/json", compress=False)
    except Refused as refused:
        absent = parse_absent(refused.body) & {one.span_id for one in batch}
        if refused.status != 404 or not absent:
            raise
        there = [one for one in batch if one.span_id not in absent]
        known = _send_annotations(there, sender, resource) if there else _Answer()
        return known._replace(absent=known.absent | absent)
    return _Answer()


_SENDERS: Mapping[str, Callable[[list[Evaluation], Sender, Attributes], _Answer]] = {
    "logs": _send_logs,
    "spans": _send_spans,
    "phoenix": _send_annotations,
}


def _batches(evaluations: Iterator[Evaluation], size: int) -> Iterator[list[Evaluation]]:
    while batch := list(itertools.islice(evaluations, size)):
        yield batch
