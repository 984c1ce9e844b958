"""Words of a text: what a token is, and the key under which two words count as the same.

A token never holds white space. Numbers stay whole (``1.5``, ``9:30``, ``1,200``), identifiers too
(``K-240``, ``C++``), and a script without spaces gives one token a character (katakana: one a run).
"""

from __future__ import annotations

import re
import threading
from typing import Any

import snowballstemmer
from msgspec import Struct

from groundwire.text.characters import FILLER, UNSPACED, fold_characters
from groundwire.text.lexicon import FUNCTION_WORDS, IRREGULAR, NUMBER_WORDS, ORDINAL_WORDS

_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u200b-\u200f\u00ad\u2060\ufeff"


def _compile_token(letter: str, digit: str, alnum: str, word: str) -> re.Pattern[str]:
    """Return the pattern of a token; the first group only skips fast what begins none."""
    return re.compile(
        rf"(?=[{word}+−-])(?:{letter}+(?:['’ʼ＇]{letter}+|\+\+|#|-?[0-9]+{alnum}*(?:-[0-9]+)*|[{_MARKS}][{word}{_MARKS}]*)?"
        rf"|{digit}+(?:\([a-z0-9]{{1,3}}\))+"
        rf"|(?:(?<![{word}])[-−+](?=\.?{digit}))?{digit}+(?:['’]{digit}{{3}}(?!{digit}))*(?:[.,:/]{digit}+)*(?:(?:st|nd|rd|th|s)\b)?)"
    )


TOKEN = _compile_token(r"[^\W\d_]", r"\d", r"[^\W_]", r"\w")
_ASCII_TOKEN = _compile_token("[A-Za-z]", "[0-9]", "[A-Za-z0-9]", "A-Za-z0-9_")
"""The same for plain text, where ranges are tested much faster than categories."""
_UNSPACED_PIECES = re.compile(
    r"[月火水木金土日]曜日?|(?:星期|周|週|礼拜)[一二三四五六日天]"
    r"|(?:สิบเอ็ด|สิบสอง|หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ)"
    r"(?=โมง|นาฬิกา|นาที|ชั่วโมง|วัน|คน|เดือน|ปี|บาท|ครั้ง|ทุ่ม|ชิ้น|แห่ง|เมตร|กิโล)"
    r"|วัน(?:จันทร์|อังคาร|พุธ|พฤหัสบดี|พฤหัส|ศุกร์|เสาร์|อาทิตย์)"
    r"|(?:มกรา|มีนา|พฤษภา|กรกฎา|สิงหา|ตุลา|ธันวา)คม|(?:เมษา|มิถุนา|กันยา|พฤศจิกา)ยน|กุมภาพันธ์"
    rf"|\d+|[\u30a0-\u30ff\uff66-\uff9f]+|[〇一二三四五六七八九十百千万億]+|{UNSPACED.pattern}[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1031-\u103e\u17b6-\u17d3\u3099\u309a]*|[^\W\d_]+|\d+"
)


class Token(Struct, frozen=True, gc=False):
    """One word: its ``key``, its range in the text, and the text itself."""

    key: str
    start: int
    end: int
    text: str


class _KeyMemo(dict[str, str]):
    """Keys by surface; emptied when it grows too large."""

    def __missing__(self, surface: str) -> str:
        if len(self) > 300_000:
            self.clear()
        key = word_key(surface)
        if len(surface) <= 40:
            self[surface] = key
        return key


_KEYS = _KeyMemo()
key_of = _KEYS.__getitem__
"""As :func:`word_key`, remembered by surface."""


def split_words(text: str) -> list[str]:
    """Return only the keys of the words of ``text``, in order.

    >>> split_words("The 3 doses")
    ['the', '#3', 'dose']
    """
    if text.isascii():
        return list(map(key_of, _ASCII_TOKEN.findall(text)))
    keys: list[str] = []
    for surface in TOKEN.findall(text):
        if not surface.isascii() and UNSPACED.search(surface):
            keys += map(key_of, _UNSPACED_PIECES.findall(surface))
        else:
            keys.append(key_of(surface))
    return keys


