"""Redaction: before anything is set, keyed marks, offsets that move along, and a hook that may fail."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.instrumentation import call, current_call, instrument, retriever
from groundwire.instrumentation.redaction import move_offset, replace_matches
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, changes_of, citations_of, documents_of, question_of

ADDRESS = "ada@example.org"
MARK = re.compile(r"\[email:[0-9a-f]{8}\]")


def ask(spans: CapturedSpans, redact: Any = "email") -> None:
    @instrument(redact=redact, tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, Any]:
        text = f"Mail {ADDRESS} or bob@example.org."
        start = text.index("bob")
        return {
            "answer": text,
            "contexts": [{"id": "a", "text": f"See {ADDRESS} there.", "metadata": {"author": ADDRESS}}],
            "citations": [
                {"source_id": "a", "answer_start": start, "answer_end": start + 15},
                {"source_id": "a", "quote": "there", "source_start": 20, "source_end": 25},
            ],
        }

    answer(f"Who is {ADDRESS}?")


def test_nothing_of_a_match_is_written(spans: CapturedSpans) -> None:
    """No attribute holds the value; equal values get equal marks, others other ones; matches are counted."""
    ask(spans)
    span = spans.spans[0]
    assert ADDRESS not in span.to_json()
    marks = MARK.findall(str(answer_of(span)))
    assert len(set(marks)) == 2
    assert marks[0] in str(question_of(span))
    assert marks[0] in (documents_of(span) or [])[0]["metadata"]["author"]
    assert changes_of(span)["answer", "redacted"] == 2


def ask_with_ids(spans: CapturedSpans, redact: Any) -> None:
    @instrument(redact=redact, name=f"answer for {ADDRESS}", tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, Any]:
        current_call().set_conversation(ADDRESS, subject_id=ADDRESS)
        current_call().set_prompt(ADDRESS, version=ADDRESS)
        current_call().set_model(ADDRESS, provider=ADDRESS)
        current_call().update(
            tenant=ADDRESS, index_version=ADDRESS, finish_reason=ADDRESS, expected={"context_ids": [ADDRESS]}
        )
        return {
            "answer": "Yes.",
            "contexts": [
                {"id": ADDRESS, "uri": f"mailto:{ADDRESS}", "text": "One."},
                {"id": "bob@example.org", "title": f"On {ADDRESS}", "text": "Two."},
            ],
            "citations": [{"source_id": name} for name in (ADDRESS, "bob@example.org", f"On {ADDRESS}", "2")],
        }

    answer("Who?")


def test_ids_and_names_are_redacted(spans: CapturedSpans) -> None:
    """Ids, addresses, versions, words and the span's own name are masked, everywhere by the same mark."""
    ask_with_ids(spans, "email")
    span = spans.spans[0]
    assert "example.org" not in span.to_json()
    mark = replace_matches(ADDRESS, frozenset({"email"}))[0]
    assert span.name == f"invoke_workflow answer for {mark}"
    found = span.attributes or {}
    names = ("gen_ai.conversation.id", "user.id", "gen_ai.prompt.name", "gen_ai.prompt.version", "user.id")
    assert {found[name] for name in names} == {mark}
    assert json.loads(str(found["groundwire.expected"])) == {"context_ids": [mark]}
    assert (documents_of(span) or [])[0]["uri"] == f"mailto:{mark}"


def test_a_percent_encoded_address_is_found(spans: CapturedSpans) -> None:
    """In an id or URI the encoding of the at sign hides nothing; other encodings stay as they are."""
    with call("c", redact="email", tracer_provider=spans.provider) as told:
        told.add_contexts([{"uri": f"mailto:{to}"} for to in ("ada%40example.org", "a%20b")])
    first, second = documents_of(spans.spans[0]) or []
    mark = replace_matches(ADDRESS, frozenset({"email"}))[0]
    assert (first["uri"], second["uri"]) == (f"mailto:{mark}", "mailto:a%20b")


@pytest.mark.parametrize("redact", ["email", lambda text: re.sub(r"[a-z]+@", "x@", text)])
def test_citations_still_name_their_contexts(spans: CapturedSpans, redact: Any) -> None:
    """By id, title or place: also where a function makes the same text of different ids."""
    ask_with_ids(spans, redact)
    span = spans.spans[0]
    first, second = documents_of(span) or []
    assert first["id"] != second["id"]
    assert ADDRESS not in span.to_json() and "bob@" not in span.to_json()
    cited = [citation["source_id"] for citation in citations_of(span) or []]
    assert cited == [first["id"], second["id"], second["title"], "2"]


@pytest.mark.parametrize("hook", [lambda text: 1 / 0, lambda text: re.sub(".", "#", text)])
def test_a_retrieval_span_has_the_same_ids(spans: CapturedSpans, hook: Any) -> None:
    """The retrieval span's ids are those of the answer's span, and nothing of them is in clear."""

    @retriever(redact=hook, tracer_provider=spans.provider)
    def search(query: str) -> list[dict[str, Any]]:
        return [{"id": ADDRESS, "text": "One."}]

    @instrument(redact=hook, tracer_provider=spans.provider)
    def answer(question: str) -> str:
        return str(len(search(question)))

    answer("Who?")
    inner, outer = ((documents_of(span) or [])[0]["id"] for span in spans.spans)
    assert inner == outer
    assert re.fullmatch(r"\[id:[0-9a-f]{8}\]", inner)


