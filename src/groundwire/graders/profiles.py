"""Threshold profiles of the estimated graders, read from ``profiles.toml`` beside this file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

from groundwire.graders.options import unknown_name

DEFAULT = "qa"
"""The profile of answers over retrieved passages."""


class Profile(NamedTuple):
    """One profile; the fields are explained in ``profiles.toml``."""

    name: str
    answer_exponent: float
    answer_risk: float
    claim_foreign: float
    claim_unsupported: float
    claim_partly: float
    question_credit: float
    any_part: bool
    edit: bool
    conflicts: bool


@cache
def read_profiles() -> dict[str, Profile]:
    """Return the shipped profiles by name.

    >>> sorted(read_profiles())
    ['any_part', 'edit', 'qa', 'rate']
    """
    text = resources.files("groundwire.graders").joinpath("profiles.toml").read_text("utf-8")
    return {name: Profile(name=name, **fields) for name, fields in tomllib.loads(text).items()}


def find_profile(name: str) -> Profile:
    """Return the profile ``name``; raises ConfigError if there is none."""
    profiles = read_profiles()
    if name not in profiles:
        raise unknown_name(name, profiles, what="profile", where="profile")
    return profiles[name]
