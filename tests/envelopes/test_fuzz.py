"""A thousand mutants with every test run; ``fuzz.py`` runs as many as one likes."""

from __future__ import annotations

from envelopes.fuzz import run


def test_mutants_neither_crash_nor_grow() -> None:
    """No mutant of any file raises, gives a malformed value, harms its neighbors or takes memory."""
    _, grown = run(1_000, seed=20)
    assert grown < 200
