"""The contexts that fed an answer, out of the retrievals, rerankers and tool calls of its unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, structs

from groundwire.dialects.damage import text_damage, worst_damage
from groundwire.dialects.form import Reading, Role
from groundwire.dialects.prompted import find_prompted
from groundwire.dialects.supplied import read_brought
from groundwire.dialects.toolresult import read_tool_documents
from groundwire.dialects.tree import SpanTree
from groundwire.dialects.units import Unit
from groundwire.record import RetrievedContext

_SOURCES = frozenset({Role.RETRIEVAL, Role.RERANK, Role.TOOL})


class Evidence(Struct):
    """The contexts (None: nothing was captured), where they came from, what is missing of them.

    ``contexts.text`` missing beside contexts with text: it was taken from the prompt.

    ``sources`` and ``missing`` are keyed ``contexts`` and ``contexts.text``, ``.id`` or ``.score``.
    """

    contexts: tuple[RetrievedContext, ...] | None = None
    sources: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


class _Hit(Struct):
    context: RetrievedContext
    reading: Reading


def gather_evidence(unit: Unit, final: Reading | None, tree: SpanTree) -> Evidence:
    """Return the contexts behind the unit's answer; ``final`` is the model call that wrote it.

    Of nested retrievals the outermost with documents counts; a reranker's output stands for what went in;
    only what had ended before the answer began counts. Without documents, those that pass through a
    chain or a model call are taken instead, else those in the raw result, in a tool's message to the
    model, or in the prompt.
    """
    sources = _outermost([member for member in unit.members if _feeds(member, unit, final)], tree)
    evidence = _collect(sources)
    if evidence.contexts is None:
        evidence = _carried(unit) or _brought(unit, final) or _told(final) or evidence
    if evidence.contexts:
        evidence = _enrich(evidence, unit)
    evidence = _add_prompted(evidence, unit, final)
    _note_missing(evidence)
    return evidence


def _feeds(member: Reading, unit: Unit, final: Reading | None) -> bool:
    if member.role not in _SOURCES or member.documents is None or member is unit.head:
        return False
    end = member.span.end_ns
    begun = final.span.start_ns if final is not None else unit.head.span.end_ns
    if not end or not begun or not _same_clock(member, final or unit.head):
        return True
    return end <= begun


def _same_clock(one: Reading, other: Reading) -> bool:
    """Times of different processes are not compared, since their clocks may differ."""
    keys = ("service.instance.id", "host.name", "service.name")
    return all(one.span.resource.get(key) == other.span.resource.get(key) for key in keys)


def _outermost(members: list[Reading], tree: SpanTree) -> list[Reading]:
    """Drop what lies below another source that has documents: it is the same retrieval, seen again."""
    retold = _retold(members, tree)
    members = [member for member in members if member.span.span_id not in retold]
    holders = {member.span.span_id for member in members if member.documents}
    return [
        member
        for member in members
        if not any(ancestor.span_id in holders for ancestor in tree.ancestors(member.span))
    ]


def _retold(members: list[Reading], tree: SpanTree) -> set[str]:
    """Return the tools that only write out, without ids, what retrievals below them found."""
    told = {
        member.span.span_id: "\n".join(context.text or "" for context in member.documents or ())
        for member in members
        if member.role is Role.TOOL and all(context.id is None for context in member.documents or ())
    }
    below: dict[str, list[str]] = {}
    for member in members:
        texts = (
            [context.text or "" for context in member.documents or ()] if member.role is not Role.TOOL else []
        )
        for ancestor in tree.ancestors(member.span) if texts else ():
            if ancestor.span_id in told:
                below.setdefault(ancestor.span_id, []).extend(texts)
    return {tool for tool, texts in below.items() if all(text and text in told[tool] for text in texts)}


def _collect(sources: Sequence[Reading]) -> Evidence:
    if not sources:
        return Evidence()
    hits: list[_Hit] = []
    for reading in sources:
        found = [_Hit(context, reading) for context in reading.documents or ()]
        if reading.role is Role.RERANK:
            hits = _override(hits, found)
        else:
            hits.extend(found)
    merged = _merge(hits)
    evidence = Evidence(tuple(hit.context for hit in merged))
    readings = {id(hit.reading): hit.reading for hit in merged} or {0: sources[0]}
    evidence.sources["contexts"] = " ".join(
        f"{reading.span.span_id}:{reading.sources.get('documents', '')}" for reading in readings.values()
    )
    damage = worst_damage(reading.damage.get("documents") for reading in readings.values())
    if damage is not None:
        evidence.missing["contexts"] = damage
    return evidence


def _override(hits: list[_Hit], reranked: list[_Hit]) -> list[_Hit]:
    """Put the reranker's output in place of the documents that it was given."""
    if not reranked:
        return hits
    known = {key: hit.context for hit in reversed(hits) for key in _keys((hit.context,))}
    filled = [_Hit(_fill(hit.context, known), hit.reading) for hit in reranked]
    inputs = {key for hit in reranked for key in _keys(hit.reading.carried or ())}
    last = next((i for i in range(len(hits) - 1, -1, -1) if hits[i].reading.role is Role.RERANK), -1)
    kept = hits[: last + 1] + [
        hit for hit in hits[last + 1 :] if inputs and not inputs.intersection(_keys((hit.context,)))
    ]
    return kept + filled


