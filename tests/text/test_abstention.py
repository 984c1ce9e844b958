"""Which answers do not answer, and which parts of them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from groundwire.text.abstention import LANGUAGES, classify_answer, find_abstentions, guess_language
from groundwire.text.abstention.detect import lower_alike, read_clauses
from groundwire.text.abstention.grammar import load_grammar, read_table

RULES = [row | {"language": language} for language in LANGUAGES for row in read_table(language)["rules"]]
YES = [(row, example) for row in RULES for example in row["yes"]]
NO = [(row, example) for row in RULES for example in row["no"]]


def label_of(answer: str, **given) -> str | None:
    return classify_answer(answer, **given).label


def test_every_rule_has_three_examples_for_and_three_against():
    """A phrase without examples is not shipped."""
    assert [row["id"] for row in RULES if len(row["yes"]) < 3 or len(row["no"]) < 3] == []


@pytest.mark.parametrize(
    ("row", "example"), YES, ids=lambda value: value if isinstance(value, str) else value["id"]
)
def test_a_rule_finds_its_own_examples(row, example):
    """The rule matches, and the answer has a clause of the rule's kind."""
    grammar = load_grammar(row["language"])
    (rule,) = [rule for rule in grammar.rules if rule.rule_id == row["id"]]
    lowered = lower_alike(example)
    reader, _ = read_clauses(example)
    assert reader is not None
    kinds = {clause.kind for clause in reader.found}
    assert row["kind"] in kinds
    own = any(clause.rule == row["id"] for clause in reader.found)
    assert own or rule.phrase.is_in(lowered, grammar.opener_ends(lowered))


@pytest.mark.parametrize(
    ("row", "example"), NO, ids=lambda value: value if isinstance(value, str) else value["id"]
)
def test_a_look_alike_is_no_abstention_in_any_language(row, example):
    """A counter-example of one rule is none for all others either."""
    assert find_abstentions(example) == []


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("I do not know the fee, but a stall permit lasts one year.", "but a stall permit lasts one year."),
        ("A permit lasts one year. The fee is not mentioned in the documents.", "A permit lasts one year."),
        ("While the documents do not mention the fee, a permit lasts a year.", "a permit lasts a year."),
        ("Das weiß ich leider nicht, aber die Karte kostet drei Euro.", "aber die Karte kostet drei Euro."),
        ("No sé la tarifa, pero el museo abre a las nueve.", "pero el museo abre a las nueve."),
        ("我不知道费用，但是博物馆九点开门。", "但是博物馆九点开门。"),
    ],
)
def test_a_partial_abstention_leaves_the_rest_to_be_graded(answer, rest):
    """The part that does not answer is cut out, and the other part is what remains."""
    found = classify_answer(answer, question="What are the fee and the length of a permit?")
    assert found.label in ("partial", "hedged_answer")
    assert [answer[start:end] for start, end in found.rest] == [rest]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("", "empty_or_error"),
        (" \n—", "empty_or_error"),
        ("N/A", "full_abstention"),
        ("資料には記載がありません。", "full_abstention"),
        ("I'm sorry, but I can't help with that. Please contact the help desk.", "full_abstention"),
        ("I won't discuss this. It is unethical to harm anyone.", "policy_refusal"),
        ("Which clinic are you referring to?", "clarification"),
        ("There are three halls. Which one do you mean?", "clarification"),
        ("I’m not certain, but it opens at nine.", "hedged_answer"),
        ("I don't know when it opens, but it closes at nine.", "partial"),
        ("I'm sorry to hear that. You can return it within 30 days.", "answer"),
        ("The report says the key was not found.", "answer"),
        ("The policy says 'we cannot provide refunds after a month'.", "answer"),
        ('Run `print("I do not know the answer")`.', "answer"),
        ("Not only the hall but also the garden is open.", "answer"),
        ("No.", "answer"),
    ],
)
def test_an_answer_gets_its_class(answer, label):
    """Each of the seven classes, and what is easily mistaken for one."""
    assert label_of(answer, question="When does it open?") == label


def test_a_clause_copied_from_a_context_is_no_abstention():
    """What a source says is the source's."""
    answer = "The document does not mention a fee."
    assert label_of(answer) == "full_abstention"
    assert (
        label_of(answer, contexts=["Rule 4: the document does not mention a fee; rule 5 does."]) == "answer"
    )


def test_with_texts_to_check_against_a_statement_after_a_refusal_counts():
    """Reasons of a refusal are none where passages are at hand: what is stated gets graded."""
    answer = "I cannot answer that. The fee is paid by the harbor king."
    assert label_of(answer, question="Who pays?") == "full_abstention"
    assert label_of(answer, question="Who pays?", contexts=["Visitors pay the fee."]) == "hedged_answer"


def test_a_cited_absence_is_an_answer():
    """That a document does not say something can be the answer, when it is cited."""
    found = classify_answer("The document does not specify a penalty [1].")
    assert (found.label, found.is_negative_finding) == ("answer", True)


def test_advice_against_something_refuses_a_way_to_do_it_and_answers_whether_one_may():
    """The question decides what "it is not safe" means."""
    answer = "It is not safe to leave a child in a parked car."
    assert label_of(answer, question="How do I leave a child in a car?") == "policy_refusal"
    assert label_of(answer, question="Can I leave a child in a car?") == "answer"


@pytest.mark.parametrize(
    "answer", ["Парковка не згадується в цій статті.", "مواقف السيارات غير مذكورة.", "เปิดเวลาเก้าโมง"]
)
def test_a_language_without_a_grammar_gets_no_class(answer):
    """Nothing is said about what can not be read."""
    assert label_of(answer) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The gate of the hall is open at nine.", "en"),
        ("Das Tor der Halle ist um neun Uhr offen.", "de"),
        ("La porte de la salle est ouverte à neuf heures.", "fr"),
        ("La puerta de la sala está abierta a las nueve.", "es"),
        ("会館の門は九時に開きます。", "ja"),
        ("大厅的门九点开。", "zh"),
        ("Nine.", None),
    ],
)
def test_the_language_is_told_by_script_and_common_words(text, language):
    """A text too short to tell has none."""
    assert guess_language(text.lower()) == language


def test_all_labels_of_the_adversarial_cases_are_right(shared):
    """Exactly the answers that a reader takes for abstentions abstain."""
    lines = (shared / "cases" / "adversarial.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = []
    for row in map(json.loads, lines):
        contexts = [context["text"] for context in row["contexts"]]
        label = label_of(row["answer"], contexts=contexts, question=row["question"])
        if (label in ("full_abstention", "policy_refusal")) != row["expected"]["abstained"]:
            wrong.append(row["id"])
    assert wrong == []


PIECES = [
    "I do not know. ", "The text does not say, ", "but it opens at nine. ", "“I know not”",
    "\n- ", "İ", "不知道", "ß", "\u200b",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=8).map("".join))
def test_ranges_lie_inside_the_answer_and_do_not_overlap(answer):
    """Whatever the answer, the abstaining ranges and the rest are valid and apart."""
    found = classify_answer(answer)
    ranges = sorted([(span.start, span.end) for span in found.spans] + list(found.rest))
    assert all(0 <= start < end <= len(answer) for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))


@given(st.text(max_size=60))
def test_lower_case_keeps_the_length(text):
    """Offsets in the lowered text are those of the raw one."""
    assert len(lower_alike(text)) == len(text)
