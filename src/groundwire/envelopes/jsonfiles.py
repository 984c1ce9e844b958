"""Files of the JSON family: one document a line, documents over several lines, or one long array."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from groundwire.envelopes.documents import Item, is_known, is_request, read_document, read_text
from groundwire.envelopes.framing import Framer
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.lines import Line, read_lines
from groundwire.envelopes.otlp_fast import EXACT, read_exact_spans
from groundwire.envelopes.otlp_packing import hand_out, pack_exact_spans
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

_REQUEST = re.compile(rb'\{"resource(?:Spans|Logs|Metrics)":\[')
_MAX_BEGINNINGS = 4


def read_json_stream(stream: io.BufferedReader, path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of a stream of JSON documents, however they are laid out."""
    reader = _JsonReader(path, tally)
    for seen in read_lines(stream, path, tally):
        if seen.view[: len(EXACT)] == EXACT and not reader.framer.is_open:
            origin = Origin(path, seen.number, seen.byte)
            spans = (
                read_exact_spans(seen.view, origin, tally)
                if tally.packing is None or seen.byte == 0  # a file's first line may begin with a mark
                else pack_exact_spans(seen.view, origin, tally, tally.packing)
            )
            if spans is not None:
                yield from hand_out(spans)
                continue
        line = seen.copied()
        if line.text:
            yield from reader.read_line(line)
    yield from reader.finish()


def _beginnings(text: bytes) -> list[int]:
    """Return where a document may begin in a line: at its start, and where a request does."""
    behind = [match.start() for match in _REQUEST.finditer(text, 1)][-_MAX_BEGINNINGS:]
    return [0, *behind] if text.startswith(b'{"') else behind


class _JsonReader:
    """Reads line by line; looks for the bounds of documents where a line is not one document."""

    def __init__(self, path: str, tally: Tally) -> None:
        self.path, self.tally = path, tally
        self.framer = Framer(tally.limits.max_line_bytes)

    def read_line(self, line: Line) -> Iterator[Item]:
        if self.framer.is_open:
            yield from self._continue(line)
            return
        try:
            yield from read_text(line.text, self._origin(line), self.tally)
        except NotJsonError as problem:
            if problem.reason == "not_json":
                yield from self._frame(line)
            else:
                self.tally.reject(self._origin(line), problem.reason, problem.problem)

    def _continue(self, line: Line) -> Iterator[Item]:
        """Add a line to an open document, unless that was cut and another begins here."""
        if not self.framer.is_between and line.text.startswith(b"{") and self._begins_anew(line):
            yield from self._give_up("cut_line", "a document was cut here: another one begins after it")
            yield from self.read_line(line)
        else:
            yield from self._frame(line)

    def _begins_anew(self, line: Line) -> bool:
        if not self.framer.expects_value:
            return True
        if not line.text.startswith(b'{"'):
            return False
        try:
            return is_request(parse_json(line.text, self.tally.stats.repaired))
        except NotJsonError:
            return False

    def _frame(self, line: Line) -> Iterator[Item]:
        found = self.framer.feed(line)
        for document in found.documents:
            origin = Origin(self.path, document.line, document.byte)
            try:
                yield from read_text(document.text, origin, self.tally)
            except NotJsonError as bad:
                self.tally.reject(origin, bad.reason, bad.problem)
        if found.problem is not None:
            is_last = found.is_cut and not line.is_ended
            reason = "cut_last_line" if is_last else found.reason
            yield from self._give_up(
                reason, "the last line is not yet complete" if is_last else found.problem
            )

    def _give_up(self, reason: str, problem: str) -> Iterator[Item]:
        """Reject what is open; lines in it that are whole by themselves are read all the same.

        So is a whole request at the end of a line: a writer that met a full disk goes on behind what it
        had begun.
        """
        start, kept = self.framer.give_up()
        self.tally.reject(self._origin(start), reason, problem)
        for line in kept:
            for begin in _beginnings(line.text):
                text = line.text[begin:]
                try:
                    value = parse_json(text, self.tally.stats.repaired)
                except NotJsonError:
                    continue
                if is_known(value):
                    yield from read_document(value, text, self._origin(line), self.tally)
                    break

    def finish(self) -> Iterator[Item]:
        if self.framer.is_open:
            yield from self._give_up("cut_last_line", "the last document is not yet complete")

    def _origin(self, line: Line) -> Origin:
        return Origin(self.path, line.number, line.byte)
