"""Providers' answers as mappings and as objects: what is read of each documented form."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.shapes import read_result
from shapes import payloads


def as_objects(value: Any) -> Any:
    """Rebuild nested mappings as plain objects."""
    if isinstance(value, dict):
        return SimpleNamespace(**{name: as_objects(stored) for name, stored in value.items()})
    return [as_objects(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", payloads.ALL)
def test_documented_form_is_read_whole(name: str) -> None:
    """Answer, contexts, citations with verified offsets, usage, model and finish reason are read."""
    payload, expected = payloads.ALL[name]
    assert read_result(payload) == expected


@pytest.mark.parametrize("name", payloads.ALL)
def test_dump_that_went_through_json_says_the_same(name: str) -> None:
    """A dump found in a trace reads like the live mapping."""
    payload, expected = payloads.ALL[name]
    assert read_result(json.loads(json.dumps(payload))) == expected


@pytest.mark.parametrize("name", payloads.ALL)
def test_objects_say_what_mappings_say(name: str) -> None:
    """Attributes are read like keys."""
    payload, expected = payloads.ALL[name]
    assert read_result(as_objects(payload)) == expected
