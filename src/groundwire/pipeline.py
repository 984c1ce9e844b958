"""Read → normalize → grade → audit, for one batch.

The only place where the rooms of the offline side meet. Each record is judged on its own by
:func:`grade_and_prepare`, a function of picklable values, so that an executor may run it elsewhere; the
writer alone is serial.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from groundwire.audit import AuditWriter, Prepared, RunManifest, Signer, Written, prepare
from groundwire.audit.manifest import describe_graders, describe_input
from groundwire.envelopes import Limits, ReadStats, expand_sources
from groundwire.errors import ConfigError
from groundwire.grade import Grade, Grader, Outcome
from groundwire.graders import grade_record, resolve_graders
from groundwire.reading import read_records
from groundwire.record import RagRecord
from groundwire.report import Summary, render_summary
from groundwire.settings import Settings

Source = str | os.PathLike[str]
Content = Literal["keep", "none"]


@dataclass
class ScoreResult:
    """What a scoring run did.

    ``summary`` counts grades, ``stats`` what was read, ``written`` what the log took (None without a log),
    ``failed_on`` how many answers failed each grade that was named in ``fail_on``.
    """

    summary: Summary
    stats: ReadStats
    log: Path | None = None
    written: Written | None = None
    content: Content = "none"
    failed_on: dict[str, int] = field(default_factory=dict)

    def exit_code(self, *, strict: bool = False) -> int:
        """0 done; 1 a ``fail_on`` grade failed; 2 nothing could be read; 3 not enough to say."""
        if any(self.failed_on.values()):
            return 1
        if self.summary.records == 0:
            read = self.stats.spans + self.stats.logs + self.stats.plain_records
            return 2 if read == 0 and self.stats.rejected_total else 3
        return 3 if strict and self.stats.rejected_total else 0

    def render(self) -> str:
        """The summary as text, its last line with every count."""
        parts = [render_summary(self.summary)] if self.summary.records else [_explain_nothing(self)]
        return "\n\n".join([*parts, self._last_line()])

    def _last_line(self) -> str:
        s, stats = self.summary, self.stats
        verdicts = ", ".join(f"{s.count('verdict', o)} {o.value}" for o in Outcome if s.count("verdict", o))
        rejected = f"{stats.rejected_total} left out, {stats.duplicates} duplicate spans"
        line = f"{s.records} graded" + (f" ({verdicts})" if verdicts else "") + f"; {rejected}"
        if self.written is None or self.log is None:
            return f"{line}; no log"
        w = self.written
        return (
            f"{line}\n{self.log}: +{w.added} records, {w.known} known, content {self.content}, run {w.run_id}"
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        written = self.written
        return {
            "summary": self.summary.to_dict(),
            "read": {
                "files": self.stats.files,
                "bytes": self.stats.bytes,
                "spans": self.stats.spans,
                "logs": self.stats.logs,
                "plain_records": self.stats.plain_records,
                "duplicates": self.stats.duplicates,
                "formats": dict(self.stats.formats),
                "rejected": dict(self.stats.rejected),
            },
            "log": None if self.log is None else str(self.log),
            "content": self.content,
            "written": None
            if written is None
            else {name: getattr(written, name) for name in written.__struct_fields__},
            "failed_on": self.failed_on,
        }


def score(
    sources: Source | Iterable[Source],
    out: Source | None = None,
    *,
    settings: Settings | None = None,
    content: Content | None = None,
    run_id: str | None = None,
    recorded_at: str | None = None,
    recover: bool = False,
    signer: Signer | None = None,
    fail_on: Sequence[str] = (),
    on_progress: Callable[[int, int], None] | None = None,
    on_graded: Callable[[RagRecord, list[Grade]], object] | None = None,
    talk: Callable[[str], None] = lambda message: None,
) -> ScoreResult:
    """Grade every answer in ``sources`` and, with ``out``, append it to the audit log there.

    ``sources`` is a path, glob or ``"-"``, or several. ``content`` decides whether texts are kept beside the
    log (default: the setting; ``auto`` keeps them unless ``CI=true``). ``recorded_at`` (RFC 3339) and
    ``run_id`` make a run reproducible; ``recover`` moves a torn last line of the log aside, ``signer`` signs
    its checkpoint. ``on_graded`` sees each record with its grades, ``on_progress`` the
    bytes done and in all. Raises ConfigError, EnvelopeError (a source does not exist) or AuditError.
    """
    settings = Settings.load() if settings is None else settings
    graders = resolve_graders(settings.score.graders, settings.graders)
    _check_fail_on(fail_on, graders)
    paths = expand_sources([sources] if isinstance(sources, (str, os.PathLike)) else list(sources))
    keep = _decide_content(content, settings, talk) if out is not None else "none"
    result = ScoreResult(Summary(), ReadStats(), None if out is None else Path(out), content=keep)
    result.failed_on = dict.fromkeys(fail_on, 0)
    with ExitStack() as stack:
        writer = None
        if out is not None:
            manifest = _describe_run(paths, graders, settings)
            writer = stack.enter_context(
                AuditWriter(
                    Path(out),
                    manifest,
                    content=keep,
                    run_id=run_id,
                    recorded_at=recorded_at,
                    recover=recover,
                    signer=signer,
                )
            )
        for record in _read(paths, settings, result, on_progress):
            grades, prepared = grade_and_prepare(
                record, graders, keep=None if writer is None else keep == "keep"
            )
            _take(result, record, grades, on_graded)
            if writer is not None and prepared is not None:
                writer.add(prepared)
        if writer is not None:
            result.written = writer.finish(_run_counts(result))
    return result


_YOUNG_OBJECTS = 50_000
"""How many new containers stand before the collector looks for cycles among them: about 10 MB."""


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the garbage collector of this process run seldom while inside, and as it was set afterwards.

    Grading makes many small objects and hardly a cycle; the collector takes 5–10 % of its time otherwise.
    For whoever owns the process (the command line): not for two threads at once.

    >>> import gc
    >>> before = gc.get_threshold()
    >>> with rare_collection():
    ...     gc.get_threshold()[0] >= 50_000
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    if 0 < before[0] < _YOUNG_OBJECTS:
        gc.set_threshold(_YOUNG_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def grade_and_prepare(
    record: RagRecord, graders: Sequence[Grader], *, keep: bool | None
) -> tuple[list[Grade], Prepared | None]:
    """Judge one record; with ``keep`` not None also make its audit record (with or without content)."""
    grades = grade_record(record, graders)
    return grades, None if keep is None else prepare(record, grades, keep_content=keep)


def _read(
    paths: Sequence[Any],
    settings: Settings,
    result: ScoreResult,
    on_progress: Callable[[int, int], None] | None,
) -> Iterable[RagRecord]:
    total = sum(os.path.getsize(path) for path in paths if path != "-" and os.path.isfile(path))  # noqa: PTH113, PTH202
    return read_records(
        paths,
        on_reject=result.summary.reject,
        on_progress=None if on_progress is None else lambda stats: on_progress(stats.source_bytes, total),
        stats=result.stats,
        limits=Limits(max_line_bytes=settings.read.max_line_bytes),
        ref_bases=settings.read.reference_bases,
    )


def _take(
    result: ScoreResult,
    record: RagRecord,
    grades: list[Grade],
    on_graded: Callable[[RagRecord, list[Grade]], object] | None,
) -> None:
    result.summary.add(record, grades)
    for grade in grades:
        if grade.name in result.failed_on and grade.outcome is Outcome.FAIL:
            result.failed_on[grade.name] += 1
    if on_graded is not None:
        on_graded(record, grades)


def _check_fail_on(fail_on: Sequence[str], graders: Sequence[Grader]) -> None:
    names = [grader.name for grader in graders]
    for name in fail_on:
        if name not in names and not name.startswith("check."):
            raise ConfigError(
                "no such grade", where="--fail-on", expected=f"one of {', '.join(names)}", got=repr(name)
            )


def _decide_content(content: Content | None, settings: Settings, talk: Callable[[str], None]) -> Content:
    if content is not None:
        return content
    if settings.score.content != "auto":
        return settings.score.content
    if os.environ.get("CI", "").lower() == "true":
        talk("CI=true: the log keeps no content (--content keep to keep it)")
        return "none"
    return "keep"


def _describe_run(paths: Sequence[Any], graders: Sequence[Grader], settings: Settings) -> RunManifest:
    inputs = [describe_input(path) for path in paths if path != "-" and os.path.isfile(path)]  # noqa: PTH113
    return RunManifest(
        config=settings.model_dump(mode="json"),
        graders=describe_graders(graders),
        inputs=tuple(inputs),
        command=tuple(sys.argv),
        price_data_version=f"genai-prices {metadata.version('genai-prices')}",
    )


def _run_counts(result: ScoreResult) -> dict[str, int]:
    return {
        "read": result.summary.records,
        "rejected": result.stats.rejected_total,
        "unknown": result.summary.count("verdict", Outcome.UNKNOWN),
        "filtered": 0,
    }


def _explain_nothing(result: ScoreResult) -> str:
    stats = result.stats
    files = f"{stats.files} file{'s' * (stats.files != 1)}"
    lines = [f"no answered question in {files}: {stats.spans} spans, {stats.plain_records} record rows"]
    if stats.spans:
        lines.append("`groundwire inspect` says what is in these traces and what to switch on")
    lines += [f"  {one.origin}: {one.problem}" for one in result.summary.first_rejected]
    return "\n".join(lines)
