"""CPU seconds of single graders on texts made to be slow, at half and at full size (linear: about twice).

Run: python tests/benchmarks/hostile.py [characters of the longer answer, default 1000000] [grade name …]

The answer is one pattern repeated, its first context half of the same text.
"""

from __future__ import annotations

import random
import sys
import time

from groundwire.grade import Shared
from groundwire.graders import resolve_graders
from groundwire.record import RagRecord

GRADES = ("abstention", "verbatim_reuse", "pii_leak")
WORDS = "the not no information is in context I do know but however provided document mention cannot".split()
BAIT = {
    "not": "not ", "phrase": "I do not ", "sentence": "It is not the case that the document is in the. ",
    "open quote": '" not ', "one word": "a", "two words": "a b ", "turns": " but ", "lines": "not\n",
    "Chinese": "没有提到的", "Japanese": "資料には何も", "digits": "1 ", "code": "` not ",
    "markup": "**not** ", "at signs": "a@a.", "cards": "4111 ", "phones": "555-555-5555 ",
    "values": "u@lovelace.net ",
}  # fmt: skip


def make_text(name: str, size: int) -> str:
    """Return ``size`` characters of bait; ``random`` is random words."""
    if name == "random":
        dice = random.Random(7)
        return " ".join(dice.choice(WORDS) for _ in range(size // 5))[:size]
    return (BAIT[name] * (size // len(BAIT[name]) + 1))[:size]


def measure(grade: str, name: str, size: int) -> float:
    """Return the CPU seconds that one grader takes for one answer."""
    (grader,) = resolve_graders([grade])
    text = make_text(name, size)
    shared = Shared(RagRecord(question="how?", answer=text, contexts=[text[: size // 2], "x"]))
    start = time.process_time()
    grader.grade(shared)
    return time.process_time() - start


def main(size: int, grades: tuple[str, ...]) -> None:
    """Print one line a bait, the slowest last."""
    print(f"{'':<12}" + "".join(f"{grade:>22}" for grade in grades))
    worst = 0.0
    for name in (*BAIT, "random"):
        pairs = [(measure(grade, name, size // 2), measure(grade, name, size)) for grade in grades]
        print(f"{name:<12}" + "".join(f"{f'{half:.2f} {whole:.2f}':>22}" for half, whole in pairs))
        worst = max(worst, *(whole for _, whole in pairs))
    print(f"slowest: {worst:.2f} s for {size:,} characters")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, tuple(sys.argv[2:]) or GRADES)
