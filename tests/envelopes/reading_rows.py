"""Reads decoded objects through the public reader, for the tests of foreign exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from groundwire.envelopes import ReadStats, read_items
from groundwire.span import Rejected


def read_objects(folder: Path, *objects: Any) -> list[Any]:
    """Write the objects one a line, read them back; nothing may be rejected or mended."""
    items, rejected, stats = read_loosely(folder, *objects)
    assert rejected == []
    assert not stats.repaired
    return items


def read_loosely(folder: Path, *objects: Any) -> tuple[list[Any], list[Rejected], ReadStats]:
    """The same, with what was rejected and counted."""
    path = folder / "export"
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))
    rejected: list[Rejected] = []
    stats = ReadStats()
    return list(read_items(path, on_reject=rejected.append, stats=stats)), rejected, stats
