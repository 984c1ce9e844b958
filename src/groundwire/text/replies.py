"""Questions inside a source, and the yes or no that follows them."""

from __future__ import annotations

from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_YES = frozenset("yes yeah ja oui sí si да".split())
_NO = frozenset("no nope nein non нет".split())


def is_question(text: str) -> bool:
    """Return True if a sentence ends with a question mark."""
    return text.rstrip(" \t\r\n\"'”’»)*_").endswith(("?", "？"))


def denies_reply(claim: Reading, support: ClaimSupport, corpus: Corpus) -> tuple[int, bool] | None:
    """Return the source's question that the claim answers, and whether it denies the source's reply.

    None where no source asks what the claim states and answers it by yes or no.
    """
    content = support.claim.content
    for i in support.sentences[:3]:
        if not content or not is_question(corpus.sentence_text(i)):
            continue
        reply = _reply_to(i, corpus)
        codes = corpus.sentences[i]
        found = sum(any(form in codes for form in support.forms[k]) for k in content)
        if reply is not None and found >= 0.9 * len(content):
            is_same = claim.has_negator == corpus.reading(i).has_negator
            return i, reply != is_same
    return None


def _reply_to(index: int, corpus: Corpus) -> bool | None:
    if index + 1 >= len(corpus.origins) or corpus.origins[index + 1][0] != corpus.origins[index][0]:
        return None
    first = corpus.reading(index + 1).words[:1]
    if first and first[0] in _YES:
        return True
    return False if first and first[0] in _NO else None
