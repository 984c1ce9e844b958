"""Free of charge or to be paid, however it is worded: ``costs nothing``, ``no fee``, ``need not pay``."""

from __future__ import annotations

from groundwire.text.alignment import Alignment, find_opposite
from groundwire.text.caseless import Caseless
from groundwire.text.polarity import is_turned_opposite
from groundwire.text.reading import Reading

AGREE, DIFFER = "agree", "differ"
_CUES = frozenset(
    """
free charge charged gratis complimentary cost costs fee fees pay pays paid paying payment waive waives waived
price kostenlos kostenfrei gebühr gebühren zahlen zahlt bezahlen bezahlt frei freier freien eintritt gratuit
gratuits gratuite gratuites gratuitement paie paient payer paye payent gratuita gratuito gratuitos gratuitas
pagan paga pagar pago pagano pagare gratuiti grátis pagam betalen betaalt betaal kosteloos
""".split()
)
_FREE_OF_CHARGE = (
    r"\bfree (?:of charge|admission|entry|entrance)\b|\bfor free\b|\b(?:admission|entry|entrance) is free\b"
    r"|\bgratis\b|\bcomplimentary\b"
    r"|\bwaive[sd]?\b|\bkosteloos\b|\bbeta(?:alt|len) niets\b|\bgrátis\b"
    r"|\bno (?:\w+ )?(?:charge|cost|fee|payment)s?\b(?: (?:is|are) (?:charged|payable|due))?"
    r"|\b(?:costs?|pays?|paid|charged?) (?:\w+ ){0,2}nothing\b"
    r"|(?:(?<!can )(?<!may )\b(?:not|never|without)|(?<!ca)n't)(?: have to| need to)?"
    r" (?:pay|paying|charge|charged|cost)\b"
    r"|\bkosten(?:los|frei)\b|\beintritt frei\b|\bfreie[rn]? eintritt\b|\bkeine[n]? (?:eintritt|gebühr\w*)\b"
    r"|\bzahl(?:t|en) (?:\w+ )?nichts\b|\bgratuit\w*|\bne pa[iy]\w+ (?:rien|pas)\b"
    r"|\b(?:no|non|não) paga\w*(?: (?:nada|nulla|niente))?\b"
)
_FREE = Caseless(r"\bfree\b|\bno admission\b|" + _FREE_OF_CHARGE)
_SURELY_FREE = Caseless(_FREE_OF_CHARGE)
_PAID = Caseless(
    r"\b(?:pays?|must pay|be paid|charged|costs?|(?:be)?zahl(?:en|t)|kostet|pa(?:ie|ient|yer|yent|ye)"
    r"|pagan?|pagar|pagano|pagare|pagam|beta(?:alt|len))\b"
)
_SHARES = frozenset("half full reduced".split())
_ENTRY = frozenset(
    "to get gets in into enter enters admission admitted entry entrance eintritt entrer entrée entrent entrar"
    " entrada ingresso entrare toegang".split()
)
_CUES_OR_ENTRY = _CUES | _ENTRY


def compare_charges(claim: Reading, sentence: Reading) -> str | None:
    """Return ``agree`` if both texts say in other words that something costs nothing, ``differ`` if one does.

    >>> compare_charges(Reading("Residents do not pay."), Reading("It is free of charge for residents."))
    'agree'
    """
    if _CUES.isdisjoint(claim.words) or _CUES_OR_ENTRY.isdisjoint(sentence.words):
        return None
    theirs = _clause_of(sentence, claim) if _is_paid(sentence.text) else sentence.text
    here, there = _FREE.search(claim.text), _FREE.search(theirs)
    if here and there:
        is_plain = here[0].split()[:1] == there[0].split()[:1]
        return None if is_plain or _negates_more(claim) or _negates_more(sentence) else AGREE
    if (_is_paid(claim.text) and _SURELY_FREE.search(theirs) and not _is_paid(theirs)) or (
        _is_paid(theirs) and _SURELY_FREE.search(claim.text) and not _is_paid(claim.text)
    ):
        return DIFFER
    return None


def _negates_more(reading: Reading) -> bool:
    """Return True if a text negates something beyond saying what costs nothing."""
    free = [match.span() for match in _FREE.finditer(reading.text)] if reading.negators else []
    tokens = [reading.tokens[i] for i in reading.negators]
    return any(not any(s < token.end and token.start < e for s, e in free) for token in tokens)


def _is_paid(text: str) -> bool:
    """Return True if a text speaks of payment besides saying what costs nothing."""
    paid = [match.start() for match in _PAID.finditer(text)]
    free = [match.span() for match in _FREE.finditer(text)] if paid else []
    return any(not any(s <= at < e for s, e in free) for at in paid)


def _clause_of(sentence: Reading, claim: Reading) -> str:
    """Return the clause of a sentence that speaks of what the claim names first, else the sentence."""
    mine = (claim.codes[i] for i in claim.content if claim.words[i] not in _CUES)
    at = next((sentence.codes.index(code) for code in mine if code in sentence.codes), None)
    if at is None:
        return sentence.text
    words = [
        t for t, clause in zip(sentence.tokens, sentence.clause, strict=True) if clause == sentence.clause[at]
    ]
    return sentence.text[words[0].start : words[-1].end]


def differs_beside_charge(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if two texts that agree on the charge have opposite words for something else."""
    opposite = find_opposite(claim, sentence, aligned)
    return (
        opposite is not None
        and claim.words[opposite[0]] not in _CUES
        and not is_turned_opposite(claim, sentence, aligned, opposite)
    )


def words_of_charge(claim: Reading, sentence: Reading) -> list[int]:
    """Return the words by which a claim says that something, an entrance where both name one, is free."""
    spans = [match.span() for match in _FREE.finditer(claim.text)]
    same_entry = not _ENTRY.isdisjoint(sentence.words)
    return [
        i
        for i, token in enumerate(claim.tokens)
        if claim.words[i] in _CUES
        or (claim.words[i] in _SHARES and claim.words[i + 1 : i + 2] == ["price"])
        or (same_entry and claim.words[i] in _ENTRY)
        or any(start <= token.start < end for start, end in spans)
    ]
