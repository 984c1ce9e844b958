"""Characters: which look alike, which are invisible, which belong to scripts without spaces.

Everything here is about single characters or about changes that keep a text's length, so that offsets stay
those of the raw text.
"""

from __future__ import annotations

import re
import unicodedata

_SINGLE_QUOTES = "‘’‚‛′ʼʹ＇`´"
_DOUBLE_QUOTES = "“”„‟″«»〝〞＂"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\ufeff" + "".join(
    map(chr, range(0x202A, 0x202F))
)
FILLER = "\u200b"
"""A character that every fold drops: stands in for removed markup so that lengths stay equal."""

TYPOGRAPHY: dict[int, str | None] = {
    **{ord(c): "'" for c in _SINGLE_QUOTES},
    **{ord(c): '"' for c in _DOUBLE_QUOTES},
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): None for c in _INVISIBLE},
    **dict.fromkeys((160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287, 12288), " "),
    0x2044: "/",
    0x2215: "/",
    0x066B: ".",
    0x066C: ",",
    0x0131: "i",
}
"""For ``str.translate``: look-alike quotes, dashes and spaces to ASCII, invisible characters to nothing."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
UNSPACED = re.compile(f"[{_UNSPACED}]")
"""One character of a script that is written without spaces (Thai, Lao, Burmese, Khmer, kana, Han)."""

# Accents that may be dropped: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points. Marks of
# Indic and Thai scripts and the Japanese voicing marks are letters in all but name and stay.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u064b-\u065f\u0670\u0640]")


def is_unspaced(char: str) -> bool:
    """Return True if ``char`` belongs to a script that is written without spaces.

    >>> is_unspaced("九"), is_unspaced("x")
    (True, False)
    """
    return char > "\u0dff" and UNSPACED.match(char) is not None


def fold_characters(text: str) -> str:
    """Return ``text`` with case, accents, ligatures, widths, quotes and dashes folded. Lengths may differ.

    >>> fold_characters("Oﬃce “Café” — ＡＢ")
    'office "cafe" - ab'
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text.translate(TYPOGRAPHY)).translate(TYPOGRAPHY).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]{0,500})?/?>|<!--(?:(?!-->).){0,2000}-->", re.DOTALL)
_ENTITY = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")
_ENTITY_TEXT = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "ndash": "-", "mdash": "-",
    "lsquo": "'", "rsquo": "'", "ldquo": '"', "rdquo": '"', "hellip": "…", "shy": FILLER, "euro": "€",
    "pound": "£", "deg": "°", "eacute": "é", "uuml": "ü", "ouml": "ö", "auml": "ä", "szlig": "ß",
    "thinsp": " ", "ensp": " ", "emsp": " ", "minus": "-", "times": "×", "frac12": "½", "sect": "§",
}  # fmt: skip
_SPACED_TAGS = re.compile(
    r"</?(?:p|div|br|li|ul|ol|td|th|tr|table|h[1-6]|section|article|blockquote)\b", re.I
)
_ENDING_TAGS = re.compile(r"</(?:p|div|li|tr|h[1-6])\b", re.I)
_LINK = re.compile(r"(!?\[)([^\[\]\n]{1,300})(\]\((?:[^()\s]{0,1000})(?:\s\"[^\"\n]{0,200}\")?\))")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:[-\u2010\u2011]|\u00ad)[ \t]*\r?\n[ \t]*(?=[^\W\d_A-Z])")
_HYPHENED_LINE = re.compile(r"[-\u2010\u2011\u00ad][ \t]*\r?\n")
_EMPHASIS = re.compile(r"(?<=\w)(?:\*{1,3}|~~|`+)(?=\w)")
_CONTROL = re.compile(r"<\|[^|<>\n]{1,40}\|>")


def blank_markup(text: str) -> str:
    """Return ``text`` with HTML, Markdown links and line-end hyphens blanked, its length unchanged.

    Tags of blocks become spaces, or line ends where a block ends, tags inside words fillers;
    an entity becomes its character and fillers.

    >>> blank_markup("a <b>bold</b>&nbsp;move").replace(FILLER, "")
    'a bold move'
    >>> blank_markup("effec-\\ntive").replace(FILLER, "")
    'effective'
    """
    if "<" in text:
        text = _CONTROL.sub(_spaces, _TAG.sub(_blank_tag, text))
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    if "](" in text:
        text = _LINK.sub(lambda m: FILLER * len(m[1]) + m[2] + FILLER * len(m[3]), text)
    if "\n" in text and _HYPHENED_LINE.search(text):
        text = _LINE_HYPHEN.sub(lambda m: FILLER * len(m[0]), text)
    if "*" in text or "~" in text or "`" in text:
        text = _EMPHASIS.sub(lambda m: FILLER * len(m[0]), text)
    return text


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blank_tag(match: re.Match[str]) -> str:
    if _ENDING_TAGS.match(match[0]):
        return "\n\n" + " " * (len(match[0]) - 2)
    return (" " if _SPACED_TAGS.match(match[0]) else FILLER) * len(match[0])


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] == "#":
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        char = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else None
    else:
        char = _ENTITY_TEXT.get(name)
    return match[0] if char is None else char + FILLER * (len(match[0]) - 1)
