"""The published JSON Schemas: of a record, of a content file, of a manifest. Released ones never change."""

from __future__ import annotations

import functools
from typing import Any

import orjson

from groundwire.audit.schema import CONTENT_SCHEMA, MANIFEST_SCHEMA, record_json_schema

RECORD_FILE = "audit-record.v1.schema.json"
CONTENT_FILE = "audit-content.v1.schema.json"
MANIFEST_FILE = "audit-manifest.v1.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@functools.cache
def schema_bytes() -> dict[str, bytes]:
    """Return every published schema by its file name."""
    schemas = {
        RECORD_FILE: record_json_schema(),
        CONTENT_FILE: content_json_schema(),
        MANIFEST_FILE: manifest_json_schema(),
    }
    return {name: _render(name, schema) for name, schema in schemas.items()}


def _render(name: str, schema: dict[str, Any]) -> bytes:
    head = {"$schema": _DIALECT, "$id": f"urn:groundwire:{name}"}
    return orjson.dumps({**head, **schema}, option=orjson.OPT_INDENT_2) + b"\n"


def content_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a content file."""
    salted = {
        "type": "object",
        "required": ["salt", "value"],
        "additionalProperties": False,
        "properties": {"salt": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "value": {}},
    }
    return {
        "title": "The content of one record of a groundwire audit log, version 1",
        "type": "object",
        "required": ["fields", "schema"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": CONTENT_SCHEMA},
            "fields": {"type": "object", "additionalProperties": salted},
        },
    }


def manifest_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest file."""
    commitment = {
        "type": "object",
        "required": ["alg"],
        "properties": {"alg": {"type": "string"}, "commit": {"type": "string"}},
    }
    text = {"type": "string"}
    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    grader = {
        "type": "object",
        "required": ["name", "version", "basis", "config_digest"],
        "properties": {"name": text, "version": text, "basis": text, "config_digest": text},
    }
    source = {
        "type": "object",
        "required": ["name", "counts"],
        "properties": {
            "name": commitment,
            "sha256": digest,
            "size_bytes": {"type": "integer", "minimum": 0},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
    }
    former = {
        "type": "object",
        "required": ["size", "root"],
        "properties": {"size": {"type": "integer", "minimum": 0}, "root": digest},
    }
    return {
        "title": "What a run says of itself in a groundwire audit log, version 1",
        "type": "object",
        "required": [
            "schema",
            "run_id",
            "groundwire_version",
            "config_digest",
            "graders",
            "inputs",
            "timezone",
        ],
        "properties": {
            "schema": {"const": MANIFEST_SCHEMA},
            "run_id": text,
            "groundwire_version": text,
            "python_version": text,
            "os": text,
            "timezone": text,
            "config_digest": digest,
            "config": commitment,
            "command": commitment,
            "selector": commitment,
            "price_data_version": text,
            "versions": {"type": "object", "additionalProperties": text},
            "graders": {"type": "array", "items": grader},
            "inputs": {"type": "array", "items": source},
            "former_checkpoint": former,
        },
    }
