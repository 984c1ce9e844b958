"""Replaces personal data and secrets by keyed marks, before anything is set on a span.

A mark is ``[kind:token]``; equal values get equal tokens, different ones different tokens, under one key.
Offsets of citations move with the texts they index. A redaction that fails leaves nothing of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from groundwire.instrumentation.hooks import call_hook
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.policy import Policy, keyed_token
from groundwire.instrumentation.values import Changes

FAILED = "[redaction failed]"
Edit = tuple[int, int, int]  # start and end in the old text, length in the new one


class Redactor:
    """Redacts texts by one policy and counts the matches by field."""

    __slots__ = ("_changes", "_policy")

    def __init__(self, policy: Policy, changes: Changes) -> None:
        self._policy, self._changes = policy, changes

    def text(self, text: str, field: str) -> str:
        """Return ``text`` redacted."""
        return self.text_and_edits(text, field)[0]

    def text_and_edits(self, text: str, field: str) -> tuple[str, list[Edit]]:
        """Return ``text`` redacted, and what was replaced where."""
        edits: list[Edit] = []
        try:
            if self._policy.redact_kinds:
                text, edits = replace_matches(text, self._policy.redact_kinds)
            if self._policy.redact_call is not None:
                text, more = _call_hook(self._policy.redact_call, text)
                edits = (
                    [*edits, *more] if not edits else [(0, len(text), len(text)), *edits] if more else edits
                )
        except Exception as cause:  # noqa: BLE001 - fail closed: no content rather than unredacted content
            count_loss("redact", cause)
            text, edits = FAILED, [(0, len(text), len(FAILED))]
        if edits:
            self._changes[field, "redacted"] += len(edits)
        return text, edits

    def identifier(self, text: str, field: str) -> str:
        """Return an id redacted so that different ones stay different, whatever the user's function does.

        The known kinds leave their marks. A function that changes an id (``"doc-1"`` to ``"doc-#"``) or fails
        only says that it has to be masked: the mark ``[id:token]`` is ours.
        """
        text = self._decoded(text)
        if self._policy.redact_call is None:
            return self.text(text, field)
        masked = replace_matches(text, self._policy.redact_kinds)[0] if self._policy.redact_kinds else text
        if masked == text and self._is_kept(text):
            return text
        self._changes[field, "redacted"] += 1
        return f"[id:{keyed_token('id', text)}]"

    def _decoded(self, text: str) -> str:
        """Return a URI without its percent-encoding if that hides a match (``bob%40example.org``)."""
        if "%" not in text or not self._policy.redact_kinds:
            return text
        from urllib.parse import unquote

        decoded = unquote(text)
        return decoded if replace_matches(decoded, self._policy.redact_kinds)[1] else text

    def _is_kept(self, text: str) -> bool:
        try:
            return bool(call_hook(self._policy.redact_call, text) == text)  # type: ignore[arg-type]
        except Exception as cause:  # noqa: BLE001 - fail closed: masked
            count_loss("redact", cause)
            return False

    def closed_words(self, holder: dict[str, Any], field: str) -> None:
        """Mask known kinds in words of a closed vocabulary (if they are such); no function is asked."""
        for name in _CLOSED:
            if self._policy.redact_kinds and isinstance(holder.get(name), str):
                holder[name], edits = replace_matches(holder[name], self._policy.redact_kinds)
                self._changes.update({(field, "redacted"): len(edits)} if edits else {})

    def value(self, value: Any, field: str) -> Any:
        """Return a JSON value with every text in it redacted, keys too."""
        if isinstance(value, str):
            return self.text(value, field)
        if isinstance(value, list):
            return [self.value(item, field) for item in value]
        if isinstance(value, dict):
            return {self.text(key, field): self.value(item, field) for key, item in value.items()}
        return value


def replace_matches(text: str, kinds: frozenset[str]) -> tuple[str, list[Edit]]:
    """Return ``text`` with every match of ``kinds`` as a mark, and the edits."""
    from groundwire.patterns import find_matches

    parts: list[str] = []
    edits: list[Edit] = []
    last = 0
    for match in find_matches(text, kinds):
        mark = f"[{match.kind}:{keyed_token(match.kind, text[match.start : match.end])}]"
        parts += (text[last : match.start], mark)
        edits.append((match.start, match.end, len(mark)))
        last = match.end
    return ("".join([*parts, text[last:]]), edits) if edits else (text, edits)


def _call_hook(hook: Any, text: str) -> tuple[str, list[Edit]]:
    """Ask the user's function; where it changed the text, the edit is what lies between the equal ends."""
    new = call_hook(hook, text)
    if not isinstance(new, str):
        raise TypeError("a redaction function must return text")
    if new == text:
        return text, []
    start = _common_prefix(text, new)
    end = _common_prefix(text[start:][::-1], new[start:][::-1])
    return new, [(start, len(text) - end, len(new) - start - end)]


