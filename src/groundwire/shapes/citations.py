"""Citations of every provider's form, told apart by their fields.

Offsets of a provider index either the *answer* (OpenAI, Google, Cohere, Bedrock knowledge bases, LangChain)
or the *source* (Anthropic, Bedrock Converse); the two never mix. Offsets into the answer are verified here;
offsets into a source are kept as ``unresolved`` until :func:`settle_sources` has the source's text.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from groundwire.shapes.access import fields_of, items_of, label_of, text_of, whole_of
from groundwire.shapes.cited import (
    Citation,
    claimed,
    of_cohere,
    of_converse,
    of_kind,
    of_openai,
    put_known,
    put_source_range,
)
from groundwire.shapes.offsets import UNRESOLVED, resolve_offsets
from groundwire.shapes.passages import first_label, is_uri, joined_parts
from groundwire.shapes.roles import Found, by_role, role_table

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
        return of_kind(fields, kind, text, base)
    if "openai" in found:
        return [of_openai(fields, fields_of(found["openai"][0][1]) or fields, text, base)]
    if "cohere" in found and items_of(found["cohere"][0][1]) is not None:
        return of_cohere(fields, text, base)
    if "converse" in found:
        return [of_converse(fields)]
    return _of_plain(found, text, base)


def _of_text(item: Any) -> list[Citation]:
    text = text_of(item)
    if text is None:
        number = label_of(item)
        return [{"source_id": number}] if number else []
    if not text:
        return []
    names_source = is_uri(text) or (len(text) <= 6 and text.isdigit())
    return [{"source_id": text}] if names_source else [{"quote": text}]


def _of_plain(found: dict[str, Found], text: str, base: int) -> list[Citation]:
    citation: Citation = {}
    for name in ("quote", "source", "claim"):
        if name in found:
            read = _source_of(found[name]) if name == "source" else _text_of(found[name])
            put_known(citation, "source_id" if name == "source" else name, read)
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
        put_source_range(citation, places["source_start"], places["source_end"])
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
        put_source_range(citation, start, end)
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
    open_ones = [
        c for c in citations if c.get("resolved") == UNRESOLVED and c.get("source_start") is not None
    ]
    texts = _texts_by_name(contexts) if open_ones else {}
    for citation in open_ones:
        text = texts.get(citation.get("source_id"))
        if text is not None:
            _settle_source(citation, text)


def _texts_by_name(contexts: list[dict[str, Any]]) -> dict[Any, str | None]:
    """Map every name of a context to its text: id before title, URI and number; None where two share it."""
    texts: dict[Any, str | None] = {str(n): context.get("text") for n, context in enumerate(contexts, 1)}
    for field in ("uri", "title", "id"):
        counts = Counter(context.get(field) for context in contexts)
        for context in contexts:
            name = context.get(field)
            if name is not None:
                texts[name] = context.get("text") if counts[name] == 1 else None
    return texts


def _settle_source(citation: Citation, text: str) -> None:
    stated = citation["source_start"], citation["source_end"], citation.get("quote")
    start, end, how = resolve_offsets(text, *stated)
    citation["resolved"] = how
    if start is None:
        del citation["source_start"], citation["source_end"]
    else:
        citation["source_start"], citation["source_end"] = start, end