def _fill(context: RetrievedContext, known: Mapping[tuple[str, str], RetrievedContext]) -> RetrievedContext:
    """Give a reranked document what only the retrieved one has: text, id, metadata."""
    other = next((known[key] for key in _keys((context,)) if key in known), None)
    return context if other is None else _complete(context, other)


def _keys(contexts: Iterable[RetrievedContext]) -> list[tuple[str, str]]:
    keys = []
    for context in contexts:
        if context.id is not None:
            keys.append(("id", context.id))
        if context.text:
            keys.append(("text", context.text.strip()))
    return keys


def _complete(first: RetrievedContext, second: RetrievedContext) -> RetrievedContext:
    """Return the first with its gaps filled from the second."""
    names = ("id", "text", "score", "uri", "title", "length", "digest", "access")
    gaps = {
        n: getattr(second, n) for n in names if getattr(first, n) is None and getattr(second, n) is not None
    }
    if not first.metadata and second.metadata:
        gaps["metadata"] = second.metadata
    return structs.replace(first, **gaps) if gaps else first


def _merge(hits: Iterable[_Hit]) -> list[_Hit]:
    """Merge repeats: equal texts (with equal or absent ids), or equal ids of which one has no text."""
    merged: list[_Hit] = []
    by_text: dict[str, int] = {}
    by_id: dict[str, int] = {}
    for hit in hits:
        index = _find_repeat(hit.context, merged, by_text, by_id)
        if index is None:
            index = len(merged)
            merged.append(hit)
        else:
            merged[index] = _Hit(_complete(merged[index].context, hit.context), merged[index].reading)
        context = merged[index].context
        if context.text is not None:
            by_text.setdefault(context.text.strip(), index)
        if context.id is not None:
            by_id.setdefault(context.id, index)
    return merged


def _find_repeat(
    context: RetrievedContext, merged: list[_Hit], by_text: dict[str, int], by_id: dict[str, int]
) -> int | None:
    index = by_text.get(context.text.strip()) if context.text is not None else None
    if index is not None:
        known = merged[index].context.id
        return index if context.id is None or known is None or known == context.id else None
    index = by_id.get(context.id) if context.id is not None else None
    if index is not None and (context.text is None or merged[index].context.text is None):
        return index
    return None


def _carried(unit: Unit) -> Evidence | None:
    """Documents that pass through a chain's input or output, where no retrieval span has them."""
    for member in unit.members:
        if member.carried and member.role not in _SOURCES:
            source = f"{member.span.span_id}:{member.sources.get('carried', '')}"
            return Evidence(
                tuple(h.context for h in _merge(_Hit(c, member) for c in member.carried)),
                {"contexts": source},
            )
    return None


def _brought(unit: Unit, final: Reading | None) -> Evidence | None:
    """Documents in the raw result: of a search that the provider ran, or as the application returned them."""
    for reading in (final, unit.head):
        contexts = read_brought(reading.output) if reading is not None else None
        if reading is not None and contexts:
            return Evidence(
                contexts, {"contexts": f"{reading.span.span_id}:{reading.sources.get('output', '')}"}
            )
    return None


