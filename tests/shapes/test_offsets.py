"""Offsets: the unit is the one that the quote proves, or none."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire.shapes import resolve_offsets, settle_sources

TEXT = "🏮 Das Café öffnet um 9 Uhr."
TEXTS = st.text(alphabet="abé€🏮 \ud83e", max_size=40)


def encoded_range(text: str, start: int, end: int, unit: str) -> tuple[int, int]:
    """Count a range of code points in another unit, the slow obvious way."""
    if unit == "code_points":
        return start, end
    encoding, width = ("utf-16-le", 2) if unit == "utf16" else ("utf-8", 1)
    return tuple(len(text[:i].encode(encoding, "surrogatepass")) // width for i in (start, end))  # type: ignore[return-value]


@pytest.mark.parametrize("unit", ["code_points", "utf16", "utf8_bytes"])
@pytest.mark.parametrize("inclusive", [False, True])
def test_every_unit_is_recognized_by_the_quote(unit: str, inclusive: bool) -> None:
    """Offsets in any unit, end exclusive or inclusive, come back as code points with the unit named."""
    start, end = TEXT.index("Café"), TEXT.index(" um")
    first, last = encoded_range(TEXT, start, end, unit)
    how = unit + "_inclusive" if inclusive else unit
    assert resolve_offsets(TEXT, first, last - inclusive, TEXT[start:end]) == (start, end, how)


@pytest.mark.parametrize(
    ("text", "start", "end", "quote", "expected"),
    [
        ("a b a", 90, 99, "b", (2, 3, "quote")),
        ("a b a", None, None, "a", (None, None, "unresolved")),
        ("a b a", 3, 9, "a", (4, 5, "quote")),
        ("a b a", 1, 9, "a", (0, 1, "quote")),
        ("a b a", 0, 1, "c", (None, None, "unresolved")),
        ("a b a", -1, 1, "b", (2, 3, "quote")),
        ("a b a", 2, 3, None, (2, 3, "code_points")),
        ("ä b a", 2, 3, None, (None, None, "unresolved")),
        ("a b a", 2, 30, None, (None, None, "unresolved")),
        ("a b a", 3, 2, None, (None, None, "unresolved")),
        ("a b a", 2, 3, "", (2, 3, "code_points")),
        ("", 0, 0, "a", (None, None, "unresolved")),
        ("a b", 10**30, 10**30 + 1, "b", (2, 3, "quote")),
    ],
)
def test_what_the_offsets_do_not_prove(text, start, end, quote, expected) -> None:
    """Else the quote is located: its only place, or the nearest; else nothing is claimed."""
    assert resolve_offsets(text, start, end, quote) == expected


def test_preferred_unit_decides_only_between_two_proofs() -> None:
    """Where the quote stands at both places the preferred unit is taken; a wrong preference is harmless."""
    text = "é a a"
    assert resolve_offsets(text, 4, 5, "a") == (4, 5, "code_points")
    assert resolve_offsets("éé a a", 5, 6, "a", prefer="utf8_bytes") == (3, 4, "utf8_bytes")
    assert resolve_offsets(text, 2, 3, "a", prefer="utf8_bytes") == (2, 3, "code_points")


@given(TEXTS, st.data(), st.sampled_from(["code_points", "utf16", "utf8_bytes"]), st.booleans())
def test_resolved_range_always_holds_the_quote(
    text: str, data: st.DataObject, unit: str, inclusive: bool
) -> None:
    """For any text and any unit the result is the quote itself, and a proven unit explains the offsets."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    first, last = encoded_range(text, start, end, unit)
    found_start, found_end, how = resolve_offsets(text, first, last - inclusive, quote)
    if quote:
        assert found_start is not None and text[found_start:found_end] == quote
        assert how not in {"unresolved", "quote"}
        stated = encoded_range(text, found_start, found_end, how.removesuffix("_inclusive"))
        assert stated == (first, last - inclusive + how.endswith("_inclusive"))


@given(TEXTS, st.integers(-3, 60) | st.none(), st.integers(-3, 60) | st.none(), TEXTS | st.none())
def test_any_offsets_give_a_range_inside_the_text_or_none(text, start, end, quote) -> None:
    """Whatever is stated, the result is a range of the text that holds the quote, or unresolved."""
    first, last, how = resolve_offsets(text, start, end, quote)
    if how == "unresolved":
        assert first is None and last is None
    else:
        assert first is not None and last is not None and 0 <= first < last <= len(text)
        assert not quote or text[first:last] == quote


@pytest.mark.parametrize(
    ("source_id", "contexts", "expected"),
    [
        ("h1", [{"id": "x", "text": "?"}, {"id": "h1", "text": TEXT}], "utf8_bytes"),
        ("Hours", [{"title": "Hours", "text": TEXT}], "utf8_bytes"),
        ("2", [{"text": "?"}, {"text": TEXT}], "utf8_bytes"),
        ("3", [{"text": TEXT}], "unresolved"),
        ("h1", [{"id": "h1"}], "unresolved"),
        ("h1", [{"id": "h1", "text": TEXT}, {"id": "h1", "text": "other"}], "unresolved"),
        ("h1", [{"id": "h1", "text": "nothing of the kind"}], "unresolved"),
        ("h1", [{"id": "h1", "text": f"{TEXT[2:]}"}], "quote"),
    ],
)
def test_source_offsets_are_verified_once_the_source_is_known(source_id, contexts, expected) -> None:
    """Source offsets are proven against the named source; two sources of one name prove nothing."""
    start, end = encoded_range(TEXT, TEXT.index("Café"), TEXT.index(" um"), "utf8_bytes")
    citation = {"quote": "Café öffnet", "source_id": source_id, "source_start": start, "source_end": end}
    citation["resolved"] = "unresolved"
    settle_sources([citation], contexts)
    assert citation["resolved"] == expected
    if expected != "unresolved":
        named = next(c["text"] for c in contexts if "Café öffnet" in c.get("text", ""))
        assert named[citation["source_start"] : citation["source_end"]] == "Café öffnet"
