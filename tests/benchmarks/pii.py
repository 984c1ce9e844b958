"""How well personal data is found: a labeled set, an own set of traps, and texts made to be slow.

Run: python tests/benchmarks/pii.py [folder of labeled sets]

A labeled value counts as found when a match of its kind overlaps it; precision counts matches of the kind
that overlap no labeled value. The made values are random and pass their check digits.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from groundwire.patterns import find_matches
from groundwire.patterns.numbers import is_luhn, is_mod_97

KINDS = {
    "EMAIL_ADDRESS": "email", "CREDIT_CARD": "card", "IBAN_CODE": "iban", "IP_ADDRESS": "ip", "US_SSN": "ssn",
    "PHONE_NUMBER": "phone",
}  # fmt: skip
FRAMES = ("Please use {} for this.", "It is {}", "({})", "on file: {}; thanks", "{}")
NAMED = ("my card {} is lost", "card number {}")
TRAPS = (
    "order {n10}", "invoice {n16}", "tracking number {n12}", "version {n1}.{n1}.{n2}.{n1}", "pi is 3.{n10}",
    "ISBN 978-3-16-{n6}-0", "from 19{n2} to 20{n2}", "id {n8}-{n4}-{n4}-{n4}-{n12}", "{n3} {n3} people",
    "#{n8}", "sha {n16}{n16}", "section {n1}.{n1}.{n1}.{n1}", "case 000-{n2}-{n4}", "zip {n5}-{n4}",
    "at {n1}:{n2}:{n2}",
)  # fmt: skip
BAIT = (
    "@",
    "a@",
    "a@a.",
    "1",
    "1 ",
    "1-",
    "1.",
    "4111 ",
    "eyJ-",
    "::",
    "key=",
    "http://a:",
    "GB82 ",
    "555-555-5555 ",
)


def count(rows: list[tuple[str, list[tuple[str, int, int]]]]) -> dict[str, tuple[int, int, int]]:
    """Return (found, missed, false) by kind."""
    found, missed, false = Counter[str](), Counter[str](), Counter[str]()
    for text, gold in rows:
        matches, hit = find_matches(text), set()
        for kind, start, end in gold:
            over = [m for m in matches if m.kind == kind and m.start < end and start < m.end]
            hit.update(over)
            (found if over else missed)[kind] += 1
        false.update(match.kind for match in matches if match not in hit)
    return {kind: (found[kind], missed[kind], false[kind]) for kind in sorted({*found, *missed, *false})}


def read_labeled(path: Path) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """Return the rows of the labeled set."""
    rows = []
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            spans = row["label"]["pii_spans"]
            rows.append(
                (
                    row["answer"],
                    [(KINDS[s["type"]], s["start"], s["end"]) for s in spans if s["type"] in KINDS],
                )
            )
    return rows


def make_value(kind: str, dice: random.Random) -> str:
    """Return a made-up value of a kind."""
    digits = "".join(dice.choice("0123456789") for _ in range(30))
    if kind == "card":
        head = dice.choice(("4", "51", "37", "6011", "35"))
        body = (head + digits)[: 14 if head == "37" else 15]
        return next(body + last for last in "0123456789" if is_luhn(body + last))
    if kind == "iban":
        country, length = dice.choice((("DE", 22), ("FR", 27), ("NO", 15), ("PL", 28)))
        tail = digits[: length - 4]
        return next(c for check in range(100) if is_mod_97(c := f"{country}{check:02}{tail}"))
    if kind == "ssn":
        return f"{dice.randint(1, 665):03}-{dice.randint(1, 99):02}-{dice.randint(1, 9999):04}"
    if kind == "ip":
        return ".".join(str(dice.randint(1, 254)) for _ in range(4))
    if kind == "phone":
        return dice.choice(
            (f"+44 20 {digits[:4]} {digits[4:8]}", f"({dice.randint(201, 989)}) 555-{digits[:4]}")
        )
    return f"p{digits[:5]}.q@mail{digits[:2]}.org"


def make_rows(dice: random.Random) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """Return values in neutral frames, and traps without any."""
    rows: list[tuple[str, list[tuple[str, int, int]]]] = []
    for kind in KINDS.values():
        for _ in range(200):
            value = make_value(kind, dice)
            before, after = dice.choice(NAMED if kind == "card" else FRAMES).split("{}")
            rows.append((f"{before}{value}{after}", [(kind, len(before), len(before) + len(value))]))
    for _ in range(200):
        for trap in TRAPS:
            lengths = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
            made = {f"n{n}": "".join(dice.choice("123456789") for _ in range(n)) for n in lengths}
            rows.append((trap.format(**made), []))
    return rows


def report(title: str, counts: dict[str, tuple[int, int, int]]) -> None:
    """Print one set's figures."""
    print(title)
    for kind, (found, missed, false) in counts.items():
        precision = f"{found / (found + false):.3f}" if found + false else "–"
        recall = f"{found / (found + missed):.3f}" if found + missed else "–"
        counted = f"found {found:>4}  missed {missed:>3}  false {false:>3}"
        print(f"  {kind:<8} {counted}  precision {precision}  recall {recall}")


def main(folder: Path) -> None:
    """Print all figures."""
    report("presidio_synth", count(read_labeled(folder / "presidio_synth.jsonl")))
    report("made values and traps", count(make_rows(random.Random(7))))
    print("CPU seconds for 1 MB and for 2 MB of bait (linear: about twice)")
    for bait in BAIT:
        seconds = []
        for size in (1_000_000, 2_000_000):
            text = (bait * (size // len(bait) + 1))[:size]
            start = time.process_time()
            find_matches(text)
            seconds.append(time.process_time() - start)
        print(f"  {bait!r:<16} {seconds[0]:.2f}  {seconds[1]:.2f}")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[3] / "shared" / "quality"
    )
