"""Whether grading stays linear on hostile texts: prints seconds at two sizes and their ratio.

Run: ``python tests/benchmarks/long_inputs.py [--characters 1000000]``. Every bait is tried as the context,
as the quotation and as the answer (answers over the stated limit are not judged). Doubling the size should
about double the time; process CPU time, one run each.
"""

from __future__ import annotations

import argparse
import time

from groundwire.grade import Shared
from groundwire.graders.citations import CitationProvenance, CitationScope, CitationSupport
from groundwire.graders.groundedness import Groundedness
from groundwire.graders.material import MAX_ANSWER_CHARACTERS
from groundwire.graders.quotation import Quotation
from groundwire.record import RagRecord
from groundwire.text.sources import SOURCES

BAITS = {
    "prose": "The gate of pier 7 opens at nine. ",
    "parentheses": "(",
    "markers": "[1",
    "double quotes": '"a ',
    "single quotes": "' a",
    "open quotes": "“a",
    "full stops": ". ",
    "tags": "<a ",
    "line hyphens": "a-\n",
    "points": "1.",
    "digits": "1 ",
    "block quotes": "> a\n",
    "spaces": " ",
    "one word": "a",
    "no spaces": "九時に",
    "ellipses": "... a ",
    "brackets": "[a] b ",
    "emphasis": "**a",
    "links": "[a](b",
    "accents": "a\u0301",
    "negations": "not ",
}
GRADERS = (CitationProvenance(), CitationScope(), CitationSupport(), Groundedness(), Quotation())


def seconds(answer: str, context: str, quote: str) -> float:
    """Return the CPU seconds of grading one record with an empty cache."""
    SOURCES.clear()
    shared = Shared(
        RagRecord(question="When?", answer=answer, contexts=[context], citations=[{"quote": quote}])
    )
    start = time.process_time()
    for grader in GRADERS:
        shared.grades[grader.name] = grader.grade(shared)
    return time.process_time() - start


def main() -> None:
    """Try every bait in every place at half and full size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--characters", type=int, default=1_000_000)
    size = parser.parse_args().characters
    plain, quote = "The gate opens at nine in the morning.", "opens at nine"
    for name, bait in BAITS.items():
        half, full = bait * (size // 2 // len(bait)), bait * (size // len(bait))
        limit = MAX_ANSWER_CHARACTERS
        rows = {
            "context": [seconds(plain, text, quote) for text in (half, full)],
            "quote": [seconds(plain, plain, text) for text in (half, full)],
            "answer": [seconds(text, plain, quote) for text in (full[: limit // 2], full[:limit])],
        }
        shown = "   ".join(
            f"{where} {b:5.2f} s (x{b / max(a, 0.005):4.1f})" for where, (a, b) in rows.items()
        )
        print(f"{name:14s} {shown}", flush=True)


if __name__ == "__main__":
    main()
