"""Citations of every provider's form, told apart by their fields.

Offsets of a provider index either the *answer* (OpenAI, Google, Cohere, Bedrock knowledge bases, LangChain)
or the *source* (Anthropic, Bedrock Converse); the two never mix. Offsets into the answer are verified here;
offsets into a source are kept as ``unresolved`` until :func:`settle_sources` has the source's text.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import (
    Fields,
    Found,
    by_role,
    fields_of,
    get,
    items_of,
    label_of,
    pick,
    role_table,
    text_of,
    whole_of,
)
from groundwire.shapes.messages import content_text
from groundwire.shapes.offsets import UNRESOLVED, resolve_offsets, slice_in_unit
from groundwire.shapes.passages import first_label, is_uri, joined_parts

Citation = dict[str, Any]

_ROLES: Final = role_table(
    quote="quote cited_text span text snippet excerpt passage content page_content",
    source="source_id source document_id doc_id context_id chunk_id file_id documentId sourceId id url uri "
    "title document_title filename index number doc document ref context metadata",
    claim="claim sentence statement answer_text claim_text segment_text",
    start="start start_index startIndex begin start_char start_offset",
    end="end end_index endIndex end_char end_offset",
    answer_start="answer_start",
    answer_end="answer_end",
    source_start="source_start",
    source_end="source_end",
    resolved="resolved",
    type="type",
    openai="url_citation file_citation container_file_citation",
    cohere="document_ids sources",
    converse="sourceContent location",
)
_RANGES: Final = ("answer_start", "answer_end", "source_start", "source_end")
_SOURCE_NAMES: Final = ("source_id", "id", "url", "uri", "title", "source", "document_id", "doc_id", "name")


def citations_of(items: Any, answer: str | None) -> list[Citation] | None:
    """Read a list of citations of any form; None when it is no list."""
    listed = items_of(items)
    if listed is None:
        single = fields_of(items)
        listed = [items] if single else None
    if listed is None:
        return None
    return [citation for item in listed for citation in citation_of(item, answer or "")]


def citation_of(item: Any, text: str, base: int = 0) -> list[Citation]:
    """Read one citation item; ``text`` is the part of the answer that starts at ``base``.

    One item that names several sources becomes one citation each; an item that is none becomes nothing.
    """
    fields = fields_of(item)
    if not fields:
        return _of_text(item)
    found = by_role(fields, _ROLES)
    kind = text_of(found["type"][0][1]) if "type" in found else None
    if kind is not None and (kind.endswith(("_location", "_citation")) or kind in {"citation", "file_path"}):
        return _of_kind(fields, kind, text, base)
    if "openai" in found:
        return [_of_openai(fields, fields_of(found["openai"][0][1]) or fields, text, base)]
    if "cohere" in found and items_of(found["cohere"][0][1]) is not None:
        return _of_cohere(fields, text, base)
    if "converse" in found:
        return [_of_converse(fields)]
    return _of_plain(found, text, base)


def _of_kind(fields: Fields, kind: str, text: str, base: int) -> list[Citation]:
    if kind.endswith("_location"):
        return [_of_anthropic(fields)]
    if kind == "citation":
        return [_of_langchain(fields, text, base)]
    if kind == "file_path":
        return []
    nested = fields_of(pick(fields, "url_citation", "file_citation", "container_file_citation"))
    return [_of_openai(fields, nested or fields, text, base)]


def _of_text(item: Any) -> list[Citation]:
    text = text_of(item)
    if text is None:
        number = label_of(item)
        return [{"source_id": number}] if number else []
    if not text:
        return []
    names_source = is_uri(text) or (len(text) <= 6 and text.isdigit())
    return [{"source_id": text}] if names_source else [{"quote": text}]


def _of_anthropic(fields: Fields) -> Citation:
    """``cited_text`` is the source's; indices count from 0, the end is exclusive, both in the source."""
    citation: Citation = {}
    _put(citation, "quote", text_of(get(fields, "cited_text")))
    _put(citation, "source_id", first_label(fields, ("url", "source", "document_title", "file_id")))
    if "source_id" not in citation:
        _put(citation, "source_id", _ordinal(pick(fields, "document_index", "search_result_index")))
    if "source_id" not in citation:
        _put(citation, "source_id", first_label(fields, ("title",)))
    _put_source_range(citation, get(fields, "start_char_index"), get(fields, "end_char_index"))
    return citation


