"""``groundwire check``."""

from __future__ import annotations

import json

import pytest

from groundwire.cli.frame import run

GATE = "The gate opens at nine."


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.txt"
    path.write_text(GATE, encoding="utf-8")
    return str(path)


def test_what_is_not_copied_is_marked_and_the_exit_code_is_0(source, capsys):
    """Measuring is not failing."""
    assert run(["check", "--source", source, "--answer-text", "The gate opens at ten."]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "The gate opens at [[ten]]."


@pytest.mark.parametrize(
    ("answer", "options", "code"),
    [
        (GATE, [], 0),
        ("The gate opens at ten.", [], 1),
        ("The gate opens at ten.", ["--min-ratio", "0.8"], 0),
        ('It says "gate opens at nine".', ["--quotes"], 0),
        ('It says "gate opens at ten".', ["--quotes"], 1),
        ("It says nothing.", ["--quotes"], 1),
        ("", [], 3),
    ],
)
def test_a_verdict_that_is_asked_for_decides_the_exit_code(source, answer, options, code, capsys):
    """1 for not verbatim, 3 for nothing to judge."""
    assert run(["check", "--source", source, "--answer-text", answer, "--fail", *options]) == code
    assert capsys.readouterr().out


def test_json_holds_the_numbers_under_a_schema_and_no_text(source, capsys):
    """A program gets one object."""
    assert run(["check", "--source", source, "--answer-text", GATE, "--json"]) == 0
    text = capsys.readouterr().out
    data = json.loads(text)
    assert (data["schema"], data["matched_ratio"], data["rouge_l"]) == ("groundwire.check/v1", 1.0, 1.0)
    assert "gate" not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--answer-text", "x"],
        ["check", "--source-text", "x"],
        ["check", "--source-text", "x", "--answer-text", "y", "--answer", "z"],
        ["check", "--source", "-", "--answer", "-"],
        ["check", "--source", "/no/such/file", "--answer-text", "x"],
        ["check", "--source", __file__ + "c", "--answer-text", "x", "--mode", "fuzzy"],
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_sentence(arguments, capsys):
    """A missing source, two answers, or an unreadable file."""
    assert run(arguments) == 2
    assert capsys.readouterr().err.strip()


def test_a_source_that_is_no_text_is_named_with_the_byte(tmp_path, capsys):
    """Binary input gets a clear error."""
    path = tmp_path / "x.bin"
    path.write_bytes(b"ab\xff\x00")
    assert run(["check", "--source", str(path), "--answer-text", "x"]) == 2
    assert "byte 2" in capsys.readouterr().err
