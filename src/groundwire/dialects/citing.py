"""The citations of an answer: a provider's own objects where a raw dump kept them, and the text's markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from groundwire.dialects.values import as_int, as_text
from groundwire.record import Citation, RagRecord, RetrievedContext
from groundwire.shapes import read_result, settle_sources
from groundwire.text.markers import Marker, find_source, label_number, parse_markers

MAX_CITATIONS = 2_000
_TEXT_FIELDS = ("quote", "source_id", "claim", "resolved")
_OFFSET_FIELDS = ("answer_start", "answer_end", "source_start", "source_end")


class Cited(NamedTuple):
    """The citations (None: the answer is not known), and whether a provider's objects are among them."""

    citations: tuple[Citation, ...] | None
    from_provider: bool = False


def read_citations(
    answer: str | None,
    contexts: Sequence[RetrievedContext] | None,
    output: Any,
    passages: Sequence[RetrievedContext] = (),
) -> Cited:
    """Return an answer's citations in the order of the text.

    ``output`` is a raw result that may hold a provider's citation objects. ``passages`` are the prompt's own
    numbered passages: where they differ from the contexts, it is them that ``[n]`` counts. Markers that name
    none of the contexts are kept, ``resolved`` being ``unresolved``; where the contexts are not known (None),
    none can be out of range.

    >>> read_citations("So it is [1][3].", [RetrievedContext(id="a")], None).citations[1].resolved
    'unresolved'
    """
    if answer is None:
        return Cited(None)
    lost = "marker" if contexts is None else "unresolved"
    contexts = contexts or ()
    provided = _read_provided(answer, contexts, output)
    names = {name for context in contexts for name in (context.id, context.title, context.uri) if name}
    markers = parse_markers(answer, names)
    taken = {(citation.answer_start, citation.answer_end) for citation in provided}
    numbers = _map_numbers(contexts, passages)
    marked = [
        citation
        for marker in markers
        if (marker.start, marker.end) not in taken
        for citation in _of_marker(marker, contexts, numbers, lost)
    ]
    if not provided and not marked:
        return Cited(() if isinstance(output, (Mapping, list)) else None)
    found = sorted([*provided, *marked], key=_position)
    return Cited(tuple(found[:MAX_CITATIONS]), bool(provided))


def mark_citations(record: RagRecord) -> RagRecord:
    """Return the record with the citations that its answer's own markers state, where none were captured.

    A record whose citations are known (an empty list, too) is returned as it is.

    >>> mark_citations(RagRecord(answer="So it is [1].", contexts=["It is so."])).citations[0].source_id
    '1'
    """
    if record.citations is not None or not record.answer:
        return record
    found = read_citations(record.answer, record.contexts or (), None).citations
    if not found:
        return record
    provenance = {**record.provenance, "citations": "markers in the answer"}
    return structs.replace(record, citations=found, provenance=provenance)


def _position(citation: Citation) -> tuple[int, int]:
    start = citation.answer_start
    return (1, 0) if start is None else (0, start)


def _read_provided(answer: str, contexts: Sequence[RetrievedContext], output: Any) -> list[Citation]:
    if not isinstance(output, (Mapping, list)):
        return []
    result = read_result(output)
    found = [dict(item) for item in result.get("citations") or () if isinstance(item, Mapping)]
    if not found:
        return []
    shift = _shift(as_text(result.get("answer")), answer)
    for item in found:
        _move(item, shift, len(answer))
    settle_sources(found, [{"id": c.id, "title": c.title, "uri": c.uri, "text": c.text} for c in contexts])
    return [_as_citation(item) for item in found[:MAX_CITATIONS]]


def _shift(said: str | None, answer: str) -> int | None:
    """Return how far the provider's text lies within the answer; None: it is not in there."""
    if said == answer:
        return 0
    at = answer.find(said) if said else -1
    return at if at >= 0 else None


def _move(item: dict[str, Any], shift: int | None, length: int) -> None:
    start, end = as_int(item.get("answer_start")), as_int(item.get("answer_end"))
    if start is None or end is None:
        return
    if shift is None or not 0 <= start + shift <= end + shift <= length:
        item.pop("answer_start"), item.pop("answer_end")
        item["resolved"] = "unresolved"
    else:
        item["answer_start"], item["answer_end"] = start + shift, end + shift


def _as_citation(item: Mapping[str, Any]) -> Citation:
    fields: dict[str, Any] = {name: as_text(item.get(name)) for name in _TEXT_FIELDS}
    fields.update({name: as_int(item.get(name)) for name in _OFFSET_FIELDS})
    return Citation(**fields)


def _map_numbers(
    contexts: Sequence[RetrievedContext], passages: Sequence[RetrievedContext]
) -> dict[int, int]:
    """Return, per number in the prompt, the context that holds that passage, where that is another one."""
    texts = [" ".join((context.text or "").split()) for context in contexts]
    mapped: dict[int, int] = {}
    for index, passage in enumerate(passages):
        words = " ".join((passage.text or "").split())
        if index < len(texts) and words and words in texts[index]:
            continue
        found = next((i for i, text in enumerate(texts) if words and words in text), None)
        if found is not None:
            mapped[index + 1] = found
    return mapped


def _of_marker(
    marker: Marker, contexts: Sequence[RetrievedContext], numbers: Mapping[int, int], lost: str
) -> list[Citation]:
    sources = [[name for name in (c.id, c.title, c.uri) if name] for c in contexts]
    citations = []
    for label in marker.labels:
        number = label_number(label)
        index = numbers.get(number) if number is not None else None
        index = find_source(label, sources) if index is None else index
        citations.append(
            Citation(
                source_id=_name(label, index, number, sources),
                answer_start=marker.start,
                answer_end=marker.end,
                resolved=lost if index is None else "marker",
            )
        )
    return citations


def _name(label: str, index: int | None, number: int | None, sources: Sequence[Sequence[str]]) -> str:
    """Keep what the answer says where that names the source, else say its number."""
    if index is None or label in sources[index]:
        return label
    return label if label.isdigit() and number == index + 1 else str(index + 1)
