"""Tables of field names: which names mean the same thing, and what a value has of them.

A value is read in one pass over the names that it *has*, not over the hundreds that are known.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import MAX_ITEMS, Fields
from groundwire.shapes.budget import Exhausted, budget


def name_table(spaced: str) -> tuple[str, ...]:
    """Split a table of field names, which stands in the code as one readable text."""
    return tuple(spaced.split())


Found = list[tuple[int, Any]]
"""What has one role: pairs of the name's rank and the stored value, the best name first."""
Roles = dict[str, tuple[str, int]]


_FREE: Final = 3
"""So few names can not multiply to much within the greatest depth, and most passages have no more."""


def role_table(**spaced: str) -> Roles:
    """Map each name to its role and its rank among the role's names, which stand in order of trust.

    >>> role_table(text="content body")
    {'content': ('text', 0), 'body': ('text', 1)}
    """
    return {name: (role, rank) for role, names in spaced.items() for rank, name in enumerate(names.split())}


def by_role(fields: Fields, roles: Roles) -> dict[str, Found]:
    """Sort the stored fields by their role; unknown names and None are left out.

    >>> by_role({"body": "b", "content": "a", "x": 1}, role_table(text="content body"))
    {'text': [(0, 'a'), (1, 'b')]}
    """
    found: dict[str, Found] = {}
    count = len(fields)
    if count > MAX_ITEMS:
        return found
    if count > _FREE:
        budget.left = left = budget.left - count
        if left < 0:
            raise Exhausted
    for name, stored in fields.items():
        role = roles.get(name) if stored is not None and type(name) is str else None
        if role is not None:
            kind, rank = role
            if kind in found:
                found[kind].append((rank, stored))
                found[kind].sort(key=_rank)
            else:
                found[kind] = [(rank, stored)]
    return found


def _rank(pair: tuple[int, Any]) -> int:
    return pair[0]
