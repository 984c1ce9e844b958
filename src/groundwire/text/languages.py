"""Which language a text is in, by its grammar words or its script; as sure as needed to tell two apart."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GRAMMAR = {
    "en": "the and of to in is are was were that it for on with as at by from this not have has be an or",
    "de": "der die das und ist sind war nicht mit auf für ein eine einen dem den des von zu im am auch sich",
    "fr": "le la les des du et est sont pas une dans pour avec sur qui que au aux ce cette il elle par à",
    "es": "el la los las del y es son no una por para con que se su sus al como más este esta pero",
    "it": "il lo gli le della dei di e è sono non una per con che si alla nel nella dal come più anche",
    "pt": "o os as da do dos das e é são não uma por para com que se ao à na no nas mais como",
    "nl": "de het een en van is zijn niet met op voor dat te aan bij ook naar wordt uit door",
}
_CALENDAR = {
    "en": "monday tuesday wednesday thursday friday saturday sunday every",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag uhr um jeden jede bis wird statt kein",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche heures heure chaque tous ouvre ferme",
    "es": "lunes martes miércoles jueves viernes sábado domingo horas cada abre cierra",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica ore ogni apre chiude",
    "pt": "segunda terça quarta quinta sexta sábado domingo horas cada abre fecha",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag uur elke om wordt",
}
"""Days and hours: what short notices in a language are made of, besides its grammar."""
_SETS = {
    language: frozenset((words + " " + _CALENDAR[language]).split()) for language, words in _GRAMMAR.items()
}
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)


def guess_language(words: Iterable[str]) -> str | None:
    """Return a language code for lower-case ``words``, or None when they do not tell.

    >>> guess_language("la biblioteca abre a las nueve los lunes".split())
    'es'
    """
    words = list(words)[:400]
    text = "".join(words)
    if not text.isascii():
        for language, script in _SCRIPTS:
            if len(script.findall(text)) * 3 > len(text):
                return language
    scores = {language: sum(map(known.__contains__, words)) for language, known in _SETS.items()}
    best = max(scores, key=lambda language: scores[language])
    others = max(score for language, score in scores.items() if language != best)
    is_sure = scores[best] >= 2 and (not others or scores[best] >= max(3, 2 * others))
    return best if is_sure else None
