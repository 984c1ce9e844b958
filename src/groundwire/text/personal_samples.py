"""Published samples: values that documentation, test systems and film reserve, and that belong to nobody."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network

_NETWORKS = tuple(
    map(ip_network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"))
)
_CARDS = frozenset(
    "4111111111111111 4012888888881881 4242424242424242 4000056655665556 4222222222222 5555555555554444"
    " 5105105105105100 2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000"
    " 6011111111111117 6011000990139424 30569309025904 38520000023237 3530111333300000"
    " 3566002020360505".split()
)
_IBANS = frozenset(
    "GB82WEST12345698765432 GB29NWBK60161331926819 DE89370400440532013000 FR1420041010050500013M02606"
    " NL91ABNA0417164300 BE68539007547034 ES9121000418450200051332 IT60X0542811101000000123456"
    " CH9300762011623852957 AT611904300234573201".split()
)
_SSNS = frozenset("078051120 219099999 123456789 457555462".split())
_EMAIL = re.compile(
    r"@(?:[\w-]+\.)*(?:example\.(?:com|net|org|edu)|[\w-]+\.(?:example|test|invalid|localhost)|(?:your)?domain\.com"
    r"|yourcompany\.com|mydomain\.com|email\.com)$"
)
_PHONE = re.compile(
    r"(?:1?[2-9]\d\d|1?)55501\d\d"  # North America, 555-0100 to 555-0199
    r"|(?:44|0)2079460\d{3}|(?:44|0)7700900\d{3}|(?:44|0)1632960\d{3}"  # United Kingdom, for drama
    r"|(?:33|0)[1-59]9900\d{4}|(?:49|0)3023125\d{3}"  # France, Germany
)
_SECRET = re.compile(
    r"example|sample|placeholder|change-?me|your[_-]|xxxx|\*\*\*\*|\.\.\.|12345678|<|(.)\1{7}", re.I
)


def is_sample(kind: str, canonical: str) -> bool:
    """Tell whether a canonical value is a published sample, or an address inside a private network.

    >>> is_sample("card", "4111111111111111"), is_sample("ip", "192.0.2.7"), is_sample("ip", "8.8.8.8")
    (True, True, False)
    """
    if kind == "ip":
        address = ip_address(canonical)
        reserved = address.is_private or address.is_loopback or address.is_unspecified or address.is_multicast
        return reserved or any(address in network for network in _NETWORKS)
    if kind == "email":
        return _EMAIL.search(canonical) is not None
    if kind == "phone":
        return _PHONE.fullmatch(canonical) is not None
    if kind == "secret":
        return _SECRET.search(canonical) is not None
    return canonical in _CARDS or canonical in _IBANS or canonical in _SSNS
