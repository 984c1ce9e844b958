"""Short proofs about a log, and its head as one line for a place that the writer can not change."""

from __future__ import annotations

from typing import Any, Self

import orjson

from groundwire.audit.digests import leaf_hash
from groundwire.audit.folder import CHECKPOINT, Folder, read_limited, read_lines
from groundwire.audit.log import AuditLog
from groundwire.audit.merkle import consistency_proof, inclusion_proof, is_consistent, root_from_inclusion
from groundwire.audit.note import MAX_NOTE_BYTES, Checkpoint, Note, parse_note
from groundwire.audit.start import Start, find_start
from groundwire.errors import AuditError, ChainError

PROOF_SCHEMA = "groundwire.audit.proof/v1"
GROWTH_SCHEMA = "groundwire.audit.growth/v1"


class Leaves:
    """The leaf hashes of a log up to a checkpoint, and the lines they stand for."""

    def __init__(self, start: Start, lines: list[bytes]) -> None:
        self._start, self._lines = start, lines
        self._hashes = [leaf_hash(line) for line in lines]

    @classmethod
    def of(cls, log: AuditLog) -> Self:
        """Read the log up to its newest checkpoint."""
        folder = Folder(log.path)
        start = find_start(folder)
        if start is None:
            raise ChainError("the first records are gone", where=str(log.path), mend=_VERIFY)
        lines = [line[:-1] for path in folder.segments() for line in read_lines(path)]
        return cls(start, lines[: newest_note(log).checkpoint.size - start.size])

    @property
    def start(self) -> int:
        """Number of the first record that is there."""
        return self._start.size

    @property
    def lines(self) -> list[bytes]:
        """The lines, without line feeds."""
        return self._lines

    def line(self, seq: int) -> str:
        """Return the line of a record."""
        return self._lines[seq - self.start].decode()

    def prove(self, seq: int) -> list[bytes]:
        """Return the proof of inclusion of a record."""
        return inclusion_proof(self._hashes, seq, before=self.start, peaks=self._start.peaks)

    def prove_growth(self, size: int) -> list[bytes]:
        """Return the proof of consistency with the first ``size`` records."""
        return consistency_proof(self._hashes, size)

    def require(self, note: Note) -> None:
        """Raise ChainError unless the lines have the root of the checkpoint."""
        tree = self._start.tree()
        for leaf in self._hashes:
            tree.append(leaf)
        if tree.root() != note.checkpoint.root:
            raise ChainError("the checkpoint does not fit the records", mend=_VERIFY)


_VERIFY = "Run: groundwire audit verify"


def prove(log: AuditLog, seq: int) -> dict[str, Any]:
    """Return a proof that record ``seq`` stands in the log of the newest checkpoint.

    Members: ``line`` (the record's line), ``proof`` (sibling hashes, leaf to root, hex), ``seq``, ``size``
    and ``checkpoint`` (the note). The holder needs nothing else: FORMAT.md shows how to check it.
    """
    note = newest_note(log)
    leaves = Leaves.of(log)
    head, start = note.checkpoint, leaves.start
    if not start <= seq < head.size:
        raise AuditError("no such record", where=f"seq {seq}", expected=f"{start} to {head.size - 1}")
    leaves.require(note)
    proof = [node.hex() for node in leaves.prove(seq)]
    return {
        "schema": PROOF_SCHEMA, "seq": seq, "size": head.size, "line": leaves.line(seq), "proof": proof,
        "checkpoint": note.render(),
    }  # fmt: skip


def prove_growth(log: AuditLog, size: int) -> dict[str, Any]:
    """Return a proof that the first ``size`` records are still the beginning of the log.

    For somebody who kept a checkpoint of that size and sees only a newer one: ``proof`` (hex), ``old_size``,
    ``size`` and ``checkpoint``. Raises AuditError where the first records were retired.
    """
    note, leaves = newest_note(log), Leaves.of(log)
    leaves.require(note)
    if leaves.start or not 0 < size <= note.checkpoint.size:
        raise AuditError(
            "no proof can be made",
            where=f"size {size}",
            expected=f"1 to {note.checkpoint.size}, nothing retired",
        )
    return {
        "schema": GROWTH_SCHEMA, "old_size": size, "size": note.checkpoint.size,
        "proof": [node.hex() for node in leaves.prove_growth(size)], "checkpoint": note.render(),
    }  # fmt: skip


def verify_growth(proof: dict[str, Any], kept: Checkpoint) -> None:
    """Check what :func:`prove_growth` returned against a kept checkpoint; raises ChainError."""
    try:
        head = parse_note(proof["checkpoint"]).checkpoint
        nodes = [bytes.fromhex(node) for node in proof["proof"]]
    except (KeyError, TypeError, ValueError) as cause:
        raise ChainError("is not a proof", got=type(cause).__name__) from cause
    is_same_log = head.origin == kept.origin
    if not is_same_log or not is_consistent(kept.size, kept.root, head.size, head.root, nodes):
        raise ChainError("the log of the new checkpoint does not begin as that of the kept one")


def verify_proof(proof: dict[str, Any]) -> None:
    """Check what :func:`prove` returned; raises ChainError where it does not lead to its checkpoint."""
    try:
        head = parse_note(proof["checkpoint"]).checkpoint
        nodes = [bytes.fromhex(node) for node in proof["proof"]]
        leaf = leaf_hash(proof["line"].encode())
        fits = root_from_inclusion(leaf, proof["seq"], head.size, nodes) == head.root
        fits = fits and orjson.loads(proof["line"])["seq"] == proof["seq"]
    except (KeyError, TypeError, ValueError) as cause:
        raise ChainError("is not a proof", got=type(cause).__name__) from cause
    if not fits:
        raise ChainError("the proof does not lead to the checkpoint", where=f"record {proof['seq']}")


def newest_note(log: AuditLog) -> Note:
    """Return the newest checkpoint; raises AuditError where the log has none yet."""
    data = read_limited(log.path / CHECKPOINT, MAX_NOTE_BYTES)
    if data is None:
        raise AuditError("has no checkpoint yet", where=str(log.path), mend="Finish a run first.")
    return parse_note(data.decode("utf-8", "replace"))


def anchor_line(log: AuditLog) -> str:
    """Return the newest checkpoint as one line: ``<origin> <size> <root, base64>``.

    Put it where the log's writer can not change it (a ticket, a commit message, a mail, a job summary);
    ``verify(checkpoint=…)`` takes the line as well as the file. Raises ChainError where the log does not
    verify: what is vouched for elsewhere must be intact here.
    """
    log.verify(strict=True)
    return newest_note(log).checkpoint.text().replace("\n", " ").strip()
