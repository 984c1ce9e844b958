"""How many records one core grades a second with all default graders, beside two comparable packages.

Run: ``python tests/benchmarks/grading.py [--records N] [--peers PYTHON]``, where PYTHON is the interpreter of
an environment that holds spancheck 0.3.1 and verbatimeter 0.1.3. Times are process CPU time.

The record: an answer of about 396 characters, 5 contexts of about 995 characters, 3 citations of which one
is altered. All records are distinct, the cache of sources starts cold. ``--profile`` prints the costs.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

QUALITY = Path(__file__).resolve().parents[3] / "shared" / "quality"
_SUBJECTS = """
The harbor administration
A certified pilot association
The maritime museum
Each seasonal mooring permit
The lock supervisor
Our overnight passenger ferry
The decommissioned lighthouse
A visiting research expedition
The nautical chart archive
Every registered cargo barge
The underwater salvage contractor
The container terminal
A deputy harbor inspector
The meteorological station
The commercial fishing cooperative
The restoration boatyard
""".strip().split("\n")
_VERBS = """
reviews
records
opens
closes
inspects
publishes
repairs
measures
stores
signals
escorts
registers
charges
approves
collects
maintains
""".strip().split("\n")
_OBJECTS = """
the southern navigation markers
incoming freight declarations
reserved winter anchorages
a quarterly sediment survey
the fluorescent channel buoys
its engine maintenance records
the bilingual customs ledger
replacement anchor equipment
the protected oyster reserves
a ceremonial signal lantern
the visitors' accident register
the emergency drainage pumps
small conservation grants
the apprentice pilot roster
a strategic fuel reserve
the northern breakwater barrier
""".strip().split("\n")
_TAILS = """
before the {n} o'clock inspection
for {n} crowns weekly
within {n} days of arrival
representing district {n}
following {n} hours of favorable weather
alongside pier {n}
since 19{n}
for vessels exceeding {n} meters
under regulation {n} of the harbor ordinance
at most {n} times every season
employing {n} technicians
throughout section {n}
""".strip().split("\n")


_NAMES = [
    "".join(random.Random(i).choice(c) for c in ("BDGKLMNPRSTV", "aeiou", "dlmnrst", "aeou", "bdklmnrstv"))
    for i in range(1_500)
]


def make_sentence(dice: random.Random) -> str:
    """One invented sentence of about 75 characters, with a number in it."""
    tail = dice.choice(_TAILS).format(n=dice.randrange(11, 99))
    who = f"{dice.choice(_SUBJECTS)} of {dice.choice(_NAMES)}"
    return f"{who} {dice.choice(_VERBS)} {dice.choice(_OBJECTS)} {tail}."


def make_text(dice: random.Random, size: int) -> str:
    """Sentences up to about ``size`` characters."""
    text = make_sentence(dice)
    while len(text) < size - 55:
        text += " " + make_sentence(dice)
    return text


def make_record(dice: random.Random, pool: list[str] | None = None) -> dict[str, Any]:
    """One record: four claims, most taken from the contexts, one altered."""
    contexts = dice.sample(pool, 5) if pool else [make_text(dice, 995) for _ in range(5)]
    sentences = [dice.choice(text.split(". ")).rstrip(".") + "." for text in dice.sample(contexts, 4)]
    sentences[1] = sentences[1].replace("The ", "Here the ", 1)
    sentences[2] = make_sentence(dice)
    quotes = [sentences[0], sentences[3], sentences[3].replace(" of ", " in ", 1)]
    owner = {s: next((i for i, text in enumerate(contexts) if s[:-1] in text), 0) for s in sentences}
    quoted = (sentences[0], sentences[3], sentences[3])
    citations = [
        {"quote": quote, "source_id": f"d{owner[sentence] + 1}"}
        for quote, sentence in zip(quotes, quoted, strict=True)
    ]
    return {
        "question": "What does the harbor office do for visiting crews?",
        "answer": " ".join(sentences),
        "contexts": [{"id": f"d{i + 1}", "text": text} for i, text in enumerate(contexts)],
        "citations": citations,
        "latency_ns": 812_000_000,
        "model": "gpt-4o-mini",
        "usage": {"input_tokens": 812, "output_tokens": 90},
    }


def read_mtrag() -> list[dict[str, Any]]:
    """Return the records of the mtrag files, or nothing where they are absent."""
    rows = []
    for name in ("mtrag_human", "mtrag_un"):
        path = QUALITY / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            row = json.loads(line)
            contexts = [{"id": c["id"], "text": c["text"]} for c in row["contexts"]]
            rows.append({"question": row["question"], "answer": row["answer"], "contexts": contexts})
    return rows


def seconds_of(work: Callable[[Any], object], items: list[Any]) -> float:
    """Return the CPU seconds that ``work`` takes over ``items``."""
    start = time.process_time()
    for item in items:
        work(item)
    return time.process_time() - start


def measure_peers(count: int) -> None:
    """Time spancheck's four graders and verbatimeter's runs and quotations; runs in their environment."""
    import spancheck
    import verbatimeter

    dice = random.Random(7)
    rows = [make_record(dice) for _ in range(count)]
    graders = spancheck.default_graders()
    case = spancheck.Case(id="c", input="q")

    def run_spancheck(row: dict[str, Any]) -> None:
        output = spancheck.normalize(
            {
                "answer": row["answer"],
                "contexts": [c["text"] for c in row["contexts"]],
                "citations": [{"span": c["quote"], "source_id": c["source_id"]} for c in row["citations"]],
                "sources": {c["id"]: c["text"] for c in row["contexts"]},
            }
        )
        for grader in graders:
            grader(case, output)

    def run_verbatimeter(row: dict[str, Any]) -> None:
        source = " ".join(c["text"] for c in row["contexts"])
        verbatimeter.check(row["answer"], source)
        for citation in row["citations"]:
            verbatimeter.check(citation["quote"], source)

    for name, work in (("spancheck", run_spancheck), ("verbatimeter", run_verbatimeter)):
        part = rows if name == "spancheck" else rows[: max(10, count // 20)]
        print(f"{name:36s} {len(part) / seconds_of(work, part):6.0f} records/s/core")


def measure_ours(count: int, *, profiled: bool) -> None:
    """Time our graders on distinct, on shared and on real texts."""
    from groundwire.graders import default_graders, grade_record
    from groundwire.record import parse_record
    from groundwire.text.sources import SOURCES

    dice = random.Random(7)
    warm = [parse_record(make_record(dice)) for _ in range(40)]
    distinct = [parse_record(make_record(dice)) for _ in range(count)]
    pool = [make_text(dice, 995) for _ in range(count // 2)]
    pooled = [parse_record(make_record(dice, pool)) for _ in range(count)]
    real = [parse_record(row) for row in read_mtrag()]
    # What a process does once is no part of a record: an abstention compiles its language's grammar.
    warm.append(parse_record({**make_record(dice), "answer": "I do not know what the harbor office does."}))
    seconds_of(grade_record, warm)
    for name, records in (
        ("all distinct, cold cache", distinct),
        ("a tenth of the contexts distinct", pooled),
    ):
        print(f"{name:36s} {len(records) / seconds_of(grade_record, records):6.0f} records/s/core")
    for name in ("mtrag texts, first sight of words", "mtrag texts, words known, cold cache") if real else ():
        SOURCES.clear()
        speed = len(real) / seconds_of(grade_record, real)
        print(f"{name:36s} {speed:6.0f} records/s/core")
    if profiled:
        print_costs(default_graders(), [parse_record(make_record(dice)) for _ in range(count)])


def print_costs(graders: Any, records: list[Any]) -> None:
    """Print microseconds a record by grader, then the functions that take most."""
    from groundwire.grade import Shared
    from groundwire.graders import grade_record

    spent = dict.fromkeys((grader.name for grader in graders), 0.0)
    for record in records:
        shared = Shared(record)
        for grader in graders:
            start = time.process_time()
            shared.grades[grader.name] = grader.grade(shared)
            spent[grader.name] += time.process_time() - start
    for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {name:32s} {seconds / len(records) * 1e6:8.0f} µs/record")
    profile = cProfile.Profile()
    profile.runcall(seconds_of, grade_record, records[:200])
    pstats.Stats(profile).sort_stats("tottime").print_stats(30)


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=600)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--only-peers", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.only_peers:
        measure_peers(options.records)
        return
    from groundwire.pipeline import rare_collection

    with rare_collection():  # as `groundwire score` does
        measure_ours(options.records, profiled=options.profile)
    if options.peers:
        command = [options.peers, __file__, "--only-peers", "--records", str(options.records)]
        subprocess.run(command, check=True, stdout=sys.stdout)


if __name__ == "__main__":
    main()