def _put(citation: Citation, name: str, value: Any) -> None:
    if value is not None and value != "":
        citation[name] = value


def _ordinal(index: Any) -> str | None:
    """Turn a 0-based index into the 1-based number that names a source."""
    number = whole_of(index)
    return None if number is None else str(number + 1)


def _put_source_range(citation: Citation, start: Any, end: Any) -> None:
    first, last = whole_of(start), whole_of(end)
    if first is not None and last is not None:
        citation["source_start"], citation["source_end"] = first, last
        citation["resolved"] = UNRESOLVED


def _of_openai(fields: Fields, nested: Fields, text: str, base: int) -> Citation:
    citation: Citation = {}
    _put(citation, "quote", text_of(get(nested, "quote")))
    _put(citation, "source_id", first_label(nested, ("url", "file_id", "filename", "title")))
    start, end = _bounds(nested) if get(nested, "start_index") is not None else _bounds(fields)
    marker = text_of(get(fields, "text"))
    if start is not None and end is not None:
        _settle_answer(citation, text, base, start, end, marker, text_of(get(nested, "url")))
    else:
        _put_point(citation, text, base, whole_of(get(nested, "index")))
    return citation


def _bounds(fields: Fields) -> tuple[int | None, int | None]:
    start = pick(fields, "start_index", "startIndex", "start")
    return whole_of(start), whole_of(pick(fields, "end_index", "endIndex", "end"))


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


def _of_cohere(fields: Fields, text: str, base: int) -> list[Citation]:
    """``start``/``end``/``text`` are the answer's; thoughts and plans are no part of the answer."""
    if text_of(get(fields, "type")) in {"PLAN", "THINKING_CONTENT"}:
        return []
    claim = text_of(get(fields, "text"))
    ranged = claimed(text, base, *_bounds(fields), claim)
    listed = items_of(pick(fields, "document_ids", "sources")) or ()
    sources = [label_of(item) or _source_name(item) for item in listed]
    return [{**ranged, "source_id": source} for source in sources if source] or [ranged]


def _source_name(item: Any) -> str | None:
    fields = fields_of(item) or {}
    inner = fields_of(pick(fields, "document", "tool_output")) or {}
    return first_label(fields, ("id",)) or first_label(inner, ("id", "url", "title"))


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
    _put(citation, "claim", claim)
    if start is not None or end is not None or claim:
        first, last, how = resolve_offsets(text, start, end, claim, prefer=prefer)
        citation["resolved"] = how
        if first is not None and last is not None:
            citation["answer_start"], citation["answer_end"] = base + first, base + last
            citation.setdefault("claim", text[first:last])
    return citation


def _of_converse(fields: Fields) -> Citation:
    citation: Citation = {}
    _put(citation, "quote", content_text(get(fields, "sourceContent")))
    location = fields_of(get(fields, "location")) or {}
    place = next((inner for inner in map(fields_of, dict.values(location)) if inner), None) or {}
    _put(citation, "source_id", first_label(fields, ("title", "source")) or first_label(place, ("url",)))
    if "source_id" not in citation:
        _put(citation, "source_id", _ordinal(pick(place, "documentIndex", "searchResultIndex")))
    if get(location, "documentChar") is not None:
        _put_source_range(citation, get(place, "start"), get(place, "end"))
    return citation


def _of_langchain(fields: Fields, text: str, base: int) -> Citation:
    """``start_index``/``end_index`` are the answer's, ``cited_text`` the source's."""
    citation: Citation = {}
    _put(citation, "quote", text_of(get(fields, "cited_text")))
    _put(citation, "source_id", first_label(fields, ("url", "id", "title")))
    start, end = _bounds(fields)
    if start is not None and end is not None:
        _settle_answer(citation, text, base, start, end, None, text_of(get(fields, "url")))
    return citation


def _of_plain(found: dict[str, Found], text: str, base: int) -> list[Citation]:
    citation: Citation = {}
    for name in ("quote", "source", "claim"):
        if name in found:
            read = _source_of(found[name]) if name == "source" else _text_of(found[name])
            _put(citation, "source_id" if name == "source" else name, read)
    if found.keys() & _PLACED:
        citation = _placed(citation, found, text, base)
    return [citation] if citation else []