EVERYTHING: dict[str, Any] = {
    "history": [{"role": ADDRESS, "content": ADDRESS}],
    "contexts": [{"id": ADDRESS, "uri": ADDRESS, "title": ADDRESS, "access": ADDRESS, "digest": ADDRESS}],
    "citations": [{"source_id": ADDRESS, "quote": ADDRESS, "claim": ADDRESS, "resolved": ADDRESS}],
    "expected": {"answer": ADDRESS, "checks": [ADDRESS], ADDRESS: ADDRESS},
    "recorded_cost": {"amount": "1", "currency": ADDRESS, "source": ADDRESS},
    "metadata": {ADDRESS: [{ADDRESS: ADDRESS}]},
    "tags": {ADDRESS: ADDRESS},
    "digests": {ADDRESS: ADDRESS},
    "changes": [ADDRESS],
    "something": ADDRESS,
    **dict.fromkeys(("question", "answer", "stream_end", "context_source", "latency_ns"), ADDRESS),
}


@pytest.mark.parametrize("name", EVERYTHING)
def test_no_field_is_a_way_around(spans: CapturedSpans, name: str) -> None:
    """Whatever field an application tells, of whatever form, nothing of it is set in clear."""
    with call("c", redact="email", tracer_provider=spans.provider) as told:
        told.update(**{name: EVERYTHING[name]})
    assert spans.attributes()
    assert ADDRESS not in spans.spans[0].to_json()


def test_offsets_move_with_their_texts(spans: CapturedSpans) -> None:
    """A citation's ranges point at the same places of the redacted texts."""
    ask(spans)
    span = spans.spans[0]
    of_answer, of_source = citations_of(span) or []
    answer, source = str(answer_of(span)), (documents_of(span) or [])[0]["content"]
    assert MARK.fullmatch(answer[of_answer["answer_start"] : of_answer["answer_end"]])
    assert source[of_source["source_start"] : of_source["source_end"]] == "there"


def test_the_environment_adds_kinds(spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch) -> None:
    """GROUNDWIRE_REDACT redacts where no argument does; a kind it does not know redacts everything."""
    monkeypatch.setenv("GROUNDWIRE_REDACT", "secrets,cards,email,phone")
    ask(spans, redact=None)
    monkeypatch.setenv("GROUNDWIRE_REDACT", "everything-secret")
    ask(spans, redact=None)
    assert all(ADDRESS not in span.to_json() for span in spans.spans)


def test_a_hook_redacts(spans: CapturedSpans) -> None:
    """A function from text to text is asked for every text; offsets follow its edit."""
    ask(spans, redact=lambda text: text.replace(ADDRESS, "[x]"))
    citation = (citations_of(spans.spans[0]) or [])[0]
    answer = str(answer_of(spans.spans[0]))
    assert answer[citation["answer_start"] : citation["answer_end"]] == "bob@example.org"


@pytest.mark.parametrize("hook", [lambda text: 1 / 0, lambda text: None])
def test_a_failing_hook_writes_no_content(spans: CapturedSpans, hook: Any) -> None:
    """If the hook fails, its text is lost rather than written; the call goes on."""
    ask(spans, redact=hook)
    assert ADDRESS not in spans.spans[0].to_json()
    assert answer_of(spans.spans[0]) == "[redaction failed]"


def test_exceptions_are_redacted(spans: CapturedSpans) -> None:
    """Message, stack and status are redacted before they are set."""
    with pytest.raises(LookupError), call("c", redact="email", tracer_provider=spans.provider):
        raise LookupError(f"no {ADDRESS}")
    assert ADDRESS not in spans.spans[0].to_json()
    assert MARK.search(str(spans.spans[0].status.description))


def test_a_key_makes_marks_equal_across_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens depend on the key and the value alone."""
    from groundwire.instrumentation import policy

    marks = []
    for key in ("k1", "k1", "k2"):
        monkeypatch.setenv("GROUNDWIRE_HASH_KEY", key)
        monkeypatch.setattr(policy, "_key", None)
        marks.append(replace_matches(ADDRESS, frozenset({"email"}))[0])
    assert marks[0] == marks[1] != marks[2]


edits = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(0, 12)), max_size=4)


@given(parts=edits, tail=st.integers(0, 9))
def test_offsets_outside_edits_keep_what_they_point_at(parts: list[tuple[int, int, int]], tail: int) -> None:
    """For any edits, a range that touches none of them has the same text before and after."""
    old, new, made = "", "", []
    for index, (gap, size, length) in enumerate(parts):
        kept = f"{chr(0x4E00 + index)}" * gap
        made.append((len(old) + gap, len(old) + gap + size, length))
        old, new = old + kept + "x" * size, new + kept + "y" * length
    old, new = old + "z" * tail, new + "z" * tail
    for start in range(len(old)):
        if old[start] == "x":
            continue
        begin, end = move_offset(start, made, is_end=False), move_offset(start + 1, made, is_end=True)
        assert new[begin:end] == old[start]


def test_changes_are_json_of_the_stated_form(spans: CapturedSpans) -> None:
    """groundwire.changes lists field, change and count."""
    ask(spans)
    rows = json.loads(spans.attributes()["groundwire.changes"])
    assert {frozenset(row) for row in rows} == {frozenset(("field", "change", "count"))}
