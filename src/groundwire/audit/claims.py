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
    selected_from: int | None
    """Size of the log that a selection was made from; None for a whole log."""
    is_tampered: bool
    kept_size: int | None
    """Size of the checkpoint that the reader gave."""
    key_name: str | None
    """Name of the key that the reader gave."""
    signed_size: int | None
    """Size of the largest checkpoint that this key signed."""
    content: dict[str, int]


def claims_of(facts: Facts) -> list[Claim]:
    """Return the claims in the order in which a reviewer asks for them."""
    if facts.is_tampered:
        return [Claim("that the log says what was written into it", False, "see the findings above")]
    return [_inside(facts), _end(facts), _content(facts), _author(facts), *_never()]


def _inside(facts: Facts) -> Claim:
    if facts.selected_from is not None:
        what = f"each record is unchanged and part of a log of {facts.selected_from} records"
        return Claim(what, True, "proofs of inclusion, up to the checkpoint")
    return Claim("no record was edited, inserted, reordered or cut out", True, "hash chain and Merkle root")


def _end(facts: Facts) -> Claim:
    if facts.selected_from is not None:
        by = "a selection shows what it shows, and nothing of the rest"
        return Claim("that no record was left out", False, by)
    what = "no record was removed from the end, the log was not rewritten"
    if facts.kept_size is not None:
        by = f"your checkpoint of size {facts.kept_size}"
        return Claim(what + _up_to(facts.kept_size, facts.size), True, by)
    if facts.signed_size is not None:
        by = f"signature of {facts.key_name} over size {facts.signed_size}"
        return Claim(f"{what} without the key{_up_to(facts.signed_size, facts.size)}", True, by)
    return Claim(what, False, "give a checkpoint that you kept: --checkpoint FILE")


def _up_to(size: int, whole: int) -> str:
    """Say which records a checkpoint covers, where it does not cover all."""
    return "" if size == whole else f" (records 0 to {size - 1})"


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
    if facts.signed_size is not None:
        return Claim(f"who wrote it{_up_to(facts.signed_size, facts.size)}", True, f"key {facts.key_name}")
    return Claim("who wrote it", False, "no public key was given: --public-key KEY")


def _never() -> list[Claim]:
    return [
        Claim("when it was written", False, "times are the writer's own clock (see: audit anchor)"),
        Claim("that the grades are right", False, "the log proves what was said, not that it is true"),
        Claim("that every production answer is in it", False, "what was not sampled or not read is not"),
    ]
