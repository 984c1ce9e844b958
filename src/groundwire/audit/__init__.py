"""The audit log: evidence that a reviewer can read and a third party can verify.

In go graded answers (:func:`prepare`, in workers) and what a run says of itself (:class:`RunManifest`); out
comes a folder of canonical, chained records under a Merkle root (:class:`AuditWriter`), which
:class:`AuditLog` reads and verifies. Content lies apart, so that it can be erased without breaking the log.

What else is done to a log has a module each: ``append`` (corrections, reviews), ``erase``, ``retire``,
``export``, ``proof``, ``selector``, ``stamp``; ``render`` makes text of a verification.

It deliberately does not know: how traces are read, how grades are made, what rates mean, how anything is
shown. The format is specified in ``FORMAT.md``, what it supports in ``COMPLIANCE.md``, beside this file.
"""

from __future__ import annotations

from groundwire.audit.claims import Claim
from groundwire.audit.log import AuditLog, Run
from groundwire.audit.manifest import (
    GraderInfo,
    InputFile,
    RunManifest,
    describe_graders,
    describe_input,
)  # fmt: skip
from groundwire.audit.note import Checkpoint, PublicKey, Signer
from groundwire.audit.prepare import Prepared, prepare
from groundwire.audit.restore import grade_of, rag_record
from groundwire.audit.schema import Graded, Record
from groundwire.audit.verification import Finding, Verification
from groundwire.audit.writer import AuditWriter, Written

__all__ = [
    "AuditLog",
    "AuditWriter",
    "Checkpoint",
    "Claim",
    "Finding",
    "Graded",
    "GraderInfo",
    "InputFile",
    "Prepared",
    "PublicKey",
    "Record",
    "Run",
    "RunManifest",
    "Signer",
    "Verification",
    "Written",
    "describe_graders",
    "describe_input",
    "grade_of",
    "prepare",
    "rag_record",
]
