"""Counting: what was read, what was mended on the way, and what was left out."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from groundwire.envelopes.limits import Limits
from groundwire.envelopes.occurrences import Occurrences
from groundwire.envelopes.packed import Slices
from groundwire.span import Origin, Rejected

BENIGN_REASONS = frozenset({"empty_file", "cut_last_frame", "cut_last_line", "cut_stream"})
"""Reasons that a file still being written gives: not yet complete, rather than wrong."""


UNFORESEEN = (TypeError, ValueError, LookupError, AttributeError, OverflowError)
"""What a reader raises for an object that has an envelope's keys and a shape that it does not foresee."""


class ReadStats(Struct):
    """Counts of one reading, over all of its sources.

    ``source_bytes`` are those of the files as they lie, ``bytes`` are counted after decompression.
    ``skipped`` counts telemetry that is no trace and no log (``metrics``, ``profiles``), logs that belong to
    no trace and feedback without its answer. ``duplicates`` are spans and logs that came again.
    ``repaired`` counts values that could not be kept as they stood (``lone_surrogate``, ``invalid_utf8``,
    ``int_over_64_bits``, …), ``derived_ids`` ids that are no OpenTelemetry ids and were replaced by a digest
    of themselves. ``formats`` counts sources by envelope, ``spilled_bytes`` what temporary files took in.
    """

    files: int = 0
    source_bytes: int = 0
    bytes: int = 0
    lines: int = 0
    spans: int = 0
    logs: int = 0
    plain_records: int = 0
    duplicates: int = 0
    duplicate_keys: int = 0
    derived_ids: int = 0
    spilled_bytes: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)

    @property
    def rejected_total(self) -> int:
        """Number of rejections that are not benign (see :data:`BENIGN_REASONS`)."""
        return sum(count for reason, count in self.rejected.items() if reason not in BENIGN_REASONS)


class Packing(Struct):
    """How spans are kept undecoded: where their files are, and the attribute that keeps one from it."""

    slices: Slices
    unless: bytes = b""


class Tally:
    """What every reader is handed: the limits, the counts, and where rejections go."""

    __slots__ = (
        "_is_plain",
        "_occurrences",
        "_raw",
        "_raw_before",
        "_seen",
        "limits",
        "on_reject",
        "packing",
        "partial",
        "stats",
    )

    def __init__(
        self,
        limits: Limits | None = None,
        stats: ReadStats | None = None,
        on_reject: Callable[[Rejected], object] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.stats = ReadStats() if stats is None else stats
        self.on_reject = on_reject
        self.packing: Packing | None = None
        """Given when much is held: OTLP/JSON is then kept as it is until its trace is whole."""
        self.partial: set[str] = set()
        """The ids of traces of which a source said that spans are missing."""
        self._occurrences = Occurrences()
        self._seen: set[str] = set()
        self._raw: Any = None
        self._raw_before = 0
        self._is_plain = False

    @property
    def plain_file(self) -> io.FileIO | None:
        """The file that is read, where its own bytes are read; None for pipes and compressed files."""
        return self._raw if self._is_plain and isinstance(self._raw, io.FileIO) else None

    def begin_unpacking(self) -> None:
        """Note that offsets from here on are not those of the file itself."""
        self._is_plain = False

    def begin_source(self, raw: Any) -> None:
        """Count a source, whose formats are then counted once each; ``raw`` tells how far it is read."""
        self.stats.files += 1
        self._seen = set()
        self._raw, self._raw_before = raw, self.stats.source_bytes
        self._is_plain = True

    def note_position(self) -> None:
        """Bring ``source_bytes`` up to date."""
        try:
            self.stats.source_bytes = self._raw_before + self._raw.tell()
        except (OSError, ValueError, AttributeError):  # a pipe has no position
            self.stats.source_bytes = self.stats.bytes

    def end_source(self) -> None:
        """Count the bytes of a source that was read to its end."""
        self.note_position()
        self._raw = None

    def saw(self, envelope: str) -> None:
        """Count ``envelope`` as a format of the current source."""
        if envelope not in self._seen:
            self._seen.add(envelope)
            self.stats.formats[envelope] += 1

    def reject(self, origin: Origin, reason: str, problem: str) -> None:
        """Count one rejection and report it."""
        self.stats.rejected[reason] += 1
        if self.on_reject is not None:
            self.on_reject(Rejected(origin, reason, problem))

    def reject_unforeseen(self, origin: Origin, problem: Exception) -> None:
        """Count an object whose shape its reader did not foresee (see :data:`UNFORESEEN`)."""
        self.reject(origin, "unforeseen", f"has a shape that is not known here ({type(problem).__name__})")

    def identify(self, text: bytes) -> str:
        """Return 32 hex digits for a record without an id.

        They begin the SHA-256 of its bytes, a NUL and the number of its occurrence from 1. Equal lines
        get different ids, and the same ids whatever the order of the lines.
        """
        digest = sha256(text)
        digest.update(b"\0%d" % self._occurrences.count(digest.digest()[:16]))
        return digest.hexdigest()[:32]
