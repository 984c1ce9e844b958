# ruff: noqa: E501
"""Units, currencies, months and weekdays: tables of our own making, several languages."""

from __future__ import annotations

from groundwire.text.characters import fold_characters

_UNIT_LINES = """
mass kilogram 1|kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm
mass gram 0.001|g gr gram grams gramme grammes gramm
mass milligram 0.000001|mg milligram milligrams
mass microgram 0.000000001|mcg µg μg microgram micrograms
mass tonne 1000|t tonne tonnes
mass ton 907.18474|ton tons
mass pound 0.45359237|lb lbs
mass ounce 0.028349523|oz ounce ounces
mass stone 6.35029318|stones
length meter 1|m metre metres meter meters metro metros mètre mètres метр метров
length kilometer 1000|km kms kilometre kilometres kilometer kilometers kilómetros kilomètres километров
length centimeter 0.01|cm centimetre centimetres centimeter centimeters
length millimeter 0.001|mm millimetre millimetres millimeter millimeters
length mile 1609.344|mi mile miles
length yard 0.9144|yd yds yard yards
length foot 0.3048|ft foot feet
length inch 0.0254|in inch inches
area hectare 10000|ha hectare hectares
area acre 4046.8564224|acre acres
area sqm 1|m² m2 sqm
area sqkm 1000000|km² km2 sqkm
volume liter 1|l litre litres liter liters L
volume milliliter 0.001|ml mL millilitre millilitres milliliter milliliters
volume gallon 3.785411784|gal gallon gallons
volume pint 0.473176473|pint pints
volume cup 0.2365882365|cup cups
volume cubicmeter 1000|m³ m3 cbm
volume hectoliter 100|hl hectoliter hectoliters hectolitre hectolitres
duration second 1|s sec secs second seconds sekunde sekunden segundo segundos seconde secondes
duration millisecond 0.001|ms millisecond milliseconds
duration minute 60|min mins minute minutes minuten minuto minutos минут minuti
duration hour 3600|h hr hrs std hour hours hourly stunde stunden hora horas heure heures часов часа час ore
duration day 86400|d day days tag tage tagen día días dia dias jour jours дней день дня giorni giorno dagen
duration week 604800|wk week weeks woche wochen semana semanas semaine semaines недель недели settimane
duration fortnight 1209600|fortnight fortnights
months month 1|month months monat monate monaten mes meses mois месяцев месяца mesi
months quarter 3|quarters
months year 12|yr yrs year years jahr jahre jahren año años ans année années лет год года anni anno ano anos
months decade 120|decade decades
months century 1200|century centuries
temperature celsius 1|°c ℃ celsius
fahrenheit fahrenheit 1|°f ℉ fahrenheit
degree degree 1|° degree degrees grad grados degrés градусов
temperature kelvin 1|kelvin kelvins
data byte 1|byte bytes B
data kilobyte 1000|kb kilobyte kilobytes KB kB
data megabyte 1000000|mb megabyte megabytes MB
data gigabyte 1000000000|gb gigabyte gigabytes GB
data terabyte 1000000000000|tb terabyte terabytes TB
rate mbps 1|mbps Mbps mbit
rate gbps 1000|gbps Gbps gbit
speed kmh 1|km/h kmh kph
speed mph 1.609344|mph
speed knot 1.852|knot knots
power watt 1|w W watt watts
power kilowatt 1000|kw kW kilowatt kilowatts
power megawatt 1000000|mw MW megawatt megawatts
energy kwh 1|kwh kWh
energy mwh 1000|mwh MWh
energy kilocalorie 0.001162222|kcal kilocalorie kilocalories
energy kilojoule 0.000277778|kj kJ kilojoule kilojoules
voltage volt 1|v V volt volts
current amp 1|a A amp amps ampere amperes
frequency hertz 1|hz Hz hertz
frequency kilohertz 1000|khz kHz
frequency megahertz 1000000|mhz MHz
frequency gigahertz 1000000000|ghz GHz
percent percent 1|% percent pct prozent percento pourcent procent процентов
points point 1|pp
"""

UNITS: dict[str, tuple[str, str, float]] = {}
for _line in _UNIT_LINES.strip().splitlines():
    _head, _names = _line.split("|")
    _dimension, _unit, _factor = _head.split()
    for _name in _names.split():
        UNITS[_name] = (_dimension, _unit, float(_factor))

SQUARES = {
    name: factor**2
    for name, (dimension, _, factor) in UNITS.items()
    if dimension == "length" and len(name) > 3
}
"""Square units spelled out: square meters by the second word."""

CUBES = {
    name: 1000 * factor**3
    for name, (dimension, _, factor) in UNITS.items()
    if dimension == "length" and len(name) > 3
}
"""Cubic units spelled out, in liters, by the second word."""

CASED_UNITS = frozenset("m g l t h s d in a v w B L A V W min".split())
"""Units whose name is also a word or a letter: only right after digits, and as written."""

CURRENCY_SYMBOLS = {
    "$": "USD",
    "£": "GBP",
    "€": "EUR",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "฿": "THB",
    "₺": "TRY",
    "₴": "UAH",
}
CURRENCIES = {
    name: code
    for code, names in {
        "USD": "usd dollar dollars us$ bucks", "GBP": "gbp pound pounds sterling quid", "EUR": "eur euro euros евро",
        "JPY": "jpy yen", "INR": "inr rupee rupees", "CHF": "chf franken", "SEK": "sek", "NOK": "nok", "DKK": "dkk",
        "CNY": "cny rmb yuan", "AUD": "aud", "CAD": "cad", "RUB": "rub rubles roubles рублей", "PLN": "pln zloty",
        "cent": "cent cents", "penny": "pence penny pennies",
    }.items()
    for name in names.split()
}  # fmt: skip

