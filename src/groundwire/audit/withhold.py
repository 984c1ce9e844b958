"""What was erased stays erased: a later run over the same traces does not bring the texts back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import orjson

from groundwire.audit.canonical import canonical_bytes, join_members, plain_bytes
from groundwire.audit.content_fields import without_commits
from groundwire.audit.digests import identity
from groundwire.audit.prepare import Prepared


def without_kinds(prepared: Prepared, kinds: Collection[str]) -> Prepared:
    """Return the answer as if these kinds of content had not been kept.

    >>> from groundwire.audit import prepare
    >>> from groundwire.record import RagRecord
    >>> made = without_kinds(prepare(RagRecord(answer="Yes."), [], keep_content=True), {"answer"})
    >>> b"Yes" in made.content, orjson.loads(made.members["inputs"])["answer"]
    (False, {'alg': 'withheld/v1', 'length': 4})
    """
    if prepared.content is None:
        return prepared
    content = orjson.loads(prepared.content)
    rest = {name: field for name, field in content["fields"].items() if name.partition(".")[0] not in kinds}
    slots = orjson.loads(prepared.members["inputs"])
    inputs = {name: _withheld(slot) if name in kinds else slot for name, slot in slots.items()}
    members = {**prepared.members, "inputs": plain_bytes(inputs)}
    return msgspec.structs.replace(
        prepared,
        members=members,
        content=canonical_bytes({**content, "fields": rest}) + b"\n" if rest else None,
        record_id=identity(join_members({**members, "inputs": plain_bytes(without_commits(inputs))})),
    )


def _withheld(slot: Any) -> Any:
    if isinstance(slot, list):
        return [_withheld(item) for item in slot]
    rest = {"length": slot["length"]} if "length" in slot else {}
    return {"alg": "withheld/v1", **rest}
