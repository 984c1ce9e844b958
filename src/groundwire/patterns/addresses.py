"""E-mail and IP addresses, found from their ``@``, ``.`` and ``:`` outward in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address

from groundwire.patterns.kinds import Match

_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-")
_LOCAL_EDGE = ".!#$%&'*/=?^`{|}~-"
_DOMAIN = re.compile(r"[\w.-]{1,253}")
_AT = re.compile(r"@(?=\w)")
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"(?<![\w.+-]){_OCTET}(?:\.{_OCTET}){{3}}(?![\w-]|\.[0-9])")
_INNER_OCTET = re.compile(r"\.[0-9]{1,3}\.")
_NOT_AN_IP = re.compile(r"(?:version|release|firmware|build|section|chapter|clause|v|§)\W{0,3}$")
_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:(?:\.[0-9]{1,3}){3})?(?![\w:])")


def find_emails(text: str) -> Iterator[Match]:
    """Yield addresses ``local@domain.tld``; the top-level label holds two letters or more.

    >>> list(find_emails("mail ada@example.org."))
    [Match(kind='email', start=5, end=20)]
    """
    for found in _AT.finditer(text):
        at = found.start()
        start = _local_start(text, at)
        end = _domain_end(text, at + 1) if start < at else 0
        if end:
            yield Match("email", start, end)


def _local_start(text: str, at: int) -> int:
    start, floor = at, max(0, at - 64)
    while start > floor and (
        text[start - 1] in _LOCAL or (text[start - 1] > "\x7f" and text[start - 1].isalnum())
    ):
        start -= 1
    while start < at and text[start] in _LOCAL_EDGE:
        start += 1
    return start


def _domain_end(text: str, start: int) -> int:
    """Return where the domain that starts at ``start`` ends, 0 where there is none."""
    found = _DOMAIN.match(text, start)
    if found is None:
        return 0
    labels = found[0].rstrip(".-_").split(".")
    while len(labels) > 1 and not _is_top_level(labels[-1]):
        labels.pop()
    if len(labels) < 2 or any(not label or label[0] in "-_" or label[-1] == "-" for label in labels):
        return 0
    return start + sum(map(len, labels)) + len(labels) - 1


def _is_top_level(label: str) -> bool:
    return (len(label) > 1 and label.isalpha() and len(label) < 25) or label.startswith("xn--")


def find_ips(text: str) -> Iterator[Match]:
    """Yield IPv4 addresses (octets up to 255, not a version or section number) and IPv6 addresses."""
    if _INNER_OCTET.search(text):
        for found in _IPV4.finditer(text):
            if all(int(octet) < 256 for octet in found[0].split(".")) and not _is_numbering(
                text, found.start()
            ):
                yield Match("ip", found.start(), found.end())
    if text.count(":") > 1:
        for found in _IPV6.finditer(text):
            if _is_ipv6(found[0]):
                yield Match("ip", found.start(), found.end())


def _is_numbering(text: str, start: int) -> bool:
    return _NOT_AN_IP.search(text[max(0, start - 12) : start].lower()) is not None


def _is_ipv6(candidate: str) -> bool:
    if sum(map(str.isalnum, candidate)) < 3:
        return False
    try:
        IPv6Address(candidate)
    except AddressValueError:
        return False
    return True