_MONTH_ROWS = """
january jan januar janvier enero gennaio januari января январь janeiro stycznia styczeń січня ιανουαρίου มกราคม
february feb februar février febrero febbraio februari февраля февраль fevereiro lutego luty лютого φεβρουαρίου กุมภาพันธ์
march mar märz mars marzo maart марта март março marca березня μαρτίου มีนาคม
april apr avril abril aprile апреля апрель kwietnia kwiecień квітня απριλίου เมษายน
may mai mayo maggio mei мая май maio maja травня μαΐου พฤษภาคม
june jun juni juin junio giugno июня июнь junho czerwca czerwiec червня ιουνίου มิถุนายน
july jul juli juillet julio luglio июля июль julho lipca lipiec липня ιουλίου กรกฎาคม
august aug août agosto augustus августа август sierpnia sierpień серпня αυγούστου สิงหาคม
september sep sept septembre septiembre settembre сентября сентябрь setembro września wrzesień вересня σεπτεμβρίου กันยายน
october oct oktober octobre octubre ottobre октября октябрь outubro października październik жовтня οκτωβρίου ตุลาคม
november nov novembre noviembre ноября ноябрь novembro listopada listopad листопада νοεμβρίου พฤศจิกายน
december dec dezember décembre diciembre dicembre декабря декабрь dezembro grudnia grudzień грудня δεκεμβρίου ธันวาคม
"""
MONTHS = {name: i for i, row in enumerate(_MONTH_ROWS.strip().splitlines(), 1) for name in row.split()}

_WEEKDAY_ROWS = """
monday mondays måndagar mandager mandage pondělí hétfő hétfőn maanantai maanantaina maanantaisin pazartesileri montag montags lunes lundi lunedì понедельник понедельникам понедельника maandag poniedziałek poniedziałki poniedziałku pazartesi понеділок понеділка понеділкам щопонеділка δευτέρα måndag mandag 월요일 सोमवार الاثنين الإثنين วันจันทร์
tuesday tuesdays tisdagar tirsdager tirsdage úterý kedd kedden tiistai tiistaina tiistaisin marți ثلاثاء щовівторка dienstag dienstags martes mardi martedì вторник вторникам вторника dinsdag wtorek wtorki salı вівторок вівторка вівторкам τρίτη tisdag tirsdag 화요일 मंगलवार الثلاثاء วันอังคาร
wednesday wednesdays onsdagar onsdager středa středu szerda szerdán keskiviikko keskiviikkona keskiviikkoisin miercuri أربعاء щосереди mittwoch mittwochs miércoles mercredi mercoledì среда средам среду woensdag środa środę środy çarşamba середа середу середи τετάρτη onsdag 수요일 बुधवार الأربعاء الاربعاء วันพุธ
thursday thursdays torsdagar torsdager čtvrtek csütörtök csütörtökön torstai torstaina torstaisin خميس щочетверга donnerstag donnerstags jueves jeudi giovedì четверг четвергам donderdag czwartek czwartki perşembe четверга четвергам πέμπτη torsdag 목요일 गुरुवार गुरूवार الخميس วันพฤหัสบดี วันพฤหัส
friday fridays fredagar fredager pátek péntek pénteken perjantai perjantaina perjantaisin vineri جمعة щоп'ятниці freitag freitags viernes vendredi venerdì пятница пятницам пятницу vrijdag piątek piątki piątku cuma п'ятниця п'ятницю п'ятниці п'ятницям παρασκευή fredag 금요일 शुक्रवार الجمعة วันศุกร์
saturday saturdays lördagar lørdager lördagarna szombat szombaton lauantai lauantaina lauantaisin sâmbătă щосуботи samstag samstags sonnabend sábado sábados samedi sabato суббота субботам субботу zaterdag sobota sobotę soboty cumartesi субота субботы суботу суботи σάββατο lördag lørdag 토요일 शनिवार السبت วันเสาร์
sunday sundays söndagar søndager neděle neděli vasárnap sunnuntai sunnuntaina sunnuntaisin duminică щонеділі sonntag sonntags domingo domingos dimanche domenica воскресенье воскресеньям zondag niedziela niedzielę niedziele неділя неділю неділі воскресенья κυριακή söndag søndag 일요일 रविवार الأحد الاحد วันอาทิตย์
"""
_CJK_DAYS = (("月", "一"), ("火", "二"), ("水", "三"), ("木", "四"), ("金", "五"), ("土", "六"), ("日", "日"))
WEEKDAYS = {name: i for i, row in enumerate(_WEEKDAY_ROWS.strip().splitlines(), 1) for name in row.split()}

for _i, (_ja, _zh) in enumerate(_CJK_DAYS, 1):
    WEEKDAYS.update({f"{_ja}曜": _i, f"{_ja}曜日": _i})
    WEEKDAYS.update({f"{_prefix}{_zh}": _i for _prefix in ("星期", "周", "週", "礼拜")})
WEEKDAYS["星期天"] = 7

for _days in (MONTHS, WEEKDAYS):
    # Capitals are often written without their accents.
    _days.update({fold_characters(name): number for name, number in _days.items()} | _days)