def tokenize(text: str) -> list[Token]:
    """Return the words of ``text`` in order.

    >>> [t.key for t in tokenize("The 3 doses of 1.5mg, C++ and K-240")]
    ['the', '#3', 'dose', 'of', '#1.5', 'mg', 'c++', 'and', 'k240']
    """
    tokens: list[Token] = []
    at = 0
    for surface in (_ASCII_TOKEN if text.isascii() else TOKEN).findall(text):
        start = text.find(surface, at)
        at = start + len(surface)
        if not surface.isascii() and UNSPACED.search(surface):
            for piece in _UNSPACED_PIECES.finditer(surface):
                first, last = piece.span()
                tokens.append(Token(_KEYS[piece[0]], start + first, start + last, piece[0]))
        else:
            tokens.append(Token(_KEYS[surface], start, at, surface))
    return tokens


MAX_STEMMED_LETTERS = 32
"""Longer words are their own stem."""
_STEM_LANGUAGES = (
    ("\u0400", "\u052f", "russian"),
    ("\u0370", "\u03ff", "greek"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)


_STEMMERS = threading.local()


def _stemmer(language: str) -> Any:
    """Return this thread's stemmer: one keeps the word that it is at, so no two threads may share it."""
    mine: dict[str, Any] = _STEMMERS.__dict__
    if language not in mine:
        mine[language] = snowballstemmer.stemmer(language)
    return mine[language]


THAI_NUMBERS = {name: i for i, name in enumerate("หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ สิบเอ็ด สิบสอง".split(), 1)}
_HAN_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "億": 10**8}


def word_key(surface: str) -> str:
    """Return the key of one word: stem, number value (``#3``) or identifier; independent of its place.

    >>> word_key("Organisations'"), word_key("three"), word_key("1,200"), word_key("children")
    ('organiz', '#3', '#1200', 'child')
    """
    word = fold_characters(surface.replace(FILLER, ""))
    if not word:
        return ""
    if word[-1] == ")":
        return word.replace("(", "").replace(")", ".").rstrip(".")
    if word[0].isdecimal() or (len(word) > 1 and word[0] in "-+" and word[1].isdecimal()):
        return number_key(word)
    if word in THAI_NUMBERS:
        return f"#{THAI_NUMBERS[word]}"
    if word in NUMBER_WORDS and word != "one":
        return f"#{NUMBER_WORDS[word]}"
    if word in ORDINAL_WORDS and ORDINAL_WORDS[word] > 2:
        return f"#{ORDINAL_WORDS[word]}"
    if word[0] in _HAN_DIGITS or word[0] in _HAN_UNITS:
        value = han_number(word)
        return word if value is None else f"#{value}"
    if not word.isalpha():
        return _mixed_key(word)
    return _stem(word)


def number_key(word: str) -> str:
    """Return the key of a number as written: its value, thousands separators and ordinal endings dropped.

    >>> number_key("1,200.50"), number_key("2nd"), number_key("09:30"), number_key("1.234,5")
    ('#1200.5', '#2', '#9:30', '#1234.5')
    """
    word = word.rstrip("abcdefghijklmnopqrstuvwxyz").lstrip("+")
    sign = "-" if word[0] == "-" else ""
    word = word.lstrip("-")
    if ":" in word or "/" in word:
        return "#" + sign + word.lstrip("0").rjust(1, "0")
    return "#" + sign + plain_number(word)


def plain_number(word: str) -> str:
    """Return digits with one decimal point, no separators, no idle zeros."""
    word = word.replace("'", "")
    commas, points = word.count(","), word.count(".")
    if commas and points:
        decimal = max(word.rfind(","), word.rfind("."))
        word = re.sub("[.,]", "", word[:decimal]) + "." + word[decimal + 1 :]
    elif commas:
        head, _, tail = word.rpartition(",")
        grouped = all(len(part) == 3 for part in word.split(",")[1:]) and 0 < len(word.split(",")[0]) <= 3
        word = word.replace(",", "") if grouped or commas > 1 else f"{head}.{tail}"
    elif points > 1:
        grouped = all(len(part) == 3 for part in word.split(".")[1:])
        return word.replace(".", "") if grouped else word
    digits = word if word.isascii() else "".join(str(int(c)) if c.isdecimal() else c for c in word)
    whole, dot, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (dot + fraction if fraction else "")


