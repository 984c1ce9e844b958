"""Checks content files against the commitments that stand in records and manifests."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import orjson
from msgspec import Struct

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.digests import commitment
from groundwire.audit.folder import Folder
from groundwire.audit.manifest import manifest_content_id
from groundwire.audit.schema import CONTENT_SCHEMA
from groundwire.errors import AuditError

SALTED = "sha256-salted/v1"
Slots = dict[str, dict[str, Any]]


class ContentCheck:
    """Collects what is missing until an erasure explains it; ``found(severity, problem, seq)`` reports."""

    def __init__(self, folder: Folder, found: Callable[[str, str, int | None], None]) -> None:
        self.folder, self.found = folder, found
        self.is_here = folder.has_content()
        self.counts: Counter[str] = Counter()
        self.erasures: list[tuple[int, int, str]] = []
        self._missing: dict[str, tuple[int, set[str]]] = {}
        self._erased: Counter[str] = Counter()
        self._matched = 0

    def see(self, entry: dict[str, Any], seq: int) -> None:
        """Check the content of one record, or take note of an erasure."""
        if entry["type"] == "erased":
            self._see_erasure(entry, seq)
            return
        slots = slots_of(entry)
        if slots:
            self._check(entry["record_id"], slots, seq)

    def see_manifest(self, run_id: str, manifest: dict[str, Any], seq: int) -> None:
        """Check a run's committed names."""
        slots = manifest_slots(manifest)
        if slots:
            self._check(manifest_content_id(run_id), slots, seq)

    def _check(self, content_id: str, slots: Slots, seq: int) -> None:
        salted = {name: slot for name, slot in slots.items() if slot.get("alg") == SALTED}
        if not salted:
            self.counts["withheld"] += 1
        elif not self.is_here:
            self.counts["not_in_this_copy"] += 1
        else:
            self._check_file(content_id, salted, seq)

    def _check_file(self, content_id: str, slots: Slots, seq: int) -> None:
        try:
            data = self.folder.read_content(content_id)
            missing, problem = (set(slots), None) if data is None else compare(data, slots)
        except AuditError as error:
            missing, problem = set(), str(error)
        else:
            self._matched += data is not None
        if problem is not None:
            self.counts["changed"] += 1
            self.found("tampered", f"content {content_id[:12]}…: {problem}", seq)
        elif missing:
            self._missing[content_id] = (seq, missing)
        else:
            self.counts["checked"] += 1

    def _see_erasure(self, entry: dict[str, Any], seq: int) -> None:
        self.erasures.append((seq, len(entry["targets"]), entry["reason"]))
        for target in entry["targets"]:
            content_id, fields = target["record_id"], set(target["fields"])
            self._require_gone(content_id, fields, seq)
            if content_id not in self._missing:
                continue
            _, missing = self._missing[content_id]
            missing -= fields
            if not missing:
                del self._missing[content_id]
                self.counts["erased" if self._is_gone(content_id) else "partly_erased"] += 1

    def _is_gone(self, content_id: str) -> bool:
        return self.folder.read_content(content_id) is None

    def _require_gone(self, content_id: str, fields: set[str], seq: int) -> None:
        if not self.is_here:
            return
        try:
            data = self.folder.read_content(content_id)
            kept = set() if data is None else set(orjson.loads(data)["fields"])
        except (AuditError, orjson.JSONDecodeError, KeyError, TypeError):
            return
        if kept & fields:
            self.found("incomplete", f"content {content_id[:12]}… is recorded as erased but still there", seq)

    def report_missing(self) -> None:
        """Report missing content that no erasure explains."""
        for content_id, (seq, fields) in self._missing.items():
            self.counts["missing"] += 1
            names = ", ".join(sorted(fields)[:3])
            self.found(
                "tampered", f"content {content_id[:12]}… is missing ({names}), no erasure explains it", seq
            )

    def finish(self) -> None:
        """Report what nothing explains, and count files that belong to no record."""
        self.report_missing()
        if self.is_here:
            orphans = self.folder.count_content() - self._matched
            if orphans > 0:
                self.counts["orphans"] = orphans


class _Field(Struct):
    salt: str
    value: msgspec.Raw


class _File(Struct):
    fields: dict[str, _Field]
    schema: str


_file_decoder = msgspec.json.Decoder(_File)


@functools.lru_cache(maxsize=1024)
def _key(name: str) -> bytes:
    return plain_bytes(name)


def compare(data: bytes, slots: Slots) -> tuple[set[str], str | None]:
    """Return the committed fields that a content file lacks, and what is wrong with it (None: nothing).

    Values are not parsed: a commitment binds their bytes, and the rest of the file is written anew and
    compared.
    """
    try:
        file = _file_decoder.decode(data)
        parts = []
        for name in sorted(file.fields):
            field = file.fields[name]
            value, key = bytes(field.value), _key(name)
            if name not in slots:
                return set(), "a field was added"
            if commitment(bytes.fromhex(field.salt), key, value) != slots[name].get("commit"):
                return set(), f"{name} is not what was graded"
            parts.append(b'%b:{"salt":"%b","value":%b}' % (key, field.salt.encode(), value))
    except (ValueError, msgspec.DecodeError):
        return set(), "the file is not as it was written"
    if b'{"fields":{%b},"schema":"%b"}\n' % (b",".join(parts), CONTENT_SCHEMA.encode()) != data:
        return set(), "the file is not as it was written"
    return set(slots) - set(file.fields), None


def slots_of(entry: dict[str, Any]) -> Slots:
    """Return a record's commitments by the name of the content field."""
    slots: Slots = {name: entry[name] for name in ("comment", "place") if entry.get(name)}
    for name, slot in entry.get("inputs", {}).items():
        if isinstance(slot, list):
            for index, item in enumerate(slot):
                slots[f"{name}.{index}"] = item
        elif slot:
            slots[name] = slot
    return slots


def manifest_slots(manifest: dict[str, Any]) -> Slots:
    """Return a manifest's commitments by the name of the content field."""
    return dict(_named_slots(manifest))


def _named_slots(manifest: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("config", "command", "selector"):
        if isinstance(manifest.get(name), dict):
            yield name, manifest[name]
    for index, item in enumerate(manifest.get("inputs", ())):
        if isinstance(item, dict) and isinstance(item.get("name"), dict) and item["name"]:
            yield f"inputs.{index}", item["name"]