def _told(final: Reading | None) -> Evidence | None:
    """Documents in the tool messages that the model was handed since the last question."""
    turns = final.turns if final is not None else ()
    asked = max((i for i, turn in enumerate(turns) if turn.role == "user"), default=-1)
    told = [turn.content for turn in turns[asked + 1 :] if turn.role == "tool"]
    found = [context for text in told for context in read_tool_documents(text, name=None).contexts or ()]
    if final is None or not found:
        return None
    source = f"{final.span.span_id}:tool message in {final.sources.get('turns', 'messages')}"
    return Evidence(tuple(hit.context for hit in _merge(_Hit(c, final) for c in found)), {"contexts": source})


def _enrich(evidence: Evidence, unit: Unit) -> Evidence:
    """Fill ids, scores and metadata from the same passage seen elsewhere in the unit."""
    known: dict[str, RetrievedContext] = {}
    for member in unit.members:
        for context in (*(member.carried or ()), *(member.documents or ())):
            if context.text:
                text = context.text.strip()
                known[text] = _complete(known[text], context) if text in known else context
    filled = tuple(
        _complete(context, known[context.text.strip()])
        if context.text and context.text.strip() in known
        else context
        for context in evidence.contexts or ()
    )
    evidence.contexts = filled
    return evidence


def _add_prompted(evidence: Evidence, unit: Unit, final: Reading | None) -> Evidence:
    """Where no text was captured, take the passages that the prompt holds."""
    contexts = evidence.contexts
    if contexts is not None and (not contexts or any(context.text is not None for context in contexts)):
        return evidence
    reading, passages = _find_in_prompts(unit, final)
    if reading is None or not passages:
        return evidence
    place = (
        "prompt variable" if reading.variables else f"prompt in {reading.sources.get('turns', 'messages')}"
    )
    source = f"{reading.span.span_id}:{place}"
    passages = _split_paragraphs(passages, len(contexts or ()))
    if contexts and len(contexts) == len(passages):
        evidence.contexts = tuple(
            structs.replace(context, text=passage.text)
            for context, passage in zip(contexts, passages, strict=True)
        )
        evidence.sources["contexts.text"] = source
        evidence.missing["contexts.text"] = "not_captured"
        return evidence
    missing = {"contexts.text": "not_captured"}
    return Evidence(passages, {"contexts": source, "contexts.text": source}, missing)


def _split_paragraphs(passages: tuple[RetrievedContext, ...], count: int) -> tuple[RetrievedContext, ...]:
    """One block of as many paragraphs as documents were retrieved holds one document a paragraph."""
    texts = [text for text in re.split(r"\n\s*\n", passages[0].text or "") if text.strip()]
    if len(passages) != 1 or len(texts) != count:
        return passages
    return tuple(RetrievedContext(text=text.strip()) for text in texts)


def _find_in_prompts(
    unit: Unit, final: Reading | None
) -> tuple[Reading | None, tuple[RetrievedContext, ...]]:
    candidates = [final] if final is not None else []
    candidates += [member for member in reversed(unit.members) if member is not final]
    for reading in candidates:
        if reading.turns or reading.variables:
            passages = find_prompted(reading.turns, reading.variables).contexts
            if passages:
                return reading, passages
    return None, ()


def _note_missing(evidence: Evidence) -> None:
    contexts = evidence.contexts
    if contexts is None:
        evidence.missing.setdefault("contexts", "not_captured")
        return
    if not contexts:
        return
    if any(context.text is None for context in contexts):
        evidence.missing.setdefault("contexts", "not_captured")
    elif "contexts" not in evidence.missing:
        damage = worst_damage(text_damage(context.text, is_attribute=False) for context in contexts)
        if damage is not None:
            evidence.missing["contexts"] = damage
    if any(context.id is None for context in contexts):
        evidence.missing.setdefault("contexts.id", "not_captured")
    if any(context.score is None and "distance" not in context.metadata for context in contexts):
        evidence.missing.setdefault("contexts.score", "not_captured")
