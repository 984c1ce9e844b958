# ruff: noqa: E501
"""Number words outside English, simple and compound: ``vinte e dois``, ``achtundzwanzig``, ``dix-huit``.

Tables of our own making. Words that mean something else in another language count only inside a compound
or beside a unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.text.characters import fold_characters
from groundwire.text.words import Token

_NUMBER_ROWS = """
1 eins ein eine un une uno una один одна одне jeden jedna jedno ένα μία μια אחת אחד الواحدة واحد واحدة एक
2 zwei deux dos due два две дві dois duas twee dwa dwie två δύο δυο שתיים שניים שתי שני الثانية اثنان اثنين दो 두
3 drei trois tres tre три tre três drie trzy τρία τρεις שלוש שלושה الثالثة ثلاثة ثلاث तीन 세
4 vier quatre cuatro quattro четыре чотири quatro cztery fyra τέσσερα τέσσερις ארבע ארבעה الرابعة أربعة اربعة أربع चार 네
5 fünf cinq cinco cinque пять п'ять vijf pięć πέντε חמש חמישה الخامسة خمسة خمس पाँच पांच 다섯
6 sechs six seis sei шесть шість zes sześć έξι שש שישה السادسة ستة ست छह छः 여섯
7 sieben sept siete sette семь сім sete zeven siedem sju επτά εφτά שבע שבעה السابعة سبعة سبع सात 일곱
8 acht huit ocho otto восемь вісім oito osiem åtta οκτώ οχτώ שמונה الثامنة ثمانية ثماني आठ 여덟
9 neun neuf nueve nove девять дев'ять negen dziewięć nio εννέα εννιά תשע תשעה التاسعة تسعة تسع नौ 아홉
10 zehn dix diez dieci десять dez tien dziesięć tio δέκα עשר עשרה العاشرة عشرة عشر दस 열
11 elf onze once undici одиннадцать одинадцять jedenaście elva έντεκα ग्यारह 열한
12 zwölf douze doce dodici двенадцать дванадцять doze twaalf dwanaście tolv δώδεκα बारह 열두
13 dreizehn treize trece tredici тринадцать тринадцять treze dertien trzynaście तेरह
14 vierzehn quatorze catorce quattordici четырнадцать чотирнадцять catorze veertien czternaście चौदह
15 fünfzehn quinze quince quindici пятнадцать п'ятнадцять vijftien piętnaście पंद्रह
16 sechzehn seize dieciséis sedici шестнадцать шістнадцять dezesseis dezasseis zestien szesnaście सोलह
17 siebzehn diecisiete diciassette семнадцать сімнадцять dezessete dezassete zeventien siedemnaście सत्रह
18 achtzehn dieciocho diciotto восемнадцать вісімнадцять dezoito achttien osiemnaście अठारह
19 neunzehn diecinueve diciannove девятнадцать дев'ятнадцять dezenove dezanove negentien dziewiętnaście उन्नीस
20 zwanzig vingt vingts veinte venti двадцать двадцять vinte twintig dwadzieścia tjugo είκοσι עשרים عشرون عشرين बीस
21 veintiuno veintiún veintiuna
22 veintidós
23 veintitrés
24 veinticuatro
25 veinticinco पच्चीस
26 veintiséis
27 veintisiete
28 veintiocho
29 veintinueve
30 dreißig dreissig trente treinta trenta тридцать тридцять trinta dertig trzydzieści τριάντα שלושים ثلاثون ثلاثين तीस
40 vierzig quarante cuarenta quaranta сорок quarenta veertig czterdzieści σαράντα ארבעים أربعون أربعين चालीस
50 fünfzig cinquante cincuenta cinquanta пятьдесят п'ятдесят cinquenta vijftig pięćdziesiąt πενήντα חמישים خمسون خمسين पचास
60 sechzig soixante sesenta sessanta шестьдесят шістдесят sessenta zestig sześćdziesiąt εξήντα שישים ستون ستين साठ
70 siebzig setenta settanta семьдесят сімдесят zeventig siedemdziesiąt εβδομήντα שבעים سبعون سبعين सत्तर
80 achtzig ochenta ottanta восемьдесят вісімдесят oitenta tachtig osiemdziesiąt ογδόντα שמונים ثمانون ثمانين अस्सी
90 neunzig noventa novanta девяносто дев'яносто negentig dziewięćdziesiąt ενενήντα תשעים تسعون تسعين नब्बे
100 hundert einhundert cent cien ciento cento cem сто honderd εκατό מאה مائة مئة सौ
200 zweihundert doscientos doscientas duecento двести двісті duzentos duzentas tweehonderd dwieście
300 dreihundert trescientos trescientas trecento триста trezentos trezentas driehonderd trzysta
400 vierhundert cuatrocientos cuatrocientas quattrocento четыреста quatrocentos quatrocentas vierhonderd czterysta
500 fünfhundert quinientos quinientas cinquecento пятьсот п'ятсот quinhentos quinhentas vijfhonderd pięćset
1000 tausend eintausend mille mil тысяча тисяча duizend tysiąc हज़ार
"""
FOREIGN_NUMBERS = {
    name: int(row.split()[0]) for row in _NUMBER_ROWS.strip().splitlines() for name in row.split()[1:]
}
"""Number words outside English; many are inflected, and no stem is taken."""

_INFLECTED = """
1 першій pierwszej
2 двух двум двумя dwóch другій
3 трёх трех трём трем trzech третій
4 четырёх четырех чотирьох czterech четвертій
5 пяти п'яти pięciu piątej п'ятій
6 шести sześciu szóstej шостій
7 семи siedmiu siódmej сьомій
8 восьми ośmiu ósmej восьмій
9 девяти дев'яти dziewięciu dziewiątej дев'ятій
10 десяти dziesięciu dziesiątej десятій
11 одиннадцати jedenastej одинадцятій
12 двенадцати dwunastej дванадцятій
15 пятнадцати
20 двадцати
30 тридцати
40 сорока
50 пятидесяти
"""
for _row in _INFLECTED.strip().splitlines():
    FOREIGN_NUMBERS.update(dict.fromkeys(_row.split()[1:], int(_row.split()[0])))

_GERMAN_ONES = "ein zwei drei vier fünf sechs sieben acht neun".split()
_DUTCH_ONES = "een twee drie vier vijf zes zeven acht negen".split()
_ITALIAN_ONES = "uno due tre quattro cinque sei sette otto nove".split()
_TENS = {
    20: ("zwanzig", "twintig", "venti"),
    30: ("dreißig", "dertig", "trenta"),
    40: ("vierzig", "veertig", "quaranta"),
    50: ("fünfzig", "vijftig", "cinquanta"),
    60: ("sechzig", "zestig", "sessanta"),
    70: ("siebzig", "zeventig", "settanta"),
    80: ("achtzig", "tachtig", "ottanta"),
    90: ("neunzig", "negentig", "novanta"),
}
for _ten, (_german, _dutch, _italian) in _TENS.items():
    for _one in range(1, 10):
        _value = _ten + _one
        FOREIGN_NUMBERS[f"{_GERMAN_ONES[_one - 1]}und{_german}"] = _value
        _short = _DUTCH_ONES[_one - 1]
        FOREIGN_NUMBERS[f"{_short}{'ën' if _short.endswith('e') else 'en'}{_dutch}"] = _value
        _stem = _italian[:-1] if _one in (1, 8) else _italian
        FOREIGN_NUMBERS[_stem + _ITALIAN_ONES[_one - 1].replace("tre", "tré")] = _value
        FOREIGN_NUMBERS[_stem + _ITALIAN_ONES[_one - 1]] = _value

# Capitals are often written without their accents.
FOREIGN_NUMBERS = {fold_characters(name): value for name, value in FOREIGN_NUMBERS.items()} | FOREIGN_NUMBERS

AMBIGUOUS_NUMBERS = frozenset(
    "ein eine un une uno una one due six sept once dix mille cent tre sei nove elf onze mil sette mia μια एक אחד אחת"
    " один одна одне jeden jedna jedno واحد واحدة שני שתי cem".split()
)
"""Number words that are something else in another language; they count only beside a unit."""

ROMAN = {
    f"{tens}{ones}": 10 * i + j
    for i, tens in enumerate(("", "X", "XX", "XXX"))
    for j, ones in enumerate(("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"))
    if len(tens + ones) > 1
}
"""Roman numerals of two letters or more, to 39."""

_LINKS = frozenset("y e et en i и та και و".split())


def read_number_words(text: str, tokens: Sequence[Token], i: int) -> tuple[float, int] | None:
    """Return the value of the number words at ``i`` outside English, and their last token, or None.

    >>> from groundwire.text.words import tokenize
    >>> for words in ("vinte e dois", "quatre-vingt-dix", "treinta y cinco"):
    ...     print(read_number_words(words, tokenize(words), 0))
    (22.0, 2)
    (90.0, 2)
    (35.0, 2)
    """
    value = FOREIGN_NUMBERS.get(tokens[i].text.lower().replace("’", "'"))
    if value is None:
        return None
    last = i
    if value in (4, 10):
        joined = _next_number(text, tokens, last, hyphen=True)
        if joined is not None and (value, joined[0]) == (4, 20):
            value, last = 80, joined[1]
        elif joined is not None and value == 10 and 7 <= joined[0] <= 9:
            return value + joined[0], joined[1]
    if value >= 100:
        rest = _next_number(text, tokens, last)
        if rest is not None and 20 <= rest[0] < 100 and rest[0] % 10 == 0:
            value, last = value + rest[0], rest[1]
    if value >= 20 and value % 10 == 0:
        rest = _next_number(text, tokens, last)
        limit = 19 if value % 100 in (60, 80) else 9
        if rest is not None and 1 <= rest[0] <= limit:
            value, last = value + rest[0], rest[1]
            more = _next_number(text, tokens, last, hyphen=True) if rest[0] == 10 else None
            if more is not None and 7 <= more[0] <= 9:
                value, last = value + more[0], more[1]
    return (float(value), last) if last > i or tokens[i].text.lower() not in AMBIGUOUS_NUMBERS else None


def _next_number(
    text: str, tokens: Sequence[Token], last: int, *, hyphen: bool = False
) -> tuple[int, int] | None:
    """Return the value of the number word after token ``last``, over a hyphen, a space or an *and*."""
    at = last + 1
    if at >= len(tokens):
        return None
    gap = text[tokens[last].end : tokens[at].start]
    if tokens[at].text.lower() in _LINKS and not hyphen:
        at += 1
        if at >= len(tokens):
            return None
    elif gap not in (("-", "‐", "‑") if hyphen else (" ", "-", "‐", "‑", "\u00a0")):
        return None
    value = FOREIGN_NUMBERS.get(tokens[at].text.lower())
    return None if value is None else (value, at)
