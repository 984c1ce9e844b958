"""One graded answer → what the writer needs. Pure and picklable: workers do this part.

Everything expensive happens here: canonical bytes, commitments, the record's id. What only the writer can
know (``seq``, ``prev``, ``hash``, the run) is spliced in later.
"""

from __future__ import annotations

import hashlib
import math
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct

from groundwire.audit.canonical import MAX_INTEGER, kept_bytes, plain_bytes
from groundwire.audit.digests import commitment, identity
from groundwire.audit.schema import CONTENT_SCHEMA, RECORD_SCHEMA
from groundwire.grade import Evidence, Grade
from groundwire.record import RagRecord

Salts = Callable[[int], bytes]
_NAME = re.compile(r"(?!.*\S@\S+\.\S)[A-Za-z0-9_][A-Za-z0-9_.:/+@ -]{0,127}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.:+/-]{0,63}")
_ID = re.compile(r"(?!.*@)[A-Za-z0-9][A-Za-z0-9_.:#+/-]{0,127}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_NS = 253402300799 * 10**9


class Prepared(Struct, frozen=True):
    """One answer, ready to be written.

    ``members`` maps the record's members to their canonical bytes, without what the writer adds.
    ``content`` is the whole content file, None with ``keep_content=False``. ``answer_key`` identifies the
    answer (trace and span), ``cluster`` its conversation, both as digests; ``started_at_ns``, trace and
    span id are the sort key. ``outcomes`` maps grade names to outcomes, for counters.
    """

    started_at_ns: int
    trace_id: str
    span_id: str
    record_id: str
    answer_key: bytes
    members: dict[str, bytes]
    content: bytes | None = None
    cluster: bytes | None = None
    outcomes: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def sort_key(self) -> tuple[int, str, str, str]:
        """The order of records within a run; the id settles ties."""
        return self.started_at_ns, self.trace_id, self.span_id, self.record_id


def prepare(
    record: RagRecord,
    grades: Sequence[Grade],
    *,
    keep_content: bool,
    salts: Salts = secrets.token_bytes,
) -> Prepared:
    """Make the canonical parts of one graded answer's record, its commitments and its content file.

    ``salts(32)`` must return 32 fresh random bytes. With ``keep_content=False`` no salt is drawn and no
    commitment made: lengths alone stand in the record.

    >>> from groundwire.grade import Basis, Outcome
    >>> grade = Grade(name="completed", outcome=Outcome.PASS, basis=Basis.CHECKED, grader_version="1")
    >>> made = prepare(RagRecord(trace_id="ab" * 16, answer="Yes."), [grade], keep_content=False)
    >>> made.members["inputs"]
    b'{"answer":{"alg":"withheld/v1","length":4},"details":{"alg":"withheld/v1","length":1}}'
    """
    fields = list(_content_fields(record, grades))
    trace_id = _trace_id(record, fields)
    statement = _statement(record, grades, trace_id)
    placed, content = _commit_all(fields, salts) if keep_content else _withhold_all(fields)
    inputs = _inputs(record, placed)
    record_id = identity(plain_bytes({**statement, "inputs": _without_commits(inputs)}))
    members = {name: plain_bytes(value) for name, value in statement.items()}
    members["inputs"] = plain_bytes(inputs)
    span_id = statement["subject"].get("span_id", "")
    return Prepared(
        started_at_ns=record.started_at_ns or 0,
        trace_id=trace_id,
        span_id=span_id,
        record_id=record_id,
        answer_key=hashlib.sha256(plain_bytes([trace_id, span_id])).digest(),
        members=members,
        content=content,
        cluster=_cluster(record),
        outcomes={grade.name: str(grade.outcome) for grade in grades},
    )


# --- content: what is committed -----------------------------------------------------------------------
_Field = tuple[str, bytes, int | None]


def _content_fields(record: RagRecord, grades: Sequence[Grade]) -> Iterator[_Field]:
    if record.question is not None:
        yield "question", kept_bytes(record.question), len(record.question)
    if record.answer is not None:
        yield "answer", kept_bytes(record.answer), len(record.answer)
    for index, context in enumerate(record.contexts or ()):
        length = len(context.text) if context.text is not None else context.length
        yield f"contexts.{index}", kept_bytes(_exact(context)), length
    if record.citations is not None:
        yield "citations", kept_bytes(_exact(record.citations)), len(record.citations)
    if record.history:
        yield "history", kept_bytes(_exact(record.history)), len(record.history)
    details = _details(record)
    yield "details", kept_bytes(details), len(details)
    told = {grade.name: grade.explanation for grade in grades if grade.explanation}
    if told:
        yield "explanations", kept_bytes(told), len(told)


_IN_FIELDS = {"question", "answer", "contexts", "citations", "history"}


def _details(record: RagRecord) -> dict[str, Any]:
    """Everything else of the record: names, ids, tags, metadata, the whole error message."""
    return {name: _exact(value) for name, value in _set_fields(record) if name not in _IN_FIELDS}


def _set_fields(record: RagRecord) -> Iterator[tuple[str, Any]]:
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if value is not None and value != () and value != {}:
            yield name, value


def _exact(value: Any) -> Any:
    """Return plain JSON types with our own reals as decimal strings (foreign metadata stays as it is)."""
    if isinstance(value, Struct):
        return {name: _exact(item) for name, item in _struct_items(value)}
    if isinstance(value, tuple):
        return [_exact(item) for item in value]
    if isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
        return str(value)
    return decimal_string(value) if isinstance(value, float) else value


def _struct_items(value: Struct) -> Iterator[tuple[str, Any]]:
    for name, default in zip(value.__struct_fields__, _defaults(value), strict=True):
        item = getattr(value, name)
        if item is not default and item != default and item != {}:
            yield name, item


def _defaults(value: Struct) -> tuple[Any, ...]:
    fields = value.__struct_fields__
    return (msgspec.NODEFAULT,) * (len(fields) - len(value.__struct_defaults__)) + value.__struct_defaults__


def _commit_all(fields: list[_Field], salts: Salts) -> tuple[dict[str, dict[str, Any]], bytes]:
    placed: dict[str, dict[str, Any]] = {}
    parts = []
    for name, value, length in fields:
        salt = salts(32)
        key = b'"%b"' % name.encode()
        commit = commitment(salt, key, value)
        placed[name] = _slot("sha256-salted/v1", commit, length)
        parts.append((name, b'%b:{"salt":"%b","value":%b}' % (key, salt.hex().encode(), value)))
    body = b",".join(part for _, part in sorted(parts))
    return placed, b'{"fields":{%b},"schema":"%b"}\n' % (body, CONTENT_SCHEMA.encode())


def _withhold_all(fields: list[_Field]) -> tuple[dict[str, dict[str, Any]], None]:
    return {name: _slot("withheld/v1", None, length) for name, _, length in fields}, None


def _slot(alg: str, commit: str | None, length: int | None) -> dict[str, Any]:
    slot: dict[str, Any] = {"alg": alg}
    if commit is not None:
        slot["commit"] = commit
    if length is not None:
        slot["length"] = length
    return slot


def _inputs(record: RagRecord, placed: dict[str, dict[str, Any]]) -> dict[str, Any]:
    inputs: dict[str, Any] = {name: slot for name, slot in placed.items() if "." not in name}
    if record.contexts is not None:
        inputs["contexts"] = [placed[f"contexts.{index}"] for index in range(len(record.contexts))]
    return inputs


def _without_commits(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_commits(item) for name, item in value.items() if name != "commit"}
    return [_without_commits(item) for item in value] if isinstance(value, list) else value


# --- the statement: what stands in the record in plain form -------------------------------------------
def _statement(record: RagRecord, grades: Sequence[Grade], trace_id: str) -> dict[str, Any]:
    statement: dict[str, Any] = {
        "schema": RECORD_SCHEMA,
        "type": "graded",
        "subject": _subject(record, trace_id),
        "system": _present({name: _name(getattr(record, name)) for name in _SYSTEM}),
        "sampling": _sampling(record),
        "results": [_result(grade) for grade in sorted(grades, key=lambda grade: grade.name)],
    }
    usage = record.usage and _present({name: _count(value) for name, value in _struct_items(record.usage)})
    cost = record.recorded_cost
    completeness = {k: v for k, v in record.completeness.items() if _WORD.fullmatch(k) and _WORD.fullmatch(v)}
    return {
        **statement,
        **({"usage": usage} if usage else {}),
        **({"cost": _present({k: _name(v) for k, v in _struct_items(cost)})} if cost else {}),
        **({"completeness": completeness} if completeness else {}),
    }


_SYSTEM = (
    "service", "service_version", "environment", "model", "provider", "prompt_id", "prompt_version",
    "index_version",
)  # fmt: skip


def _subject(record: RagRecord, trace_id: str) -> dict[str, Any]:
    return _present(
        {
            "trace_id": trace_id,
            "span_id": record.span_id and _plain_id(record.span_id),
            "started_at": rfc3339_ns(record.started_at_ns),
            "latency_ns": _count(record.latency_ns),
            "time_to_first_chunk_ns": _count(record.time_to_first_chunk_ns),
            "status": _word(record.status),
            "error_type": _error_type(record.error),
            "finish_reason": _word(record.finish_reason),
            "stream_end": _word(record.stream_end),
            "abstained": record.abstained,
        }
    )


def _sampling(record: RagRecord) -> dict[str, Any]:
    sampling = record.sampling
    if sampling is None:
        return {"source": "unknown"}
    made = _present(
        {
            "threshold": _word_or_digits(sampling.threshold),
            "probability": sampling.probability and decimal_string(sampling.probability),
            "policy": _name(sampling.policy),
            "process": _name(sampling.process),
            "sequence": _count(sampling.sequence),
        }
    )
    return {"source": _word(sampling.source) or "unknown", **made}


def _result(grade: Grade) -> dict[str, Any]:
    result = _present(
        {
            "name": grade.name,
            "outcome": str(grade.outcome),
            "basis": str(grade.basis),
            "method": grade.method,
            "grader_version": grade.grader_version,
            "label": _word(grade.label),
            "score": decimal_string(grade.score),
        }
    )
    if grade.config_digest:
        result["config_digest"] = grade.config_digest
    if grade.evidence:
        result["evidence"] = [_evidence(row) for row in grade.evidence]
    return result


_OFFSETS = (
    "answer_start", "answer_end", "context_index", "context_start", "context_end", "citation_index",
)  # fmt: skip


def _evidence(row: Evidence) -> dict[str, Any]:
    made = {name: value for name in _OFFSETS if (value := getattr(row, name)) is not None}
    if row.label is not None and (label := _word(row.label)) is not None:
        made["label"] = label
    if row.score is not None and (score := decimal_string(row.score)) is not None:
        made["score"] = score
    return made


def decimal_string(value: float | None) -> str | None:
    """Return the shortest decimal, without exponent, that reads back the same; None unless finite.

    >>> decimal_string(0.1), decimal_string(1e-7), decimal_string(3.0), decimal_string(float("nan"))
    ('0.1', '0.0000001', '3.0', None)
    """
    if value is None or not math.isfinite(value):
        return None
    text = repr(value)
    return format(Decimal(text), "f") if "e" in text else text


def rfc3339_ns(time_ns: int | None) -> str | None:
    """Return a point in time with nine decimals, None outside of the years 1970 to 9999.

    >>> rfc3339_ns(1_500_000_001)
    '1970-01-01T00:00:01.500000001Z'
    """
    if time_ns is None or not 0 <= time_ns <= _LAST_NS:
        return None
    seconds, rest = divmod(time_ns, 10**9)
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def _trace_id(record: RagRecord, fields: list[_Field]) -> str:
    if record.trace_id:
        return _plain_id(record.trace_id)
    return hashlib.sha256(b"\0".join(value for _, value, _ in fields)).hexdigest()[:32]


def _plain_id(text: str) -> str:
    if _ID.fullmatch(text):
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _cluster(record: RagRecord) -> bytes | None:
    """Digest of the conversation, else of the user; only ever in memory and in the writer's work file."""
    for kind, value in (("conversation", record.conversation_id), ("user", record.subject_id)):
        if value:
            return hashlib.sha256(f"{kind}\0{value}".encode("utf-8", "surrogatepass")).digest()[:16]
    return None


def _error_type(error: str | None) -> str | None:
    if error is None:
        return None
    return _word(error.partition(":")[0].strip()) or "error"


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _name(value: str | None) -> str | None:
    return value if value is not None and _NAME.fullmatch(value) else None


def _word(value: str | None) -> str | None:
    return value if value is not None and _WORD.fullmatch(value) else None


def _word_or_digits(value: str | None) -> str | None:
    return value if value is not None and re.fullmatch(r"[0-9a-f]{1,14}", value) else None


def _count(value: int | None) -> int | None:
    return value if value is not None and -MAX_INTEGER <= value <= MAX_INTEGER else None
