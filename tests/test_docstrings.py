"""The examples in docstrings are true: every module of the package is run through doctest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import groundwire

LEFT_OUT = ("groundwire.__main__", "groundwire.audit.bundle")
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(groundwire.__path__, "groundwire.")
    if not found.name.startswith(LEFT_OUT)
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_print_what_they_say(name: str) -> None:
    """A reader who types an example gets what the docstring shows."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    """A walk that finds nothing must not pass silently."""
    assert len(MODULES) > 200
