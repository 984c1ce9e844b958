"""The sentences under *proved* and *not proved*: what the bytes show, and what they can not show."""

from __future__ import annotations

from msgspec import Struct


class Claim(Struct, frozen=True):
    """A sentence and whether it is proved, with what proves it or what would."""

    statement: str
    is_proved: bool
    by: str


class Facts(Struct, frozen=True):
    """What a verification found out."""

    size: int
    is_tampered: bool
    own_checkpoint: int | None
    """Size of the folder's own newest checkpoint."""
    kept_checkpoint: int | None
    """Size of the checkpoint that the reader gave."""
    key_name: str | None
    """Name of the key that was given."""
    is_signed: bool
    content: dict[str, int]


def claims_of(facts: Facts) -> list[Claim]:
    """Return the claims in the order in which a reviewer asks for them."""
    if facts.is_tampered:
        return [Claim("that the log says what was written into it", False, "see the findings above")]
    return [_inside(facts), _end(facts), _content(facts), _author(facts), *_never()]


def _inside(facts: Facts) -> Claim:
    return Claim("no record was edited, inserted, reordered or cut out", True, "hash chain and Merkle root")


def _end(facts: Facts) -> Claim:
    statement = "no record was removed from the end, the log was not rewritten"
    if facts.kept_checkpoint is not None:
        return Claim(
            f"{statement} (records 0 to {facts.kept_checkpoint - 1})", True,
            f"your checkpoint of size {facts.kept_checkpoint}",
        )  # fmt: skip
    if facts.is_signed:
        return Claim(
            f"{statement} by anyone without the key", True, f"signature over size {facts.own_checkpoint}"
        )
    return Claim(statement, False, "give a checkpoint that you kept: --checkpoint FILE")


def _content(facts: Facts) -> Claim:
    counts = facts.content
    if counts.get("checked"):
        return Claim(
            "the content at hand is what was graded", True, f"{counts['checked']} salted commitments"
        )
    if counts.get("not_in_this_copy"):
        return Claim("what the texts were", False, "content is not in this copy, not checked")
    if counts.get("withheld"):
        return Claim("what the texts were", False, "the runs kept no content (--content none)")
    return Claim("what the texts were", False, "no content at hand")


def _author(facts: Facts) -> Claim:
    if facts.is_signed:
        return Claim("who wrote it", True, f"key {facts.key_name}")
    return Claim("who wrote it", False, "no public key was given: --public-key KEY")


def _never() -> list[Claim]:
    return [
        Claim("when it was written", False, "times are the writer's own clock (see: audit anchor)"),
        Claim("that the grades are right", False, "the log proves what was said, not that it is true"),
        Claim("that every production answer is in it", False, "what was not sampled or not read is not"),
    ]
