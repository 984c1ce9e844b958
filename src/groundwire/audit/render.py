"""A verification as text that fits 80 columns. Pure: values in, text out; holds no content."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from groundwire.audit.schema import Graded, Record
from groundwire.audit.verification import INCOMPLETE, NOTICE, TAMPERED, Finding, Verification

WIDTH = 79
_HEADLINES = {
    "intact": "INTACT      nothing was changed since it was written",
    TAMPERED: "TAMPERED    the log was changed after it was written",
    INCOMPLETE: "INCOMPLETE  nothing was changed, but the log does not end as it should",
}
_CONTENT_WORDS = {
    "checked": "checked",
    "changed": "CHANGED",
    "missing": "MISSING",
    "erased": "erased on purpose",
    "partly_erased": "partly erased on purpose",
    "withheld": "never kept",
    "not_in_this_copy": "not in this copy, not checked",
    "orphans": "file without a record (harmless)|files without a record (harmless)",
}
_RECORD_WORDS = {
    "graded": "answer graded|answers graded",
    "run_started": "run|runs",
    "human_review": "review|reviews",
    "correction": "correction|corrections",
    "erased": "erasure|erasures",
    "exported": "export|exports",
    "retired": "retirement|retirements",
}


def render_verification(found: Verification, path: str) -> str:
    """Return the report of a verification: outcome, findings, what is proved and what is not, counts."""
    blocks = [
        [path, "", _HEADLINES[found.outcome], *_head(found)],
        _findings(found),
        *(_claims(found, title, is_proved) for title, is_proved in (("Proved", True), ("Not proved", False))),
        _counts(found),
        [render_last_line(found)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def render_last_line(found: Verification) -> str:
    """Return the summary line with every count that matters."""
    totals = found.totals
    counts = [
        _count(found.size, "record|records"),
        f"{totals.get(TAMPERED, 0)} changed",
        f"{totals.get(INCOMPLETE, 0)} incomplete",
        _count(totals.get(NOTICE, 0), "note|notes"),
    ]
    return f"{found.outcome}: {', '.join(counts)}; exit code {found.exit_code}"


def verification_data(found: Verification) -> dict[str, Any]:
    """Return the verification as JSON-ready values."""
    made: dict[str, Any] = msgspec.to_builtins(found)
    first = found.first_bad
    return {
        "outcome": found.outcome,
        "exit_code": found.exit_code,
        "first_bad": None if first is None else msgspec.to_builtins(first),
        **made,
    }


def render_problems(problems: dict[int, list[str]]) -> str:
    """Return a warning over records that are shown though they do not fit, ``""`` where there is none."""
    lines = []
    for seq, found in sorted(problems.items()):
        said = f"TAMPERED: record {seq} is not as it was written: {'; '.join(found)}"
        lines += textwrap.wrap(said, WIDTH, subsequent_indent=" " * 10)
    return "\n".join([*lines, " " * 10 + "Do not rely on it. Run: groundwire audit verify"]) if lines else ""


def render_entry(entry: Record) -> str:
    """Return one record's own members as lines; ids and hashes are shortened, texts are not in it."""
    rows = {"record": f"{entry.seq}, {_TYPE_WORDS[_type(entry)]}", "at": entry.recorded_at}
    shown = {name: getattr(entry, name, None) for name in _SHOWN}
    rows |= {name: _short(value) for name, value in shown.items() if value not in (None, ())}
    if (actor := getattr(entry, "actor", None)) is not None:
        rows["actor"] = f"{actor.id} ({actor.kind}; as typed, not proved)"
    if isinstance(entry, Graded):
        rows |= _graded_rows(entry)
    rows["hash"] = _short(entry.hash)
    return "\n".join(line for name, value in rows.items() for line in _row(name, str(value)))


def _row(name: str, value: str) -> list[str]:
    """Return a row wrapped between its parts; a part that is too long stays in one piece."""
    return textwrap.wrap(
        value, WIDTH, initial_indent=f"{name:<13} ", subsequent_indent=" " * 14,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


_SHOWN = (
    "run_id", "record_id", "supersedes", "cluster", "completed", "counts", "about", "grade", "outcome",
    "label", "reason", "kind", "with_content", "records", "size",
)  # fmt: skip
_TYPE_WORDS = {
    "graded": "a graded answer", "run_started": "a run began", "run_finished": "a run ended",
    "erased": "content was erased", "correction": "a correction", "human_review": "a person's verdict",
    "exported": "a copy was exported", "retired": "old records were removed",
}  # fmt: skip


def _type(entry: Record) -> str:
    return str(type(entry).__struct_config__.tag)


def _graded_rows(entry: Graded) -> dict[str, str]:
    sampling = entry.sampling
    rows = {"sampled at": f"{sampling.probability or 'unknown probability'} ({sampling.source})"}
    slots = [slot for slot in (entry.inputs.question, entry.inputs.answer) if slot is not None]
    if slots:
        rows["commitment"] = slots[0].alg
    return rows


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    text = str(value)
    return f"{text[:16]}…" if len(text) == 64 else text


def _head(found: Verification) -> Iterator[str]:
    first = found.first_bad
    if first is not None and first.seq is not None:
        yield f"            first bad record: {first.seq}"
        if first.seq:
            yield f"            records 0 to {first.seq - 1} fit together"
    elif found.size:
        yield f"            {_count(found.size, 'record|records')}, root {found.root_hex[:32]}…"


def _findings(found: Verification) -> list[str]:
    lines = [line for finding in found.findings for line in _finding(finding)]
    hidden = sum(found.totals.values()) - len(found.findings)
    return [*lines, f"  … and {hidden} more"] if hidden > 0 else lines


def _finding(finding: Finding) -> list[str]:
    place = (
        "note" if finding.severity == NOTICE else "log" if finding.seq is None else f"record {finding.seq}"
    )
    return textwrap.wrap(finding.problem, WIDTH, initial_indent=f"  {place:<11} ", subsequent_indent=" " * 14)


def _claims(found: Verification, title: str, is_proved: bool) -> list[str]:
    lines: list[str] = []
    for claim in found.claims:
        if claim.is_proved == is_proved:
            mark = "  + " if is_proved else "  - "
            lines += textwrap.wrap(claim.statement, WIDTH, initial_indent=mark, subsequent_indent=" " * 4)
            lines += textwrap.wrap(claim.by, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return [title, *lines] if lines else []


def _counts(found: Verification) -> list[str]:
    lines = _count_block("Records", found.records, _RECORD_WORDS)
    lines += _count_block("Content", found.content, _CONTENT_WORDS)
    for seq, records, reason in found.erasures[:10]:
        what = _count(records, "record|records")
        lines.append(f"{'Erased':<9} content of {what}, {reason} (record {seq})")
    return lines


def _count(number: int, word: str) -> str:
    """Return a number with its word, singular or plural where ``word`` has both."""
    one, _, many = word.partition("|")
    return f"{number} {one if number == 1 else many or one}"


def _count_block(title: str, counts: dict[str, int], words: dict[str, str]) -> list[str]:
    parts = [_count(counts[name], word) for name, word in words.items() if counts.get(name)]
    return textwrap.wrap(", ".join(parts), WIDTH, initial_indent=f"{title:<9} ", subsequent_indent=" " * 10)