_PLACED: Final = frozenset({*_RANGES, "start", "end", "resolved"})


def _text_of(pairs: Found) -> str | None:
    for _, stored in pairs:
        text = text_of(stored)
        if text is None:
            text = joined_parts(stored)
        if text is not None:
            return text
    return None


def _source_of(pairs: Found) -> str | None:
    for _, stored in pairs:
        name = label_of(stored)
        if name is None:
            inner = fields_of(stored)
            name = first_label(inner, _SOURCE_NAMES) if inner else None
        if name is not None:
            return name
    return None


def _placed(citation: Citation, found: dict[str, Found], text: str, base: int) -> Citation:
    """Add the offsets that the application stated: proven by the texts, else taken for the source's."""
    places = {
        name: whole_of(found[name][0][1]) if name in found else None for name in (*_RANGES, "start", "end")
    }
    resolved = text_of(found["resolved"][0][1]) if "resolved" in found else None
    if resolved is not None:
        citation.update((name, places[name]) for name in _RANGES if places[name] is not None)
        return {**citation, "resolved": resolved}
    if places["answer_start"] is not None and places["answer_end"] is not None:
        _put_stated(citation, text, base, places["answer_start"], places["answer_end"])
    if places["source_start"] is not None and places["source_end"] is not None:
        _put_source_range(citation, places["source_start"], places["source_end"])
        if "quote" not in citation:
            del citation["resolved"]
    elif "answer_start" not in citation and places["start"] is not None and places["end"] is not None:
        _settle_either(citation, text, base, places["start"], places["end"])
    return citation


def _put_stated(citation: Citation, text: str, base: int, start: int, end: int) -> None:
    """Take a range in our own names at its word (code points) unless the claim or the length disproves it."""
    if "claim" in citation:
        citation.update(claimed(text, base, start, end, citation["claim"]))
    elif 0 <= start <= end <= len(text):
        citation["answer_start"], citation["answer_end"] = base + start, base + end
    else:
        citation["resolved"] = UNRESOLVED


def _settle_either(citation: Citation, text: str, base: int, start: int, end: int) -> None:
    """Bare ``start`` and ``end`` are the answer's only where they verify there; else the source's."""
    stated = citation.get("claim") or citation.get("quote")
    first, last, how = resolve_offsets(text, start, end, stated)
    if first is not None and last is not None and how not in {"quote", UNRESOLVED} and stated:
        citation.update(answer_start=base + first, answer_end=base + last, resolved=how)
    elif citation.get("quote"):
        _put_source_range(citation, start, end)
    else:
        citation["resolved"] = UNRESOLVED


def settle_sources(citations: list[Citation], contexts: list[dict[str, Any]]) -> None:
    """Verify unresolved source offsets against the texts of the contexts, in place.

    A citation's source is the context whose id, title, URI or 1-based number it names. Offsets that no
    unit explains and whose quote is not in the text are taken away and stay ``unresolved``.

    >>> citation = {"quote": "Ada", "source_id": "1", "source_start": 0, "source_end": 3,
    ...             "resolved": "unresolved"}
    >>> settle_sources([citation], [{"text": "Ada wrote it."}]); citation["resolved"]
    'code_points'
    """
    for citation in citations:
        if citation.get("resolved") != UNRESOLVED or citation.get("source_start") is None:
            continue
        text = _source_text(citation.get("source_id"), contexts)
        if text is not None:
            _settle_source(citation, text)


def _source_text(name: str | None, contexts: list[dict[str, Any]]) -> str | None:
    for field in ("id", "title", "uri"):
        named = [context for context in contexts if name is not None and context.get(field) == name]
        if named:
            return named[0].get("text") if len(named) == 1 else None
    if name is not None and name.isascii() and name.isdigit() and 0 < int(name[:6]) <= len(contexts):
        return contexts[int(name[:6]) - 1].get("text")
    return None


def _settle_source(citation: Citation, text: str) -> None:
    stated = citation["source_start"], citation["source_end"], citation.get("quote")
    start, end, how = resolve_offsets(text, *stated)
    citation["resolved"] = how
    if start is None:
        del citation["source_start"], citation["source_end"]
    else:
        citation["source_start"], citation["source_end"] = start, end