def _common_prefix(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def move_offset(offset: int, edits: list[Edit], *, is_end: bool) -> int:
    """Return where an offset of the old text lies in the new one; inside an edit, its nearer outer edge.

    >>> move_offset(20, [(5, 10, 2)], is_end=False)
    17
    """
    index = bisect_right(edits, offset, key=lambda edit: edit[0])
    shift = sum(edit[2] - (edit[1] - edit[0]) for edit in edits[:index])
    if not index:
        return offset
    start, end, length = edits[index - 1]
    if offset >= end or (offset == start and not is_end):
        return offset + shift if offset >= end else offset + shift - (length - (end - start))
    before = shift - (length - (end - start))
    return start + before + (length if is_end and offset > start else 0)


def redact_text(text: str, policy: Policy) -> str:
    """Return one text redacted by ``policy``."""
    return Redactor(policy, Changes()).text(text, "error")


_IDS = ("conversation_id", "subject_id", "tenant", "prompt_id", "prompt_version", "index_version")
_WORDS = ("model", "provider", "finish_reason")
_EXPECTED = ("answer", "answerable", "context_ids", "checks")
_CLOSED = ("stream_end", "context_source", "role", "resolved", "digest", "currency")
Source = tuple[dict[str, Any], list[Edit]]  # a context as it was given, and the edits of its text


def redact_fields(fields: dict[str, Any], policy: Policy, changes: Changes) -> None:
    """Redact every text of ``fields`` in place; equal ids stay equal, so that citations still find theirs."""
    redactor = Redactor(policy, changes)
    edits: list[Edit] = []
    for name in ("question", "query"):
        if isinstance(fields.get(name), str):
            fields[name] = redactor.text(fields[name], name)
    if isinstance(fields.get("answer"), str):
        fields["answer"], edits = redactor.text_and_edits(fields["answer"], "answer")
    for turn in fields.get("history") or ():
        turn["content"] = redactor.value(turn.get("content"), "history")
        redactor.closed_words(turn, "history")
    for name in ("metadata", "tags"):
        if fields.get(name):
            fields[name] = redactor.value(fields[name], name)
    _redact_ids(fields, _IDS, redactor)
    _redact_words(fields, redactor)
    _redact_expected(fields.get("expected"), redactor)
    sources = [_redact_context(context, redactor) for context in fields.get("contexts") or ()]
    for citation in fields.get("citations") or ():
        _redact_citation(citation, redactor, edits, sources)


def _redact_words(fields: dict[str, Any], redactor: Redactor) -> None:
    for name in _WORDS:
        if isinstance(fields.get(name), str):
            fields[name] = redactor.text(fields[name], name)
    redactor.closed_words(fields, "metadata")
    cost = fields.get("recorded_cost")
    if cost:
        redactor.closed_words(cost, "recorded_cost")
        if isinstance(cost.get("source"), str):
            cost["source"] = redactor.text(cost["source"], "recorded_cost")


def _redact_ids(holder: dict[str, Any], names: tuple[str, ...], redactor: Redactor, field: str = "") -> None:
    for name in names:
        if isinstance(holder.get(name), str):
            holder[name] = redactor.identifier(holder[name], field or name)


def _redact_expected(expected: Any, redactor: Redactor) -> None:
    """Redact what was expected; the ids of contexts like those of the contexts themselves."""
    for name, value in list((expected or {}).items()):
        if name == "context_ids" and isinstance(value, list):
            value = [redactor.identifier(i, "expected") if isinstance(i, str) else i for i in value]
        else:
            value = redactor.value(value, "expected")
        del expected[name]
        expected[name if name in _EXPECTED else redactor.text(name, "expected")] = value


def _redact_context(context: dict[str, Any], redactor: Redactor) -> Source:
    given, edits = dict(context), list[Edit]()
    if isinstance(context.get("text"), str):
        context["text"], edits = redactor.text_and_edits(context["text"], "contexts")
    if isinstance(context.get("title"), str):
        context["title"] = redactor.text(context["title"], "contexts")
    if context.get("metadata"):
        context["metadata"] = redactor.value(context["metadata"], "contexts.metadata")
    _redact_ids(context, ("id", "uri", "access"), redactor, "contexts")
    redactor.closed_words(context, "contexts")
    given["redacted_title"] = context.get("title")
    return given, edits


def _redact_citation(
    citation: dict[str, Any], redactor: Redactor, answer_edits: list[Edit], sources: list[Source]
) -> None:
    for name in ("quote", "claim"):
        if isinstance(citation.get(name), str):
            citation[name] = redactor.text(citation[name], "citations")
    redactor.closed_words(citation, "citations")
    found, name = _source_of(citation.get("source_id"), sources)
    _move(citation, "answer", answer_edits)
    _move(citation, "source", found[1] if found else [])
    if found and name == "title":
        citation["source_id"] = found[0]["redacted_title"]
    elif name != "position":
        _redact_ids(citation, ("source_id",), redactor, "citations")


def _source_of(source_id: Any, sources: list[Source]) -> tuple[Source | None, str]:
    """Return the context that a citation names, and by what it names it."""
    if source_id is None:
        return (sources[0], "") if len(sources) == 1 else (None, "")
    for name in ("id", "title", "uri"):
        for source in sources:
            if source[0].get(name) == source_id:
                return source, name
    if isinstance(source_id, str) and source_id.isdecimal() and 0 < int(source_id) <= len(sources):
        return sources[int(source_id) - 1], "position"
    return None, ""


def _move(citation: dict[str, Any], side: str, edits: list[Edit]) -> None:
    if not edits:
        return
    for name, is_end in ((f"{side}_start", False), (f"{side}_end", True)):
        offset = citation.get(name)
        if isinstance(offset, int):
            citation[name] = move_offset(offset, edits, is_end=is_end)
