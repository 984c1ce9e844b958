"""The records of the log as typed values, one class a record type, and their published JSON Schema.

Readers ignore members that they do not know (and hash them all the same); a removed, renamed or retyped
member makes a new major version. Reals are decimal strings, so that no hash depends on float formatting.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field

from groundwire.grade import Basis, Outcome

RECORD_SCHEMA: Final = "groundwire.audit.record/v1"
CONTENT_SCHEMA: Final = "groundwire.audit.content/v1"
MANIFEST_SCHEMA: Final = "groundwire.audit.manifest/v1"


Hex64 = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
Decimal = Annotated[str, Meta(extra_json_schema={"pattern": "^-?[0-9]+([.][0-9]+)?$"})]
"""Patterns are published, not enforced here: hashes are recomputed, ids and scores checked when used."""
Count = Annotated[int, Meta(ge=0)]


class Commitment(Struct, frozen=True, omit_defaults=True):
    """What stands in a record for a text or a name that lies in ``content/``.

    ``alg`` is ``sha256-salted/v1`` (``commit`` binds the value), ``sha256`` (a plain file digest) or
    ``withheld/v1`` (nothing was kept: nothing to check later). ``length`` counts code points of a text,
    or items of a list.
    """

    alg: str
    commit: str | None = None
    length: int | None = None


class Inputs(Struct, frozen=True, omit_defaults=True):
    """The commitments of one answer's content. None: not captured, or not there."""

    question: Commitment | None = None
    answer: Commitment | None = None
    contexts: tuple[Commitment, ...] | None = None
    citations: Commitment | None = None
    history: Commitment | None = None
    details: Commitment | None = None
    explanations: Commitment | None = None


class Subject(Struct, frozen=True, omit_defaults=True):
    """Which answer: ids, when (RFC 3339, UTC, nanoseconds), how it went. Holds no name of a person."""

    trace_id: str
    span_id: str | None = None
    started_at: str | None = None
    latency_ns: int | None = None
    time_to_first_chunk_ns: int | None = None
    status: str | None = None
    error_type: str | None = None
    finish_reason: str | None = None
    stream_end: str | None = None
    abstained: bool | None = None


class System(Struct, frozen=True, omit_defaults=True):
    """What was under test. A value that does not look like a technical name lies in ``content/`` only."""

    service: str | None = None
    service_version: str | None = None
    environment: str | None = None
    model: str | None = None
    provider: str | None = None
    prompt_id: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None


class SamplingFact(Struct, frozen=True, omit_defaults=True):
    """How the answer came into the sample; ``probability`` is a decimal string."""

    source: str
    threshold: str | None = None
    probability: Decimal | None = None
    policy: str | None = None
    process: str | None = None
    sequence: int | None = None


class EvidenceRow(Struct, frozen=True, omit_defaults=True):
    """One pointer: indices and code point offsets, end exclusive; never text."""

    label: str | None = None
    answer_start: int | None = None
    answer_end: int | None = None
    context_index: int | None = None
    context_start: int | None = None
    context_end: int | None = None
    citation_index: int | None = None
    score: Decimal | None = None


class Result(Struct, frozen=True, omit_defaults=True):
    """One grade. ``score`` is a decimal string; the explanation lies in ``content/``."""

    name: str
    outcome: Outcome
    basis: Basis
    method: str
    grader_version: str
    config_digest: str = ""
    label: str | None = None
    score: Decimal | None = None
    evidence: tuple[EvidenceRow, ...] = ()


class Actor(Struct, frozen=True, omit_defaults=True):
    """Who did it, as typed: ``kind`` is ``tool`` or ``person``. The log proves nothing about it."""

    kind: str
    id: str


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """What every record has. ``seq`` counts from 0; ``prev`` is the recomputed hash of the record before."""

    schema: str
    seq: Count
    recorded_at: str
    prev: Hex64
    hash: Hex64
    run_id: str | None = None


class RunStarted(Entry, frozen=True, omit_defaults=True, tag="run_started", kw_only=True):
    """A run began; ``manifest`` is the digest of ``manifests/<run_id>.json``."""

    manifest: Commitment


class Graded(Entry, frozen=True, omit_defaults=True, tag="graded", kw_only=True):
    """One answer and all its grades. ``supersedes`` names an earlier record of the same answer.

    ``cluster`` numbers the conversations (else users) of one run; equal numbers of one run belong
    together. ``usage`` counts tokens; ``cost`` is what the traced system recorded itself.
    """

    record_id: Hex64
    subject: Subject
    system: System
    sampling: SamplingFact
    inputs: Inputs
    results: tuple[Result, ...]
    usage: dict[str, int] = field(default_factory=dict)
    cost: dict[str, str] = field(default_factory=dict)
    completeness: dict[str, str] = field(default_factory=dict)
    cluster: int | None = None
    supersedes: Hex64 | None = None


class RunFinished(Entry, frozen=True, omit_defaults=True, tag="run_finished", kw_only=True):
    """A run ended. ``completed`` is False where a later run closed it. ``counts`` are the run's own."""

    completed: bool
    counts: dict[str, int] = field(default_factory=dict)


class Target(Struct, frozen=True, omit_defaults=True):
    """A record and the content fields of it that are meant."""

    record_id: Hex64
    fields: tuple[str, ...]


class Erased(Entry, frozen=True, omit_defaults=True, tag="erased", kw_only=True):
    """Content was removed on purpose. ``reason`` is a code, never a sentence."""

    record_id: Hex64
    targets: tuple[Target, ...]
    reason: str
    actor: Actor


class Correction(Entry, frozen=True, omit_defaults=True, tag="correction", kw_only=True):
    """A note that something in the log is wrong or was mended; ``about`` names a record, if one."""

    record_id: Hex64
    reason: str
    actor: Actor
    about: Hex64 | None = None
    torn_sha256: str | None = None
    comment: Commitment | None = None


class HumanReview(Entry, frozen=True, omit_defaults=True, tag="human_review", kw_only=True):
    """A person's verdict about a grade of a record."""

    record_id: Hex64
    about: Hex64
    grade: str
    outcome: Outcome
    actor: Actor
    label: str | None = None
    comment: Commitment | None = None


class Exported(Entry, frozen=True, omit_defaults=True, tag="exported", kw_only=True):
    """A copy left the folder. ``with_content`` says whether it holds content; ``erase`` names such copies."""

    record_id: Hex64
    kind: str
    with_content: bool
    records: int
    actor: Actor
    sha256: str | None = None
    place: Commitment | None = None


class Retired(Entry, frozen=True, omit_defaults=True, tag="retired", kw_only=True):
    """Whole segments were removed: records ``first_seq`` to ``size - 1``.

    ``last_hash`` is the hash of the last one, ``peaks`` the subtree roots of the tree over the first
    ``size`` records, ``origin`` the log's name; with them the rest still verifies, up to the same root.
    """

    record_id: Hex64
    first_seq: Count
    size: Count
    last_hash: Hex64
    origin: str
    peaks: tuple[Hex64, ...]
    reason: str
    actor: Actor


Record = RunStarted | Graded | RunFinished | Erased | Correction | HumanReview | Exported | Retired
record_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)
"""Decodes one line of ``records.jsonl`` into its class; raises msgspec.ValidationError."""


def record_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of ``records.jsonl``."""
    return {"title": "One record of a groundwire audit log, version 1", **msgspec.json.schema(Record)}
