"""Settings of the offline side: ``groundwire.toml``, or ``[tool.groundwire]`` in ``pyproject.toml``.

Looked for in the working directory and its parents, the nearest first; a command-line option wins over
the file. An unknown key or a wrong type raises ConfigError naming the file, the key and what would be
right: a mistyped setting is never ignored. The live side reads no file (arguments and environment only);
:data:`LIVE_VARIABLES` lists what it reads.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from groundwire.errors import ConfigError

LIVE_VARIABLES: dict[str, str] = {
    "GROUNDWIRE_CAPTURE": "content on spans: full, hash or none (default full)",
    "GROUNDWIRE_EMIT": "attribute profiles: genai,openinference,retrieval-content",
    "GROUNDWIRE_REDACT": "kinds to mask before anything is set: secrets,cards,email,phone",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "the GenAI conventions' switch; the stricter wins",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "where configure() sends spans",
    "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc or http/protobuf",
    "OTEL_SDK_DISABLED": "true switches the SDK off",
}


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadSettings(_Section):
    """``[read]``: limits on untrusted input."""

    max_line_bytes: int = Field(
        default=256 * 1024 * 1024, gt=0, description="A longer line is skipped in chunks and counted."
    )
    reference_bases: list[str] = Field(
        default_factory=list, description="Folders or URLs under which *_ref attributes may be resolved."
    )


class ScoreSettings(_Section):
    """``[score]``: what is graded, and what the log keeps."""

    graders: list[str] | None = Field(
        default=None,
        description="Grade names, or module:object of your own. Default: all built in.",
    )
    content: Literal["auto", "keep", "none"] = Field(
        default="auto", description="Content beside the log. auto: keep, but none with CI=true."
    )


class Settings(_Section):
    """Typed settings; build by :meth:`load`, or directly from values.

    ``graders`` holds one table of options a grader, passed to it as keyword arguments.

    >>> Settings(graders={"latency": {"limit_ms": 2000}}).graders["latency"]
    {'limit_ms': 2000}
    """

    read: ReadSettings = Field(default_factory=ReadSettings)
    score: ScoreSettings = Field(default_factory=ScoreSettings)
    graders: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Options of single graders: [graders.latency] limit_ms = 2000"
    )
    _origin: Path | None = PrivateAttr(None)
    _keys: frozenset[str] = PrivateAttr(frozenset())

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> Settings:
        """Read settings from ``path``, or from the nearest file; all defaults when there is none.

        Raises ConfigError when ``path`` is missing, is not TOML, or holds a key that does not exist.
        """
        file = Path(path) if path is not None else find_settings_file(Path.cwd())
        if file is None:
            return cls()
        table = _read_table(file)
        try:
            settings = cls.model_validate(table)
        except ValidationError as cause:
            raise _config_error(file, cause) from cause
        settings._origin = file
        settings._keys = frozenset(_flat_keys(table))
        return settings

    @property
    def origin(self) -> Path | None:
        """The file that was read, or None."""
        return self._origin

    def rows(self) -> list[tuple[str, Any, str]]:
        """Every setting as (dotted name, value, origin); origin is ``default`` or the file's path."""
        rows: list[tuple[str, Any, str]] = []
        for section_name in ("read", "score"):
            section = getattr(self, section_name)
            for name in type(section).model_fields:
                rows.append(self._row(f"{section_name}.{name}", getattr(section, name)))
        for grader, options in sorted(self.graders.items()):
            rows.extend(self._row(f"graders.{grader}.{name}", value) for name, value in options.items())
        return rows

    def _row(self, name: str, value: Any) -> tuple[str, Any, str]:
        return name, value, str(self._origin) if name in self._keys else "default"


def find_settings_file(start: Path) -> Path | None:
    """Return the nearest ``groundwire.toml`` or ``pyproject.toml`` with a ``[tool.groundwire]`` table."""
    for folder in (start, *start.parents):
        own = folder / "groundwire.toml"
        if own.is_file():
            return own
        project = folder / "pyproject.toml"
        if project.is_file() and b"[tool.groundwire" in project.read_bytes():
            return project
    return None


def _read_table(file: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as cause:
        raise ConfigError(
            f"can not be read ({cause.strerror})", where=str(file), mend="Name an existing settings file."
        ) from cause
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as cause:
        raise ConfigError(f"is not TOML: {cause}", where=str(file), mend="Mend the line named.") from cause
    if file.name == "pyproject.toml":
        table: dict[str, Any] = document.get("tool", {}).get("groundwire", {})
        return table
    return document


def _config_error(file: Path, cause: ValidationError) -> ConfigError:
    first = cause.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, list(_all_keys()), n=1, cutoff=0.5)
        mend = f"Did you mean {near[0]!r}?" if near else "`groundwire config` lists every setting."
        return ConfigError("no such setting", where=f"{file}: {key}", mend=mend)
    got = repr(first["input"])
    return ConfigError(first["msg"], where=f"{file}: {key}", got=got if len(got) < 80 else f"{got[:80]}…")


def _all_keys() -> Iterator[str]:
    for name, section in (("read", ReadSettings), ("score", ScoreSettings)):
        yield name
        yield from (f"{name}.{key}" for key in section.model_fields)
    yield "graders"


def _flat_keys(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        name = f"{prefix}{key}"
        yield name
        if isinstance(value, Mapping):
            yield from _flat_keys(value, f"{name}.")
