"""What a claim adds to what the sources say: a clause, a tail, a thing more, the sense of a seam or a mix."""

from __future__ import annotations

from groundwire.text.caseless import Caseless
from groundwire.text.clauses import real_clauses
from groundwire.text.corpus import Corpus
from groundwire.text.support import ClaimSupport, closest_sentences

MAX_TAIL = 5
_ENDS = frozenset(".!?…:;。！？।")


def adds_clause(support: ClaimSupport) -> bool:
    """Return True if a clause of the claim, verb and all, says only what stands in no source."""
    claim = support.claim
    if not support.absent or len(claim.content) > 12 or support.coverage < 0.5:
        return False
    absent = set(support.absent)
    reading = claim.reading
    return any(
        said and set(said) <= absent
        for words in real_clauses(reading)[1:]
        for said in [[i for i in words if i in claim.content]]
    )


def adds_tail(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if the claim says all that a sentence says, in its order, and then what stands nowhere.

    ``The bridge is closed until Friday because of a flood`` of ``The bridge is closed until Friday``.
    """
    content, absent = support.claim.content, set(support.absent)
    tail = [i for i in content if i in absent]
    if not 1 <= len(tail) <= MAX_TAIL or len(content) - len(tail) < 2:
        return False
    if list(content[-len(tail) :]) != tail or tail[0] == 0 or support.claim.text.rstrip().endswith(":"):
        return False
    said = [support.forms[i] for i in content[: -len(tail)]]
    for i in support.sentences[:2]:
        sentence = corpus.reading(i)
        theirs = [sentence.codes[j] for j in sentence.content]
        if len(theirs) == len(said) and all(code in forms for code, forms in zip(theirs, said, strict=True)):
            return True
    return False


def is_scattered(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if all words stand somewhere, but nowhere together: right words, new combination.

    Not where each clause of the claim stands in one sentence.
    """
    content = support.claim.content
    if support.absent or support.coverage >= 0.6 or support.risk < 0.3:
        return False
    if len(content) < 6:
        return len(content) >= 4 and _crosses(support, corpus)
    parts = _parts(support)
    return len(parts) < 2 or not all(_stands_together(part, support, corpus) for part in parts)


def _parts(support: ClaimSupport) -> list[list[int]]:
    """Return the words that say something of each clause, with or without a verb."""
    clause = support.claim.reading.clause
    parts: dict[int, list[int]] = {}
    for i in support.claim.content:
        parts.setdefault(clause[i], []).append(i)
    return list(parts.values())


def _stands_together(part: list[int], support: ClaimSupport, corpus: Corpus) -> bool:
    found = closest_sentences(part, support.claim.rarities, support.forms, corpus, count=1)
    return any(all(_holds(corpus.sentences[k], i, support) for i in part) for k in found)


def _holds(codes: str, i: int, support: ClaimSupport) -> bool:
    return any(form in codes for form in support.forms[i])


def _crosses(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if both halves of a claim take one word each from the same two sentences.

    ``The hulls are of spruce, the masts of larch`` of sentences that say it the other way round.
    """
    parts = _parts(support)
    if len(parts) != 2 or len(support.sentences) < 2:
        return False
    a, b = (corpus.sentences[k] for k in support.sentences[:2])
    for part in parts:
        in_a = [_holds(a, i, support) for i in part]
        in_b = [_holds(b, i, support) for i in part]
        if (
            in_a == in_b
            or not (any(in_a) and any(in_b))
            or any(x == y for x, y in zip(in_a, in_b, strict=True))
        ):
            return False
    return True


_INSTRUCTION = Caseless(
    r"\b(?=[acdfily])(?:(?:ignore|disregard|forget) (?:all |any |of |the |your )*"
    r"(?:previous|prior|above|earlier) (?:instruction|prompt)"
    r"|(?:assistants?|chatbots?|language models?|ai(?: models?| systems?)?|llms?)\b[^.]{0,20}[:,][^.]{0,40}"
    r"\b(?:say|answer|respond|reply|tell|claim|state|write)\b"
    r"|you (?:must|should) (?:always )?(?:answer|respond|reply|say) (?:that|with)\b)"
    r"|^\W*system(?: prompt| message)?:"
)
_INSTRUCTION_CUES = (
    "ignore", "disregard", "forget", "assistant", "chatbot", "llm", "system", "language model", "ai",
    "you must", "you should",
)  # fmt: skip
"""Without one of these there is no such instruction."""


def rests_on_instruction(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if only a sentence that tells an assistant what to say says what the claim says."""
    if not support.sentences:
        return False
    sentence = corpus.sentence_text(support.sentences[0])
    return _is_instruction(sentence) and not _is_instruction(support.claim.text)


def _is_instruction(text: str) -> bool:
    low = text.lower()
    return any(map(low.__contains__, _INSTRUCTION_CUES)) and _INSTRUCTION.search(text) is not None


def spans_seam(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if the claim runs from the cut end of one source into the beginning of another."""
    codes = support.claim.codes
    if len(corpus.sources) < 2 or len(codes) < 4:
        return False
    ends = [
        source.codes[-1]
        for source in corpus.sources
        if source.codes and source.prepared.rstrip()[-1:] not in _ENDS and source.codes[-1][-2:] in codes
    ]
    starts = [
        source.codes[0]
        for source in corpus.sources
        if source.codes and source.prepared.lstrip()[:1].islower() and source.codes[0][:2] in codes
    ]
    return any(
        end[-2:] + start[:2] in codes and end[-2:] + start[:2] not in corpus.joined
        for end in ends
        for start in starts
        if len(end) >= 2 and len(start) >= 2
    )
