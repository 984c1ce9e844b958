"""Short proofs about a log, and its head as one line for a place that the writer can not change."""

from __future__ import annotations

from typing import Any

import orjson

from groundwire.audit.digests import leaf_hash
from groundwire.audit.folder import CHECKPOINT, Folder, read_limited, read_lines
from groundwire.audit.log import AuditLog
from groundwire.audit.merkle import inclusion_proof, root_from_inclusion, root_of
from groundwire.audit.note import MAX_NOTE_BYTES, Note, parse_note
from groundwire.errors import AuditError, ChainError

PROOF_SCHEMA = "groundwire.audit.proof/v1"


def prove(log: AuditLog, seq: int) -> dict[str, Any]:
    """Return a proof that record ``seq`` stands in the log of the newest checkpoint.

    Members: ``line`` (the record's line), ``proof`` (sibling hashes, leaf to root, hex), ``seq``, ``size``
    and ``checkpoint`` (the note). The holder needs nothing else: FORMAT.md shows how to check it.
    """
    note = newest_note(log)
    lines: list[str] = []
    leaves: list[bytes] = []
    for path in Folder(log.path).segments():
        for line in read_lines(path):
            if len(leaves) == seq:
                lines.append(line[:-1].decode())
            leaves.append(leaf_hash(line[:-1]))
    head = note.checkpoint
    if not 0 <= seq < head.size:
        raise AuditError("no such record", where=f"seq {seq}", expected=f"0 to {head.size - 1}")
    leaves = leaves[: head.size]
    if root_of(leaves) != head.root:
        raise ChainError("the checkpoint does not fit the records", mend="Run: groundwire audit verify")
    proof = [node.hex() for node in inclusion_proof(leaves, seq)]
    return {
        "schema": PROOF_SCHEMA, "seq": seq, "size": head.size, "line": lines[0], "proof": proof,
        "checkpoint": note.render(),
    }  # fmt: skip


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
    ``verify(checkpoint=…)`` takes the line as well as the file.
    """
    return newest_note(log).checkpoint.text().replace("\n", " ").strip()
