"""What a run says of itself: versions, settings, graders, inputs. Written once, before its first record.

Names that may hold personal data (files, command line, selector, settings) lie in ``content/``; the file
``manifests/<run_id>.json`` holds commitments to them.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from groundwire import __version__
from groundwire.audit.canonical import canonical_bytes, kept_bytes
from groundwire.audit.content_fields import Salts
from groundwire.audit.digests import commitment
from groundwire.audit.schema import CONTENT_SCHEMA, MANIFEST_SCHEMA
from groundwire.grade import Grader


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GraderInfo(_Strict):
    """A grader as it was used."""

    name: str
    version: str
    basis: Literal["checked", "estimated"]
    config_digest: str = ""


class InputFile(_Strict):
    """One input: its name (committed), the SHA-256 and the size of its bytes as stored; None: a stream."""

    name: str
    sha256: str | None = None
    size_bytes: int | None = None
    counts: dict[str, int] = Field(default_factory=dict)


class FormerCheckpoint(_Strict):
    """The head of the log before the run."""

    size: int
    root: str


class RunManifest(_Strict):
    """What a run says of itself.

    ``config`` is the resolved configuration and ``config_digest`` its digest (see :meth:`digest_of`),
    ``selector`` the filter in force, ``command`` the command line without secrets. ``versions`` holds
    the versions of data that verdicts rest on (prices, phrase lists, calibration files).

    >>> RunManifest(config={"limits": {"latency_ms": 2000}}).timezone
    'UTC'
    """

    groundwire_version: str = __version__
    python_version: str = Field(default_factory=platform.python_version)
    os: str = Field(default_factory=lambda: f"{platform.system()} {platform.machine()}")
    config: dict[str, Any] = Field(default_factory=dict)
    config_digest: str | None = None
    graders: tuple[GraderInfo, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    command: tuple[str, ...] = ()
    selector: str | None = None
    price_data_version: str | None = None
    versions: dict[str, str] = Field(default_factory=dict)
    timezone: str = "UTC"

    @staticmethod
    def digest_of(config: dict[str, Any]) -> str:
        """Return the SHA-256 of a configuration's canonical JSON.

        >>> RunManifest.digest_of({})[:16]
        '44136fa355b3678a'
        """
        return hashlib.sha256(kept_bytes(config)).hexdigest()


def describe_graders(graders: Sequence[Grader]) -> tuple[GraderInfo, ...]:
    """Return what a manifest says of graders, sorted by name."""
    infos = (
        GraderInfo(
            name=grader.name,
            version=grader.version,
            basis=str(grader.basis),
            config_digest=grader.config_digest,
        )
        for grader in graders
    )
    return tuple(sorted(infos, key=lambda info: info.name))


def describe_input(path: str | Path) -> InputFile:
    """Return an input file's name, digest and size, read in constant memory."""
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return InputFile(name=str(path), sha256=digest, size_bytes=file.tell())


def place_manifest(
    manifest: RunManifest, run_id: str, former: FormerCheckpoint | None, salts: Salts | None
) -> tuple[bytes, bytes | None]:
    """Return the bytes of the manifest file and of its content file (None where ``salts`` is None)."""
    names = manifest.model_dump(include={"config", "command", "selector"}, mode="json")
    names |= {f"inputs.{index}": item.name for index, item in enumerate(manifest.inputs)}
    slots: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    for name, value in names.items():
        if not value:
            continue
        slots[name] = {"alg": "withheld/v1"}
        if salts is not None:
            salt, value = salts(32), orjson.loads(kept_bytes(value))
            commit = commitment(salt, canonical_bytes(name), canonical_bytes(value))
            slots[name] = {"alg": "sha256-salted/v1", "commit": commit}
            kept[name] = {"salt": salt.hex(), "value": value}
    placed = {**_plain_part(manifest, slots), "run_id": run_id, "schema": MANIFEST_SCHEMA}
    if former is not None:
        placed["former_checkpoint"] = former.model_dump()
    content = canonical_bytes({"fields": kept, "schema": CONTENT_SCHEMA}) + b"\n" if salts else None
    return kept_bytes(placed) + b"\n", content


def _plain_part(manifest: RunManifest, slots: dict[str, Any]) -> dict[str, Any]:
    plain = manifest.model_dump(
        mode="json", exclude={"config", "command", "selector", "inputs"}, exclude_none=True
    )
    inputs = [
        {**item.model_dump(exclude={"name"}, exclude_none=True), "name": slots.get(f"inputs.{index}", {})}
        for index, item in enumerate(manifest.inputs)
    ]
    named = {name: slot for name, slot in slots.items() if not name.startswith("inputs.")}
    return {**plain, **named, "inputs": inputs, "config_digest": _config_digest(manifest)}


def _config_digest(manifest: RunManifest) -> str:
    return manifest.config_digest or RunManifest.digest_of(manifest.config)


def manifest_content_id(run_id: str) -> str:
    """Return the id under which a run's names lie in ``content/``."""
    return hashlib.sha256(b"groundwire/run/v1\0" + run_id.encode()).hexdigest()
