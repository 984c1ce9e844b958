"""``groundwire check``: one answer against one source, no trace needed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.output import Output, speaks
from groundwire.errors import ConfigError
from groundwire.text.printable import printable

if TYPE_CHECKING:
    from groundwire.text.reuse_check import ReuseCheck


@click.command("check")
@click.option(
    "--source", "sources", multiple=True, metavar="FILE", help="A source; may be repeated. - is stdin."
)
@click.option("--source-text", "source_texts", multiple=True, metavar="TEXT", help="A source, given as text.")
@click.option("--answer", metavar="FILE", help="The answer. - is stdin.")
@click.option("--answer-text", metavar="TEXT", help="The answer, given as text.")
@click.option("--quotes", is_flag=True, help="Also check each quotation of the answer.")
@click.option(
    "--mode", type=click.Choice(["contiguous", "subsequence"]), default="contiguous",
    help="Runs from anywhere (default), or one common subsequence.",
)  # fmt: skip
@click.option(
    "--floor", type=click.IntRange(1), default=3, help="Shortest run that counts, in words (default 3)."
)
@click.option("--fail", is_flag=True, help="Exit 1 unless all is verbatim (with --quotes: the quotations).")
@click.option(
    "--min-ratio", type=click.FloatRange(0, 1), help="With --fail: the share of words that is enough."
)
@click.option("--no-color", is_flag=True, help="No color on a terminal either.")
@speaks
def command(
    output: Output,
    sources: tuple[str, ...],
    source_texts: tuple[str, ...],
    answer: str | None,
    answer_text: str | None,
    quotes: bool,
    mode: str,
    floor: int,
    fail: bool,
    min_ratio: float | None,
    no_color: bool,
) -> int:
    """Tell how much of an answer is copied from a source, word by word.

    What is not copied stands between [[ and ]].
    """
    from groundwire.text.reuse_check import check

    texts = [_read(name) for name in sources] + list(source_texts)
    if not texts:
        raise click.UsageError("Name a source with --source FILE or --source-text TEXT.")
    if (answer is None) == (answer_text is None):
        raise click.UsageError("Name the answer with either --answer FILE or --answer-text TEXT.")
    if [*sources, answer].count("-") > 1:
        raise click.UsageError("Only one of the source and the answer can be read from stdin.")
    found = check(
        _read(answer) if answer is not None else answer_text or "",
        texts,
        mode=mode,
        quotes=quotes,
        floor=floor,
    )
    text = _render(found, color=_wants_color(no_color))
    output.result(text, found.to_dict(), schema="check", is_styled=True)
    return _exit_code(found, fail=fail, min_ratio=min_ratio)


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as cause:
        mend = "Name an existing text file."
        raise ConfigError(f"can not be read ({cause.strerror})", where=name, mend=mend) from cause
    except UnicodeDecodeError as cause:
        raise ConfigError("is not UTF-8 text", where=f"{name}:byte {cause.start}") from cause


def _exit_code(found: ReuseCheck, *, fail: bool, min_ratio: float | None) -> int:
    """Return 1 for a negative verdict that was asked for, 3 when there is nothing to judge."""
    if not fail:
        return 0
    if found.reuse.matched_ratio is None:
        return 3
    if found.quotes is None and min_ratio is not None:
        return int(found.reuse.matched_ratio < min_ratio)
    return int(not found.is_verbatim)


def _wants_color(no_color: bool) -> bool:
    return not no_color and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _render(found: ReuseCheck, *, color: bool) -> str:
    reuse = found.reuse
    copied, words = sum(reuse.flags), len(reuse.words)
    longest = reuse.longest
    rows = [
        ("copied", f"{copied} of {words} words" + ("" if not words else f" ({copied / words:.1%})")),
        ("runs", f"{len(reuse.fragments)}, the longest of {longest.words if longest else 0} words"),
        ("segment", _render_segment(reuse.segment)),
        ("differing", f"{reuse.differing_tokens} of {reuse.total_tokens} tokens"),
        ("ROUGE-L", "too large, or no words" if reuse.rouge_l is None else f"{reuse.rouge_l:.3f}"),
    ]
    lines = [f"{name:<11}{value}" for name, value in rows] + _render_quotes(found) + [_summary(found)]
    return "\n".join([_mark(found, color=color), "", *map(printable, lines)])


def _render_segment(segment: tuple[int, int, int] | None) -> str:
    if segment is None:
        return "none, or in several sources"
    return f"characters {segment[1]} to {segment[2]} of source {segment[0] + 1}"


def _mark(found: ReuseCheck, *, color: bool) -> str:
    """Return the answer with what is not copied between [[ and ]], red on a terminal."""
    from groundwire.text.reuse import iter_unflagged

    pieces, at = [], 0
    for start, end in iter_unflagged(found.reuse):
        marked = f"[[{printable(found.answer[start:end])}]]"
        pieces += [printable(found.answer[at:start]), click.style(marked, fg="red") if color else marked]
        at = end
    return "".join([*pieces, printable(found.answer[at:])]).rstrip()


def _render_quotes(found: ReuseCheck) -> list[str]:
    if found.quotes is None:
        return []
    true = sum(quote.is_verbatim for quote in found.quotes)
    lines = [f"{'quotations':<11}{len(found.quotes)}, {true} of them verbatim"]
    return lines + [
        f"  not verbatim, characters {quote.start} to {quote.end}: {found.answer[quote.start : quote.end]}"
        for quote in found.quotes
        if not quote.is_verbatim
    ]


def _summary(found: ReuseCheck) -> str:
    if found.quotes is not None and not found.quotes:
        return "The answer quotes nothing."
    what = "answer" if found.quotes is None else "quotations"
    if found.is_verbatim:
        return f"Verbatim: all of the {what} is in the source."
    return f"Not verbatim: not all of the {what} is in the source."
