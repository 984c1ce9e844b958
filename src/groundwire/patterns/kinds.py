"""The value that every recognizer yields, and the words around a number that say what it is."""

from __future__ import annotations

import re
from typing import NamedTuple


class Match(NamedTuple):
    """One find: its ``kind`` and its range in the text (code points, end exclusive). Never the value."""

    kind: str
    start: int
    end: int


_WINDOW = 48
_WORD = re.compile(r"[^\W\d_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EXACT = {
    "phone": _words(
        "phone phones telephone telephones tel tels mobile mobiles cell cells cellular fax call"
        " called calling calls dial ring sms text texted texting whatsapp signal telegram hotline"
        " helpline landline reach reached reachable contact answer answered answering message messages"
        " voicemail callback extension pager registered rufnummer portable joindre joignable móvil"
        " movil celular cellulare telemóvel ligar bel bellen"
    ),
    "card": _words(
        "card cards cc visa mastercard amex express discover maestro jcb diners unionpay debit credit"
        " pan carte tarjeta carta cartão kaart"
    ),
    "ssn": _words("ssn ssns social security itin"),
    "other": _words(
        "order invoice receipt ref reference case ticket tracking shipment parcel serial isbn issn"
        " doi pmid account acct iban license licence passport zip postal postcode plz id ids version"
        " release firmware part model sku imei ean upc gtin section article page pages year years date"
        " price total amount sum transaction batch lot item product catalog catalogue patent policy"
        " claim member customer employee student vin hash sha uuid build commit kundennummer commande"
        " facture pedido factura ordine fattura"
    ),
}
_STARTS = {
    "phone": tuple(
        _words("telefon telefoon teléfon télépho telepho handy mobil anruf erreich appel llam chiam komórk")
    ),
    "card": tuple(_words("karte kreditkarte karty karta")),
    "ssn": (),
    "other": ("bestell", "rechnung"),
}
_UNSPACED = {
    "phone": ("電話", "电话", "手机", "致电", "連絡先", "携帯", "전화"),
    "card": ("カード", "信用卡", "卡号"),
    "ssn": (),
}


def parse_context(text: str, start: int, kind: str) -> bool | None:
    """Tell what the words before ``start`` say: True for ``kind``, False for something else, None: nothing.

    The nearest word wins, so "call about invoice 6502530000" names an invoice.

    >>> parse_context("Phone: 555", 7, "phone"), parse_context("my invoice 555", 11, "phone")
    (True, False)
    """
    window = text[max(0, start - _WINDOW) : start].lower()
    if not window.isascii() and any(word in window for word in _UNSPACED[kind]):
        return True
    exact, starts = _EXACT[kind], _STARTS[kind]
    for word in reversed(_WORD.findall(window)):
        if word in exact or (starts and word.startswith(starts)):
            return True
        if word in _EXACT["other"] or word.startswith(_STARTS["other"]):
            return False
    return None
