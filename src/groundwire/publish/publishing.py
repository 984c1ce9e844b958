"""Sends evaluations in batches, remembers what arrived, and counts everything."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from groundwire.publish.evaluations import Evaluation
from groundwire.publish.ledger import Ledger
from groundwire.publish.otlp import Attributes, encode_logs, encode_spans, parse_rejected
from groundwire.publish.phoenix import ANNOTATIONS_PATH, encode_annotations
from groundwire.publish.transport import Refused, Sender

Mode = Literal["logs", "spans", "phoenix"]
DEFAULT_RESOURCE: Attributes = {"service.name": "groundwire"}
_PROTOBUF = "application/x-protobuf"
_TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID = re.compile(r"(?!0{16})[0-9a-f]{16}")


@dataclass
class Published:
    """What came of it, in evaluations: ``sent`` now, ``already`` there from an earlier run, ``untraced`` (no
    trace behind the record to put them on), ``rejected`` by the backend, with its ``reasons``.
    """

    sent: int = 0
    already: int = 0
    untraced: int = 0
    rejected: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as a JSON-ready mapping."""
        return {
            "sent": self.sent,
            "already": self.already,
            "untraced": self.untraced,
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
    one twice does no harm in ``spans`` (equal span ids) and ``phoenix`` (updated in place). A batch that is
    too large for the other side is halved. Raises :class:`Refused` when a batch is not taken.
    """
    run = _Run(sender, ledger, mode, resource)
    for batch in _batches(_unsent(evaluations, ledger, mode, run.counts), batch_size):
        run.send(batch)
        on_progress(run.counts)
    return run.counts


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
            rejected, reason = _SENDERS[self.mode](batch, self.sender, self.resource)
        except Refused as refused:
            if refused.status != 413 or len(batch) == 1:
                raise
            half = len(batch) // 2
            self.send(batch[:half])
            self.send(batch[half:])
        else:
            self.ledger.add(one.key for one in batch)
            self._count(len(batch), rejected, reason)

    def _count(self, size: int, rejected: int, reason: str) -> None:
        self.counts.sent += size - rejected
        self.counts.rejected += rejected
        if rejected:
            self.counts.reasons[reason] = self.counts.reasons.get(reason, 0) + rejected


def _unsent(
    evaluations: Iterable[Evaluation], ledger: Ledger, mode: Mode, counts: Published
) -> Iterator[Evaluation]:
    seen: set[str] = set()
    for one in evaluations:
        if not _TRACE_ID.fullmatch(one.trace_id) or not _has_place(one.span_id, mode):
            counts.untraced += 1
        elif one.key in ledger or one.key in seen:
            counts.already += 1
        else:
            seen.add(one.key)
            yield one


def _has_place(span_id: str | None, mode: Mode) -> bool:
    if span_id is None:
        return mode != "phoenix"
    return _SPAN_ID.fullmatch(span_id) is not None


def _send_logs(batch: list[Evaluation], sender: Sender, resource: Attributes) -> tuple[int, str]:
    answer = sender.post("/v1/logs", encode_logs(batch, resource), _PROTOBUF)
    return parse_rejected(answer, as_spans=False)


def _send_spans(batch: list[Evaluation], sender: Sender, resource: Attributes) -> tuple[int, str]:
    answer = sender.post("/v1/traces", encode_spans(batch, resource), _PROTOBUF)
    return parse_rejected(answer, as_spans=True)


def _send_annotations(batch: list[Evaluation], sender: Sender, resource: Attributes) -> tuple[int, str]:
    sender.post(ANNOTATIONS_PATH, encode_annotations(batch), "application/json")
    return 0, ""


_SENDERS: Mapping[str, Callable[[list[Evaluation], Sender, Attributes], tuple[int, str]]] = {
    "logs": _send_logs,
    "spans": _send_spans,
    "phoenix": _send_annotations,
}


def _batches(evaluations: Iterator[Evaluation], size: int) -> Iterator[list[Evaluation]]:
    while batch := list(itertools.islice(evaluations, size)):
        yield batch
