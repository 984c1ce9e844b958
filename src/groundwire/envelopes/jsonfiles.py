"""Files of the JSON family: one document a line, documents over several lines, or one long array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from groundwire.envelopes.documents import Item, is_envelope, read_document
from groundwire.envelopes.framing import Framer
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.lines import Line, read_lines
from groundwire.envelopes.otlp_fast import read_exact_spans
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

_EXACT = b'{"resourceSpans":'


def read_json_stream(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of a stream of JSON documents, however they are laid out."""
    reader = _JsonReader(path, tally)
    for line in read_lines(stream, path, tally):
        yield from reader.read_line(line)
    yield from reader.finish()


class _JsonReader:
    """Reads line by line; falls back to finding document bounds where a line is no document."""

    def __init__(self, path: str, tally: Tally) -> None:
        self.path, self.tally = path, tally
        self.framer = Framer(tally.limits.max_line_bytes)
        self.last: Line | None = None

    def read_line(self, line: Line) -> Iterator[Item]:
        self.last = line
        if self.framer.is_open:
            yield from self._continue(line)
            return
        origin = Origin(self.path, line.number, line.byte)
        if line.text.startswith(_EXACT):
            spans = read_exact_spans(line.text, origin, self.tally)
            if spans is not None:
                self.tally.saw("otlp_json")
                yield from spans
                return
        yield from self._read_general(line, origin)

    def _read_general(self, line: Line, origin: Origin) -> Iterator[Item]:
        try:
            value = parse_json(line.text, self.tally.stats.repaired)
        except NotJsonError as problem:
            if problem.reason == "too_deep":
                self.tally.reject(origin, problem.reason, problem.problem)
            else:
                yield from self._frame(line)
            return
        yield from read_document(value, line.text, origin, self.tally)

    def _continue(self, line: Line) -> Iterator[Item]:
        """Add a line to an open document, unless the line is an envelope itself: then that one was cut."""
        if not self.framer.is_between and line.text.startswith(b'{"'):
            try:
                value = parse_json(line.text, self.tally.stats.repaired)
            except NotJsonError:
                pass
            else:
                if is_envelope(value):
                    self._reject_open("cut_line", "a document was cut here: another one begins after it")
                    origin = Origin(self.path, line.number, line.byte)
                    yield from read_document(value, line.text, origin, self.tally)
                    return
        yield from self._frame(line)

    def _frame(self, line: Line) -> Iterator[Item]:
        found = self.framer.feed(line)
        for document in found.documents:
            origin = Origin(self.path, document.line, document.byte)
            try:
                value = parse_json(document.text, self.tally.stats.repaired)
            except NotJsonError as problem:
                self.tally.reject(origin, problem.reason, problem.problem)
            else:
                yield from read_document(value, document.text, origin, self.tally)
        if found.problem is not None:
            is_cut = found.is_cut and not line.is_ended
            reason = "cut_last_line" if is_cut else found.reason
            problem_text = "the last line is not yet complete" if is_cut else found.problem
            self.tally.reject(Origin(self.path, found.line, found.byte), reason, problem_text)

    def _reject_open(self, reason: str, problem: str) -> None:
        line, byte = self.framer.reset()
        self.tally.reject(Origin(self.path, line, byte), reason, problem)

    def finish(self) -> Iterator[Item]:
        if self.framer.is_inside:
            self._reject_open("cut_last_line", "the last document is not yet complete")
        return iter(())
