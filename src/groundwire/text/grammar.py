# ruff: noqa: E501
"""Words and patterns of grammar: what negates, excepts, ends a clause, allows or obliges; several languages."""

from __future__ import annotations

import re

from groundwire.text.caseless import Caseless

NEGATORS = frozenset(
    """
not no never none nor neither cannot niemand niemanden nadie ninguém никто nikt nobody nothing nowhere without hardly scarcely barely seldom rarely unable
fail fails failed failing failure inability absence refuse refuses refused refusing lack lacks lacked lacking isnt arent wasnt werent dont
doesnt didnt cant wont wouldnt shouldnt couldnt mustnt non
nicht kein keine keinen keinem keiner nie niemals ohne pas jamais aucun aucune sans nunca sin ningún ninguno
ninguna não nao sem mai senza nessun nessuno nessuna niet geen nooit zonder не нет ни никогда без δεν δε μην μη όχι ποτέ değil yok لن لم не ні немає inte aldrig nie nigdy brak ikke ei eivät emme ettei eikä non لا لم ليس ليست غير לא नहीं
""".split()
)
NOT_NEGATING = Caseless(
    r"\b(?:not|no)\s+(?:only|just|merely|simply|least|doubt|matter|more than|less than|fewer than|later than|longer than"
    r"|earlier than|sooner|to mention|until|till|before|wonder|other than)\b"
    r"|\b(?:not|never|cannot|don't|mustn't)(?: \w+){1,4}? (?:more|less|fewer|longer|later|higher|heavier) than\b"
    r"|\b(?:not|never|cannot)(?: \w+){0,2} exceed"
    r"|\b(?:if|or|whether or|why)\s+not\b|\bno\.?[ \u00a0]?\d|\bnothing but\b|\b(?:costs?|pays?|paid|charged?) nothing\b|\bnone other\b"
)
SHORT_SCOPE = frozenset(("without", "ohne", "sans", "sin", "sem", "senza", "zonder", "без", "non"))
SHORT_WORDS = 4
FINAL_NEGATORS = frozenset("nicht niet inte ikke".split())
"""What negates, at the end of its clause, the words before it."""
NOUN_NEGATORS = frozenset(
    "no neither nor none nobody nothing kein keine keinen keinem keiner aucun aucune".split()
)
NEEDS_TO = frozenset("fail fails failed failing failure refuse refuses refused refusing inability".split())
SCOPE_ENDS = frozenset(
    "but while whereas although though however because and since which who whose aber sondern mais pero sino und et y а но и".split()
)
CLAUSE_STARTS = frozenset(
    "and but while whereas although though however or und aber et mais y pero e en и а но".split()
)
EXCEPTIONS = Caseless(
    r"\b(?:except(?:ing|ion)?(?: for| of)?|excluding|other than|apart from|aside from|with the exception of"
    r"|save for|unless|außer|ausgenommen|sauf|hormis|excepto|salvo|exceto|tranne|behalve|кроме)\b"
    r"|(?<!al )\bmenos(?= (?:el|la|los|las)\b)"
)
EXCEPTION_WORDS = frozenset(
    "except excepting exception excluding other apart aside but save unless außer ausgenommen sauf hormis excepto salvo exceto tranne behalve menos кроме".split()
)
SUBORDINATE = frozenset("if whether when unless wenn falls ob si quand cuando se если".split())
PUNCTUATION = re.compile(r"[,;:()\[\]—–、，；：]|\s-\s")
SCOPE_MARK = re.compile(r"[,;:()\[\]—–、，；：\"“”«»]|\s-\s|''")
HARD = re.compile(r"[;:()\[\]|—–、，；：]|\s-\s")

UNSPACED_NEGATION = re.compile(
    r"(?P<before>[不没沒未勿莫]|ไม่|ห้าม)|(?P<after>ません|なかった|ない(?![い])|ず(?=[、。])|않|없|못)"
)

PERMIT, OBLIGE = "permit", "oblige"
PERMITS = frozenset("may can allowed permitted dürfen darf kann können peut peuvent puede pueden".split())
OBLIGES = frozenset(
    "must shall required obliged mandatory compulsory obligatory muss müssen doit doivent debe deben".split()
)
