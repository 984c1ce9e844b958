"""Where a log begins: at record 0, or after segments that were retired whole."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from groundwire.audit.digests import NO_HASH
from groundwire.audit.folder import Folder, read_lines
from groundwire.audit.merkle import Tree
from groundwire.audit.schema import Retired, record_decoder

_MARK = b'"type":"retired"'


class Start(Struct, frozen=True):
    """What is known of the records before the first one that is there. All empty for a whole log."""

    size: int = 0
    last_hash: str = NO_HASH
    origin: str = ""
    peaks: tuple[bytes, ...] = ()

    def tree(self) -> Tree:
        """Return the tree over the records that are gone."""
        return Tree(self.size, self.peaks)


class _Seq(Struct):
    seq: int = 0


def find_start(folder: Folder) -> Start | None:
    """Return where the log begins; None where its first records are gone and no record says why.

    What is returned comes from a record that must still be verified itself.
    """
    first = next((line for path in folder.segments() for line in read_lines(path)), b"{}")
    size = _seq_of(first)
    if size == 0:
        return Start()
    for path in folder.segments():
        for line in read_lines(path):
            if _MARK in line and (found := _parse(line)) is not None and found.size == size:
                peaks = tuple(bytes.fromhex(peak) for peak in found.peaks)
                return Start(size, found.last_hash, found.origin, peaks)
    return None


def _seq_of(line: bytes) -> int:
    try:
        return max(0, msgspec.json.decode(line, type=_Seq).seq)
    except msgspec.DecodeError:
        return 0


def _parse(line: bytes) -> Retired | None:
    try:
        entry = record_decoder.decode(line)
        valid = isinstance(entry, Retired) and all(len(bytes.fromhex(peak)) == 32 for peak in entry.peaks)
    except (msgspec.DecodeError, ValueError):
        return None
    return entry if isinstance(entry, Retired) and valid else None


def origin_of(first_hash: str) -> str:
    """Return a log's name in its checkpoints, made from the hash of record 0."""
    return f"groundwire.audit/{first_hash[:32]}"