def han_number(word: str) -> int | None:
    """Return the value of a number written in Han characters, or None.

    >>> han_number("二十五"), han_number("一九六七")
    (25, 1967)
    """
    if all(c in _HAN_DIGITS for c in word):
        return int("".join(str(_HAN_DIGITS[c]) for c in word))
    total, section, digit = 0, 0, 0
    for char in word:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_UNITS:
            unit = _HAN_UNITS[char]
            if unit >= 10_000:
                total, section, digit = total + (section + digit or 1) * unit, 0, 0
            else:
                section, digit = section + (digit or 1) * unit, 0
        else:
            return None
    return total + section + digit


_ELIDED = frozenset("l d n s j qu un dell all nell dall sull".split())
"""Articles and prepositions that lose their vowel before another word (``l'hôtel``, ``dell'anno``)."""


def _mixed_key(word: str) -> str:
    word = word.replace("'", "’") if "'" not in word else word
    if "'" in word:
        head, _, tail = word.rpartition("'")
        if tail in ("s", "") and head.isalpha():
            return word if head in ("it", "he", "she", "that", "there", "what", "let") else _stem(head)
        return _stem(tail) if head in _ELIDED and len(tail) > 2 and tail.isalpha() else word
    if any(c.isdigit() for c in word):
        return word.replace("-", "")
    return word


def _stem(word: str) -> str:
    word = _ABBREVIATED.get(word, word)
    base = IRREGULAR.get(word)
    if base is not None:
        return base
    if len(word) < 3 or len(word) > MAX_STEMMED_LETTERS:
        return word
    if word.isascii():
        return _stem_english(word)
    first = word[0]
    for low, high, language in _STEM_LANGUAGES:
        if low <= first <= high:
            return str(_stemmer(language).stemWord(word))
    return _stem_english(word)


def _stem_english(word: str) -> str:
    word = _VARIANTS.get(word, word)
    if word.endswith("str") and len(word) > 5:
        word += "asse"  # "Lindenstr."
    if word.endswith(("re", "res")) and len(word) > 5:
        word = _RE.sub("er", word)
    if "is" in word or "our" in word or "ys" in word:
        word = _british(word)
    stem = str(_stemmer("english").stemWord(word))
    if stem in FUNCTION_WORDS and word not in FUNCTION_WORDS:
        return word
    return IRREGULAR.get(stem, stem)


_RE = re.compile(r"(?<=[bt])re(?=s?$)")
_VARIANTS = {
    "grey": "gray", "programme": "program", "tyre": "tire", "jewellery": "jewelry", "catalogue": "catalog",
    "cheque": "check", "plough": "plow", "licence": "license", "defence": "defense", "offence": "offense",
    "storey": "story", "kerb": "curb", "sceptic": "skeptic", "aluminium": "aluminum", "mould": "mold",
}  # fmt: skip
_ABBREVIATED = {
    "dr": "doctor", "prof": "professor", "jr": "junior", "capt": "captain", "lt": "lieutenant",
    "sgt": "sergeant", "ave": "avenue", "blvd": "boulevard", "hwy": "highway", "mt": "mount",
    "mts": "mountains", "bldg": "building", "ltd": "limited", "inc": "incorporated",
    "corp": "corporation", "dept": "department", "govt": "government", "univ": "university",
    "assn": "association", "approx": "approximately", "max": "maximum", "str": "strasse",
}  # fmt: skip
"""Short for one word only, wherever they stand."""
_ISE = re.compile(r"(?<=[a-z]{3})is(?=(?:e|es|ed|ing|ation|ations|er|ers)$)")
_KEEP_ISE = frozenset(
    "promise premise exercise surprise enterprise otherwise precise advertise advise comprise".split()
)
_OUR = re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|ite|able|al|ful|hood|ist)?$)")
_KEEP_OUR = frozenset("hour hours four your tour tours pour sour flour detour contour".split())


def _british(word: str) -> str:
    if word.rstrip("sd") in _KEEP_ISE or word in _KEEP_OUR:
        return word
    word = _ISE.sub("iz", word)
    return word if word in _KEEP_OUR else _OUR.sub("or", word)
