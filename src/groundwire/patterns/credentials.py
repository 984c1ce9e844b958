"""Keys, tokens and passwords: vendors' prefixes, private key blocks, and values named as secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.patterns.kinds import Match

_EDGE = r"(?<![A-Za-z0-9_-])"
_PREFIXED = (
    ("AKIA", r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("ASIA", ""),
    ("gh", r"gh[opsur]_[0-9A-Za-z]{30,255}"),
    ("github_pat_", r"github_pat_[0-9A-Za-z_]{22,255}"),
    ("glpat-", r"gl(?:pat|dt|rt|cbt|ptt)-[0-9A-Za-z_.-]{20,64}"),
    ("xox", r"xox[abeoprs]-[0-9A-Za-z-]{10,255}"),
    ("xapp-", r"xapp-[0-9A-Za-z-]{10,255}"),
    ("_live_", r"(?:sk|rk|pk|whsec)_live_[0-9A-Za-z]{16,255}"),
    ("_test_", r"(?:sk|rk)_test_[0-9A-Za-z]{16,255}"),
    ("sk-", r"sk-(?:ant-|proj-|svcacct-|or-v1-|lf-)?[0-9A-Za-z_-]{20,255}"),
    ("AIza", r"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    ("ya29.", r"ya29\.[0-9A-Za-z_-]{20,512}"),
    ("GOCSPX-", r"GOCSPX-[0-9A-Za-z_-]{20,64}"),
    ("npm_", r"npm_[0-9A-Za-z]{36}(?![0-9A-Za-z])"),
    ("pypi-", r"pypi-AgEI[0-9A-Za-z_-]{50,512}"),
    ("SG.", r"SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{30,64}"),
    ("hf_", r"hf_[0-9A-Za-z]{30,64}(?![0-9A-Za-z])"),
    ("dop_v1_", r"do[por]_v1_[0-9a-f]{64}"),
    ("shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("pul-", r"pul-[0-9a-f]{40}"),
    ("dapi", r"dapi[0-9a-f]{32}"),
    ("gsk_", r"gsk_[0-9A-Za-z]{40,64}"),
    ("xai-", r"xai-[0-9A-Za-z]{40,128}"),
    ("hvs.", r"hv[sb]\.[0-9A-Za-z_-]{24,255}"),
    (":AA", r"[0-9]{8,10}:AA[0-9A-Za-z_-]{33}(?![0-9A-Za-z_-])"),
    ("eyJ", r"eyJ[0-9A-Za-z_-]{8,4096}\.[0-9A-Za-z_-]{8,8192}(?:\.[0-9A-Za-z_-]{0,2048}){0,3}"),
)
_HINTS = tuple(hint for hint, _ in _PREFIXED)
_VENDOR = re.compile(_EDGE + "(?:" + "|".join(pattern for _, pattern in _PREFIXED if pattern) + ")")
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----")
_USERINFO = re.compile(
    r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s/@:]{0,128}:(?P<value>[^\s/@]{1,256})@", re.I
)
_NAMED = re.compile(
    r"(?<![a-z0-9])(?:api[ _-]?key|secret[ _-]?(?:access[ _-]?)?key|client[ _-]?secret"
    r"|access[ _-]?token|auth[ _-]?token"
    r"|account[ _-]?key|shared[ _-]?access[ _-]?key|password|passwd|pwd|passphrase|passwort|secret|token"
    r"|authorization)[\"']?(?:[ ]?[:=]{1,2}[ ]?|[ ]is[ ])[\"']?(?:(?:bearer|basic)[ ])?"
    r"(?P<value>[^\s\"'<>,;()]{8,512})",
    re.I,
)
_BEARER = re.compile(r"\bbearer (?P<value>[0-9A-Za-z._~+/-]{16,4096}=*)", re.I)
_NAMED_HINTS = ("key", "secret", "token", "pass", "pwd", "authorization")


def find_secrets(text: str) -> Iterator[Match]:
    """Yield credentials; of a named one (``password: …``) only the value is in the range.

    >>> [m.start for m in find_secrets("use AKIAIOSFODNN7EXAMPLE now")]
    [4]
    """
    if any(map(text.__contains__, _HINTS)):
        yield from (Match("secret", *found.span()) for found in _VENDOR.finditer(text))
    if "-----BEGIN" in text:
        yield from _key_blocks(text)
    if "://" in text and "@" in text:
        yield from (Match("secret", *found.span("value")) for found in _USERINFO.finditer(text))
    if _has_named_hint(text):
        yield from (
            Match("secret", *found.span("value"))
            for found in _NAMED.finditer(text)
            if _is_mixed(found["value"])
        )
    if "earer " in text:
        yield from (
            Match("secret", *found.span("value"))
            for found in _BEARER.finditer(text)
            if _is_mixed(found["value"])
        )


def _has_named_hint(text: str) -> bool:
    if not ("=" in text or ":" in text or " is " in text):
        return False
    lower = text.lower()
    return any(map(lower.__contains__, _NAMED_HINTS))


def _is_mixed(value: str) -> bool:
    """Tell a made-up value from a word: it has letters and digits, or a sign among letters."""
    kinds = (
        any(map(str.isalpha, value)),
        any(map(str.isdigit, value)),
        any(c in "!@#$%^&*+/=~" for c in value),
    )
    return sum(kinds) > 1


def _key_blocks(text: str) -> Iterator[Match]:
    """Yield private key blocks; one without its end line reaches to the end of the text."""
    position = 0
    while (opening := _KEY_BLOCK.search(text, position)) is not None:
        closing = _KEY_END.search(text, opening.end())
        position = closing.end() if closing else len(text)
        yield Match("secret", opening.start(), position)
