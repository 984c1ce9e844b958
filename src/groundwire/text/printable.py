"""Text made safe to print: what could steer a terminal or reorder a line is shown instead of done."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return ``text`` with control, bidirectional and lone surrogate characters escaped visibly.

    Newline and tab stay, and so does everything that only looks unusual. The result is for eyes, not for
    reading back: a backslash that stood in the text is left as it is.

    >>> printable("red \x1b[31m, \u202egnp.exe, naïve\n")
    'red \\x1b[31m, \\u202egnp.exe, naïve\n'
    """
    return text if text.isprintable() else _UNPRINTABLE.sub(_escaped, text)


def escape_json(text: str) -> str:
    r"""Return JSON ``text`` with the same characters written as JSON escapes: it reads back the same.

    >>> escape_json('{"said": "\u202egnp.exe"}')
    '{"said": "\\u202egnp.exe"}'
    """
    return text if text.isprintable() else _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
