"""Citations in the form of one provider or another, told apart by their kind.

Offsets into the answer are verified at once; offsets into a source stay ``unresolved`` until it is known.
"""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, label_of, pick, text_of, whole_of
from groundwire.shapes.messages import content_text
from groundwire.shapes.offsets import UNRESOLVED, resolve_offsets, slice_in_unit
from groundwire.shapes.passages import first_label

Citation = dict[str, Any]


def of_kind(fields: Fields, kind: str, text: str, base: int) -> list[Citation]:
    """Read an item that names its own kind."""
    if kind.endswith("_location"):
        return [_of_anthropic(fields)]
    if kind == "citation":
        return [_of_langchain(fields, text, base)]
    if kind == "file_path":
        return []
    nested = fields_of(pick(fields, "url_citation", "file_citation", "container_file_citation"))
    return [of_openai(fields, nested or fields, text, base)]


def _of_anthropic(fields: Fields) -> Citation:
    """``cited_text`` is the source's; indices count from 0, the end is exclusive, both in the source."""
    citation: Citation = {}
    put_known(citation, "quote", text_of(get(fields, "cited_text")))
    put_known(citation, "source_id", first_label(fields, ("url", "source", "document_title", "file_id")))
    if "source_id" not in citation:
        put_known(citation, "source_id", _ordinal(pick(fields, "document_index", "search_result_index")))
    if "source_id" not in citation:
        put_known(citation, "source_id", first_label(fields, ("title",)))
    put_source_range(citation, get(fields, "start_char_index"), get(fields, "end_char_index"))
    return citation


def _ordinal(index: Any) -> str | None:
    """Turn a 0-based index into the 1-based number that names a source."""
    number = whole_of(index)
    return None if number is None else str(number + 1)


def of_openai(fields: Fields, nested: Fields, text: str, base: int) -> Citation:
    """Read an annotation; chat completions nest what Responses lay flat."""
    citation: Citation = {}
    put_known(citation, "quote", text_of(get(nested, "quote")))
    put_known(citation, "source_id", first_label(nested, ("url", "file_id", "filename", "title")))
    start, end = bounds_of(nested) if get(nested, "start_index") is not None else bounds_of(fields)
    marker = text_of(get(fields, "text"))
    if start is not None and end is not None:
        _settle_answer(citation, text, base, start, end, marker, text_of(get(nested, "url")))
    else:
        _put_point(citation, text, base, whole_of(get(nested, "index")))
    return citation


def _settle_answer(
    citation: Citation, text: str, base: int, start: int, end: int, marker: str | None, url: str | None
) -> None:
    """Settle a range of the answer by the text that it is said to hold, or by the address in it."""
    first, last, how = resolve_offsets(text, start, end, marker)
    if how == UNRESOLVED and not marker and url:
        first, last, how = _settle_by_address(text, start, end, url)
    citation["resolved"] = how
    if first is not None and last is not None:
        citation["answer_start"], citation["answer_end"] = base + first, base + last


def _settle_by_address(text: str, start: int, end: int, url: str) -> tuple[int | None, int | None, str]:
    for unit in ("code_points", "utf16", "utf8_bytes"):
        piece = slice_in_unit(text, start, end, unit)
        if piece and url in piece:
            return resolve_offsets(text, start, end, piece, prefer=unit)
    return None, None, UNRESOLVED


def _put_point(citation: Citation, text: str, base: int, index: int | None) -> None:
    """A single insertion point is an empty range; beyond ASCII its unit can not be verified."""
    if index is None:
        return
    if index <= len(text) and text[:index].isascii():
        citation["answer_start"] = citation["answer_end"] = base + index
        citation["resolved"] = "code_points"
    else:
        citation["resolved"] = UNRESOLVED


def of_cohere(fields: Fields, text: str, base: int) -> list[Citation]:
    """``start``/``end``/``text`` are the answer's; thoughts and plans are no part of the answer."""
    if text_of(get(fields, "type")) in {"PLAN", "THINKING_CONTENT"}:
        return []
    claim = text_of(get(fields, "text"))
    ranged = claimed(text, base, *bounds_of(fields), claim)
    listed = items_of(pick(fields, "document_ids", "sources")) or ()
    sources = [label_of(item) or _source_name(item) for item in listed]
    return [{**ranged, "source_id": source} for source in sources if source] or [ranged]


def _source_name(item: Any) -> str | None:
    fields = fields_of(item) or {}
    inner = fields_of(pick(fields, "document", "tool_output")) or {}
    return first_label(fields, ("id",)) or first_label(inner, ("id", "url", "title"))


def of_converse(fields: Fields) -> Citation:
    """Read Converse's citation: what its location says is the source's."""
    citation: Citation = {}
    put_known(citation, "quote", content_text(get(fields, "sourceContent")))
    location = fields_of(get(fields, "location")) or {}
    place = next((inner for inner in map(fields_of, dict.values(location)) if inner), None) or {}
    put_known(citation, "source_id", first_label(fields, ("title", "source")) or first_label(place, ("url",)))
    if "source_id" not in citation:
        put_known(citation, "source_id", _ordinal(pick(place, "documentIndex", "searchResultIndex")))
    if get(location, "documentChar") is not None:
        put_source_range(citation, get(place, "start"), get(place, "end"))
    return citation


def _of_langchain(fields: Fields, text: str, base: int) -> Citation:
    """``start_index``/``end_index`` are the answer's, ``cited_text`` the source's."""
    citation: Citation = {}
    put_known(citation, "quote", text_of(get(fields, "cited_text")))
    put_known(citation, "source_id", first_label(fields, ("url", "id", "title")))
    start, end = bounds_of(fields)
    if start is not None and end is not None:
        _settle_answer(citation, text, base, start, end, None, text_of(get(fields, "url")))
    return citation


def claimed(
    text: str,
    base: int,
    start: int | None,
    end: int | None,
    claim: str | None,
    *,
    prefer: str = "code_points",
) -> Citation:
    """Build the answer's side of a citation: the claim and its verified range."""
    citation: Citation = {}
    put_known(citation, "claim", claim)
    if start is not None or end is not None or claim:
        first, last, how = resolve_offsets(text, start, end, claim, prefer=prefer)
        citation["resolved"] = how
        if first is not None and last is not None:
            citation["answer_start"], citation["answer_end"] = base + first, base + last
            citation.setdefault("claim", text[first:last])
    return citation


def bounds_of(fields: Fields) -> tuple[int | None, int | None]:
    """Return the start and end under any of their spellings."""
    start = pick(fields, "start_index", "startIndex", "start")
    return whole_of(start), whole_of(pick(fields, "end_index", "endIndex", "end"))


def put_source_range(citation: Citation, start: Any, end: Any) -> None:
    """Keep a range of the source, whose unit is open until the source's text is known."""
    first, last = whole_of(start), whole_of(end)
    if first is not None and last is not None:
        citation["source_start"], citation["source_end"] = first, last
        citation["resolved"] = UNRESOLVED


def put_known(citation: Citation, name: str, value: Any) -> None:
    """Set a field unless its value is unknown or empty."""
    if value is not None and value != "":
        citation[name] = value
