"""Patterns and schemas of checks: RE2 only, and a schema refers to nothing outside itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from groundwire.errors import ConfigError, MissingExtraError


def build_validator(argument: Any, where: str) -> Any:
    """Return a validator for the schema; raises ConfigError when it is none, or refers out of itself."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import extend, validator_for
    from referencing import Registry

    if not isinstance(argument, (dict, bool)):
        raise ConfigError("is no such check", where=where, expected="a JSON Schema", got=repr(argument)[:80])
    schema: Any = argument
    remote = _find_remote_reference(schema)
    if remote is not None:
        raise ConfigError(
            "refers out of the schema", where=where, got=repr(remote), mend="Use #/$defs/… instead."
        )
    cls: Any = validator_for(schema, default=Draft202012Validator)
    try:
        cls.check_schema(schema)
    except SchemaError as cause:
        raise ConfigError(f"is no JSON Schema: {cause.message}", where=where) from cause
    extended: Any = extend
    linear = extended(cls, {"pattern": _check_pattern, "patternProperties": _check_pattern_properties})
    return linear(schema, registry=Registry())


def _check_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
    """The keyword ``pattern`` by RE2: a schema may come with a trace, and is not to be trusted."""
    from jsonschema.exceptions import ValidationError

    if validator.is_type(instance, "string") and not compile_pattern(pattern, "pattern").search(instance):
        yield ValidationError("does not match")


def _check_pattern_properties(validator: Any, properties: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if validator.is_type(instance, "object"):
        for pattern, subschema in properties.items():
            expression = compile_pattern(pattern, "patternProperties")
            for name in filter(expression.search, instance):
                yield from validator.descend(instance[name], subschema, path=name, schema_path=pattern)


@lru_cache(maxsize=256)
def compile_pattern(pattern: str, where: str) -> Any:
    """Compile with RE2, whose time is linear in the text; raises ConfigError for what RE2 does not take."""
    try:
        import re2
    except ImportError as missing:  # pragma: no cover - [score] brings it
        raise MissingExtraError.of("score", module="google-re2") from missing
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as cause:
        reason = cause.args[0].decode() if isinstance(cause.args[0], bytes) else str(cause)
        problem, mend = f"is no RE2 expression: {reason}", "RE2 has no look-around."
        raise ConfigError(problem, where=where, got=repr(pattern), mend=mend) from cause


def _find_remote_reference(schema: Any) -> str | None:
    open_parts = [schema]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, Mapping):
            for key in ("$ref", "$dynamicRef", "$recursiveRef"):
                target = part.get(key)
                if isinstance(target, str) and not target.startswith("#"):
                    return target
            open_parts.extend(part.values())
        elif isinstance(part, (list, tuple)):
            open_parts.extend(part)
    return None


_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)


def read_json(answer: str) -> Any:
    """Return the value of the whole answer, or of its one fenced block; raises ValueError without JSON."""
    blocks = _FENCE.findall(answer)
    try:
        return json.loads(blocks[0] if len(blocks) == 1 else answer)
    except RecursionError as cause:
        raise ValueError("nested too deeply") from cause
