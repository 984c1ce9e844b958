"""What ``inspect`` prints: within 80 columns, what is there, what can be graded, what to switch on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from groundwire.inspection import inspect_sources
from groundwire.report.layout import WIDTH


def chat_line(number: int, **attributes: Any) -> str:
    named = {"gen_ai.operation.name": "chat", **{k.replace("__", "."): v for k, v in attributes.items()}}
    span = {
        "traceId": f"{number:032x}", "spanId": f"{number:016x}", "name": "chat",
        "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000001000000000",
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in named.items()],
    }  # fmt: skip
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


def messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def inspect(tmp_path: Path, *lines: str) -> str:
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    return inspect_sources([str(tmp_path)]).render()


ASKED = chat_line(
    1,
    gen_ai__input__messages=messages("user", "Who was it?"),
    gen_ai__output__messages=messages("assistant", "It was Ada."),
)
SILENT = chat_line(2)


def test_every_line_fits_a_terminal(tmp_path: Path) -> None:
    """80 columns, whatever is missing and however long a path is."""
    folder = tmp_path / ("deep" * 20)
    folder.mkdir()
    text = inspect(folder, ASKED, SILENT, "{not json}")
    words = [line for line in text.splitlines() if len(line) > WIDTH]
    assert all(" " not in line.strip() or "deep" in line for line in words)


def test_what_no_answer_holds_is_said(tmp_path: Path) -> None:
    """A grader that can work on none of the answers is named with zero, not left out."""
    text = inspect(tmp_path, ASKED, SILENT)
    assert "0 of 2  citation_provenance" in text
    assert "2 of 2  completed" in text


def test_a_gap_is_counted_among_the_answers_of_its_dialect(tmp_path: Path) -> None:
    """And says how many graders wait for it."""
    record = json.dumps({"question": "Who?", "answer": "Ada.", "contexts": ["It was Ada."]})
    text = inspect(tmp_path, ASKED, SILENT, record)
    assert "otel-genai: answer not captured in 1 of its 2 answers (needed by 11 graders)" in text
    assert "otel-genai: contexts not captured in all 2 of its answers" in text


def test_what_keeps_most_graders_idle_stands_first(tmp_path: Path) -> None:
    """Missing answers and contexts before usage."""
    text = inspect(tmp_path, SILENT)
    assert text.index("answer not captured") < text.index("usage not captured")


def test_a_rejection_is_printed_whole(tmp_path: Path) -> None:
    """What to do stands at its end: it is wrapped, not cut."""
    (tmp_path / "page.html").write_text("<!DOCTYPE html><html></html>")
    text = inspect(tmp_path, ASKED)
    assert "with its credentials" in " ".join(text.split())
