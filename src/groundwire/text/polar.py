"""A yes or no, judged as what was asked: alone, and before a reason."""

from __future__ import annotations

import re

from msgspec.structs import replace

from groundwire.text.claims import ClaimWords, read_claim
from groundwire.text.conflicts import find_conflict
from groundwire.text.corpus import Corpus
from groundwire.text.finding import Conflict
from groundwire.text.support import ClaimSupport, estimate_support

_YES = "yes|yeah|yep|ja|jo|oui|sí|sì|sim|tak|да"
_NO = "no|nope|nein|non|nee|nej|nei|não|nie|нет"
_BARE = re.compile(
    rf"\W*(?:(?P<yes>{_YES}|correct|right|true|si|はい|是)|(?P<no>{_NO}|incorrect|wrong|false|いいえ|不是))"
    r"(?:[,;:.]?\s+(?:it|they|he|she|you|there|that|this|we|i)\s+(?:is|are|was|were|can|cannot|may|must|do|does|did"
    r"|has|have|had|will|would|should|\w+n't)(?:\s+(?:not|none|any|so))?)?\W*",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|need|"
    r"ist|sind|darf|dürfen|kann|können|muss|müssen|hat|haben|est-ce|peut|puis|(?:se )?pued[eo]n?|es|está|hay"
    r"|(?:si )?può|è|é|posso|pode|há|må|får|er|är|kan|skal|ska|har|mag|mogen|moet|moeten|zijn|heeft|czy)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"\W*(?:(?P<yes>{_YES})|(?P<no>{_NO}))\s?[,:;.–—-]", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"\b(?:but|only|except|excluding|apart from|other than|exception|if|unless|provided|as long as|when|until"
    r"|some|certain|most|partly|however|aber|nur|außer|wenn|mais|sauf|si|pero|solo|salvo|men|kun|bare|bara|endast"
    r"|maar|alleen|tenzij|mas|só|exceto|ma|tranne|ale|tylko)\b",
    re.IGNORECASE,
)
MIN_SHARED = 0.9
_REASONS = frozenset(("negation", "opposite", "duty"))


def complete_reply(claim: ClaimWords, question: str | None) -> ClaimWords:
    """Read a bare yes or no as the statement that the question asks about; its range stays the answer's."""
    match = _BARE.fullmatch(claim.text)
    statement = None if match is None else _statement(question, is_no=match["no"] is not None)
    if statement is None:
        return claim
    return replace(read_claim(statement, 0, len(statement)), start=claim.start, end=claim.end)


def _statement(question: str | None, *, is_no: bool) -> str | None:
    """Return what a yes or no to a question states, or None where the question asks for neither."""
    if question is None or not _POLAR.match(question):
        return None
    return ("not " if is_no else "") + re.split(r"(?<=[.!?])\s+", question.strip())[-1].rstrip("?？ ")


def find_reply_conflict(support: ClaimSupport, question: str, corpus: Corpus) -> Conflict | None:
    """Return the conflict of the yes or no that opens a claim with what a source says of the question.

    None where the claim or the source qualifies it ("yes, but only …", "…, except …"), and where the claim
    goes on with what that very sentence says.
    """
    text = support.claim.text
    match = _OPENING.match(text)
    statement = None if match is None else _statement(question, is_no=match["no"] is not None)
    if match is None or statement is None or _QUALIFIED.search(text, match.end()):
        return None
    conflict = find_conflict(
        estimate_support(read_claim(statement, 0, len(statement)), corpus), corpus
    ).conflict
    if conflict is None or conflict.sentence is None or conflict.reason not in _REASONS:
        return None
    if corpus.reading(conflict.sentence).has_exception:
        return None
    goes_on = conflict.sentence in support.sentences[:1] and len(support.claim.content) >= 2
    return None if goes_on and support.coverage >= MIN_SHARED else conflict
