"""The spans of one trace as a forest: parents, children, ancestors; cycles and orphans included."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.span import SpanData, Trace


class SpanTree:
    """A trace's spans with their family ties.

    A span whose parent is not in the trace is a local root and stands in ``orphans``; a cycle is cut at
    its earliest span. Duplicate span ids are dropped (the first stands).
    """

    __slots__ = ("_children", "_parent", "orphans", "roots", "spans")

    def __init__(self, trace: Trace) -> None:
        by_id: dict[str, SpanData] = {}
        for span in trace.spans:
            by_id.setdefault(span.span_id, span)
        self.spans = sorted(by_id.values(), key=_order)
        self._parent: dict[str, SpanData] = {}
        self._children: dict[str, list[SpanData]] = {}
        self.roots: list[SpanData] = []
        self.orphans: set[str] = set()
        for span in self.spans:
            self._place(span, by_id)
        self._cut_cycles()

    def _place(self, span: SpanData, by_id: dict[str, SpanData]) -> None:
        parent_id = span.parent_span_id
        parent = by_id.get(parent_id) if parent_id else None
        if parent is None or parent is span:
            self.roots.append(span)
            if parent_id and parent is None:
                self.orphans.add(span.span_id)
            return
        self._parent[span.span_id] = parent
        self._children.setdefault(parent.span_id, []).append(span)

    def _cut_cycles(self) -> None:
        reached = {span.span_id for root in self.roots for span in self.walk(root)}
        for span in self.spans:
            if span.span_id in reached:
                continue
            parent = self._parent.pop(span.span_id)
            self._children[parent.span_id].remove(span)
            self.roots.append(span)
            reached.update(member.span_id for member in self.walk(span))

    def parent(self, span: SpanData) -> SpanData | None:
        """Return the parent, or None for a local root."""
        return self._parent.get(span.span_id)

    def children(self, span: SpanData) -> list[SpanData]:
        """Return the children, ordered by start."""
        return self._children.get(span.span_id, [])

    def ancestors(self, span: SpanData) -> Iterator[SpanData]:
        """Yield parent, grandparent, … up to the local root."""
        seen = {span.span_id}
        parent = self.parent(span)
        while parent is not None and parent.span_id not in seen:
            seen.add(parent.span_id)
            yield parent
            parent = self.parent(parent)

    def local_root(self, span: SpanData) -> SpanData:
        """Return the top-most ancestor (or the span itself)."""
        return max(enumerate(self.ancestors(span)), default=(0, span), key=lambda pair: pair[0])[1]

    def walk(self, span: SpanData) -> Iterator[SpanData]:
        """Yield the span and everything below it, parents before children."""
        stack, seen = [span], set()
        while stack:
            current = stack.pop()
            if current.span_id in seen:
                continue
            seen.add(current.span_id)
            yield current
            stack.extend(reversed(self.children(current)))


def _order(span: SpanData) -> tuple[int, str]:
    return (span.start_ns if span.start_ns is not None else 1 << 63, span.span_id)
