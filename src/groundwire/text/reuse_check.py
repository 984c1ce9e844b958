"""One answer against one source: how much is copied, and whether its quotations are true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from groundwire.errors import ConfigError
from groundwire.text.quotations import find_quotations
from groundwire.text.reuse import DEFAULT_FLOOR, Reuse, TooLargeError, measure_reuse


class QuoteCheck(NamedTuple):
    """A quotation: the range of its inner text, and whether all of it is one run of a source."""

    start: int
    end: int
    is_verbatim: bool
    matched_ratio: float | None


class ReuseCheck(NamedTuple):
    """What :func:`check` found: the ``answer``, its ``reuse``, its ``quotes`` (None unless asked for)."""

    answer: str
    reuse: Reuse
    quotes: tuple[QuoteCheck, ...] | None

    @property
    def is_verbatim(self) -> bool:
        """True when every word is copied; with ``quotes``, when there are some and all are true."""
        if self.quotes is not None:
            return bool(self.quotes) and all(quote.is_verbatim for quote in self.quotes)
        return self.reuse.matched_ratio == 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and ranges, without text."""
        reuse = self.reuse
        longest = reuse.longest
        return {
            "words": len(reuse.words),
            "copied_words": sum(reuse.flags),
            "matched_ratio": reuse.matched_ratio,
            "longest_fragment_words": longest.words if longest else 0,
            "fragments": [fragment._asdict() for fragment in reuse.fragments],
            "segment": reuse.segment,
            "flags": [[*span, flag] for span, flag in zip(reuse.words, reuse.flags, strict=True)],
            "differing_tokens": reuse.differing_tokens,
            "total_tokens": reuse.total_tokens,
            "rouge_l": reuse.rouge_l,
            "quotes": None if self.quotes is None else [quote._asdict() for quote in self.quotes],
            "is_verbatim": self.is_verbatim,
        }


def check(
    answer: str,
    source: str | Sequence[str],
    *,
    mode: str = "contiguous",
    quotes: bool = False,
    floor: int = DEFAULT_FLOOR,
    count_tokens: Callable[[str], int] | None = None,
) -> ReuseCheck:
    """Compare one answer with one source, or several.

    ``mode``, ``floor`` and ``count_tokens`` as in :func:`groundwire.text.reuse.measure_reuse`; ``quotes``
    also checks each quotation of the answer: it must stand in a source word for word, as one run. Raises
    ConfigError on an unknown mode, on a source that is no text, and when a subsequence would be too large.

    >>> found = check('He wrote "the gate opens at ten".', "The gate opens at nine.", quotes=True)
    >>> found.is_verbatim, found.reuse.longest.words
    (False, 4)
    """
    texts = [source] if isinstance(source, str) else list(source)
    for text in [answer, *texts]:
        if not isinstance(text, str):
            raise ConfigError("is no text", where="check", expected="str", got=type(text).__name__)
    try:
        reuse = measure_reuse(answer, texts, floor=floor, mode=mode, count_tokens=count_tokens)
    except TooLargeError as cause:
        raise ConfigError(
            str(cause), where="check", mend="Use the contiguous mode, which is linear."
        ) from cause
    found = (
        tuple(_check_quote(answer, texts, q.start, q.end) for q in find_quotations(answer))
        if quotes
        else None
    )
    return ReuseCheck(answer, reuse, found)


def _check_quote(answer: str, texts: list[str], start: int, end: int) -> QuoteCheck:
    reuse = measure_reuse(answer[start:end], texts, floor=1, with_rouge=False)
    whole = any(fragment.words == len(reuse.words) for fragment in reuse.fragments)
    return QuoteCheck(start, end, whole, reuse.matched_ratio)
