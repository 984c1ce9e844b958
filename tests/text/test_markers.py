"""Citation markers: the grammar, and what must not be taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire.text.markers import find_source, label_number, parse_markers

FOUND = [
    ("It is so [1].", [("[1]", "1")]),
    ("It is so[1].", [("[1]", "1")]),
    ("So [1][2].", [("[1]", "1"), ("[2]", "2")]),
    ("So [1], [2].", [("[1]", "1"), ("[2]", "2")]),
    ("So [1, 2].", [("[1, 2]", "1 2")]),
    ("So [1,2,5-7].", [("[1,2,5-7]", "1 2 5 6 7")]),
    ("So [1;3].", [("[1;3]", "1 3")]),
    ("So [1 and 2].", [("[1 and 2]", "1 2")]),
    ("So [1-3].", [("[1-3]", "1 2 3")]),
    ("So [3–5].", [("[3–5]", "3 4 5")]),
    ("So [156-9].", [("[156-9]", "156 157 158 159")]),
    ("So [doc1][doc2].", [("[doc1]", "doc1"), ("[doc2]", "doc2")]),
    ("So [doc1, doc2].", [("[doc1, doc2]", "doc1 doc2")]),
    ("So [Doc 1, Doc 3].", [("[Doc 1, Doc 3]", "1 3")]),
    ("So [S1] and [D2].", [("[S1]", "S1"), ("[D2]", "D2")]),
    ("So [^1], [^note].", [("[^1]", "1"), ("[^note]", "note")]),
    ("So [[1]].", [("[1]", "1")]),
    ("So [#2].", [("[#2]", "2")]),
    ("So【4:0†source】.", [("【4:0†source】", "4:0")]),
    ("So【3†L1-L3】.", [("【3†L1-L3】", "3")]),
    ("So【1】.", [("【1】", "1")]),
    ("So ［１］.", [("［１］", "1")]),
    ("So [１，２].", [("[１，２]", "1 2")]),
    ("So (Source 1).", [("(Source 1)", "1")]),
    ("So (see Sources 1, 2).", [("(see Sources 1, 2)", "1 2")]),
    ("So (Doc. 4).", [("(Doc. 4)", "4")]),
    ("So [Source: 2].", [("[Source: 2]", "2")]),
    ("So [citation:1].", [("[citation:1]", "1")]),
    ("So (Source: handbook.pdf, p. 3).", [("(Source: handbook.pdf, p. 3)", "handbook.pdf")]),
    ("So [1, p. 6–7].", [("[1, p. 6–7]", "1")]),
    ("So [1, pp. 6-7; 2, p. 3].", [("[1, pp. 6-7; 2, p. 3]", "1 2")]),
    ("So [1, p. 6, 2, p. 9].", [("[1, p. 6, 2, p. 9]", "1 2")]),
    ("So [1 p. 3].", [("[1 p. 3]", "1")]),
    ("So [2, Section 4.1].", [("[2, Section 4.1]", "2")]),
    ("So [Document 3, Page 2].", [("[Document 3, Page 2]", "3")]),
    ("So [1](https://example.org).", [("[1]", "1")]),
    ("So<sup>1</sup>.", [("<sup>1</sup>", "1")]),
    ("(see above)[1]", [("[1]", "1")]),
    ("`arr[1]` is so [2].", [("[2]", "2")]),
    ("```\nx [1]\n```\nSo [2].", [("[2]", "2")]),
    ("So [1].\n\n## Sources\n[1] Atlas\n[2] Guide", [("[1]", "1")]),
    ("So [1].\n\n[^1]: The atlas.", [("[1]", "1")]),
]
NOT_FOUND = [
    "arr[1]", "my_list[2]", "a[1][2]", "f(x)[1]", "d['k'][1]", "rowValues[3]", "total[0] = 1", "in [2023]",
    "the range [0, 1]", "the interval [1, 5]", "[x] done [ ] open", "[...] and [sic]", "![1](a.png)", "[1.5]",
    "[1/2]", "(1)", "(source code)", "(Sources vary by region)", "[Smith 2020]", "(p. 3)", "[9-3]",
    "[1-999]", "[1]: https://example.org", "~~~\nopen fence [1]", "``a ` [1]``", "[1\n2]", "[]", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_marker_is_found_with_its_range_and_labels(text: str, expected: list[tuple[str, str]]) -> None:
    """Every form of marker is found where it stands, with its labels written out."""
    markers = parse_markers(text)
    assert [(text[m.start : m.end], " ".join(m.labels)) for m in markers] == expected


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_only_looks_like_a_marker_is_left_alone(text: str) -> None:
    """Code, indices, years, intervals, check boxes and definitions are no citations."""
    assert parse_markers(text) == []


def test_known_name_in_brackets_is_a_marker() -> None:
    """A bracket that holds only names of known sources is a marker, any other text in brackets is not."""
    markers = parse_markers("So [kb-7] and [a.md, kb-7] but [kb-8].", names={"kb-7", "a.md"})
    assert [m.labels for m in markers] == [("kb-7",), ("a.md", "kb-7")]


def test_name_of_a_source_wins_over_its_number() -> None:
    """``doc1`` is the source called so, even where that is not the first; else it is the first."""
    assert find_source("doc1", [{"doc7"}, {"doc1"}]) == 1
    assert find_source("doc1", [{"a"}, {"b"}]) == 0


@pytest.mark.parametrize("label", ["0", "3", "doc9", "note", "4:0", "twice"])
def test_label_out_of_range_or_unknown_names_no_source(label: str) -> None:
    """A label without a source, or whose name several sources bear, gives None and never the wrong source."""
    assert find_source(label, [{"a", "twice"}, {"b", "twice"}]) is None


def test_number_of_a_label() -> None:
    """Only whole numbers and names with a number have one."""
    assert [label_number(label) for label in ("7", "doc7", "S7", "v7", "4:0", "x")] == [
        7,
        7,
        7,
        None,
        None,
        None,
    ]


@given(st.text(alphabet="[]()【】`1234 ,;-–ap.x\n†:^S", max_size=200))
def test_markers_stay_inside_the_text_and_never_overlap(text: str) -> None:
    """Ranges lie inside the text, in order, disjoint, and each has a label."""
    end = 0
    for marker in parse_markers(text):
        assert end <= marker.start < marker.end <= len(text)
        assert marker.labels and all(marker.labels)
        end = marker.end


@given(st.text(alphabet="[1] `\n", max_size=60), st.integers(1, 9))
def test_marker_after_a_blank_line_of_prose_is_found(prefix: str, number: int) -> None:
    """Whatever stands before, a plain marker after it is found unless the text before left code open."""
    text = f"{prefix}\n\nSo it is [{number}]."
    if "`" not in prefix:
        assert parse_markers(text)[-1].labels == (str(number),)
