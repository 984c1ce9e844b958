"""The demo: real text in, planted faults found, honest answers left alone, a log that notices a change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.demo.faults import FAULTS
from groundwire.demo.library import clean_paragraphs, is_prose, library


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "groundwire", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object], str]:
    """One run of the demo as a user runs it: folder, JSON result, stderr."""
    folder = tmp_path_factory.mktemp("demo")
    done = _run("demo", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr + done.stdout
    return folder / "groundwire-demo", json.loads(done.stdout), done.stderr


def test_every_planted_fault_is_found_by_a_grade_that_should_find_it(
    demo: tuple[Path, dict[str, object], str],
) -> None:
    """All seven kinds are planted and each has a failing grade of the right family."""
    _, result, _ = demo
    found = result["found"]
    assert isinstance(found, dict)
    assert set(found) == {fault.name for fault in FAULTS}
    assert all(found.values())


def test_no_honest_answer_is_accused(demo: tuple[Path, dict[str, object], str]) -> None:
    """A false alarm counts like a miss."""
    assert demo[1]["accused"] == {}


def test_a_changed_verdict_in_a_copy_of_the_log_is_noticed(
    demo: tuple[Path, dict[str, object], str],
) -> None:
    """`audit verify` passes on the log and fails on the copy."""
    folder = demo[0]
    assert _run("audit", "verify", str(folder / "audit"), cwd=folder).returncode == 0
    assert _run("audit", "verify", str(folder / "audit-tampered"), cwd=folder).returncode == 1


def test_the_commands_it_recommends_work(demo: tuple[Path, dict[str, object], str]) -> None:
    """inspect, and show of a flagged answer from the log and from the traces."""
    folder, _, _ = demo
    first = json.loads((folder / "traces.jsonl").read_text(encoding="utf-8").splitlines()[0])
    trace_id = first["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["traceId"]
    assert _run("inspect", str(folder / "traces.jsonl"), cwd=folder).returncode == 0
    for source in ("audit", "traces.jsonl"):
        shown = _run("show", str(folder / source), trace_id[:12], cwd=folder)
        assert shown.returncode == 0, shown.stderr
        assert "question" in shown.stdout


def test_a_second_demo_replaces_the_first_and_nothing_else(
    demo: tuple[Path, dict[str, object], str], tmp_path: Path
) -> None:
    """An earlier demo is replaced; any other folder is refused."""
    assert _run("demo", "-q", cwd=demo[0].parent).returncode == 0
    (tmp_path / "mine.txt").write_text("keep me", encoding="utf-8")
    refused = _run("demo", "--out", str(tmp_path), cwd=tmp_path)
    assert refused.returncode == 2
    assert "holds something else" in refused.stderr
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "keep me"


def test_a_disabled_sdk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be traced, the reason is what the environment says."""
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    refused = _run("demo", cwd=tmp_path)
    assert refused.returncode == 2
    assert "OTEL_SDK_DISABLED" in refused.stderr


def test_the_text_fits_eighty_columns(demo: tuple[Path, dict[str, object], str]) -> None:
    """What a newcomer sees first fits a plain terminal."""
    shown = _run("demo", "-q", cwd=demo[0].parent).stdout
    assert max(map(len, shown.splitlines())) <= 80


def test_passages_are_prose_from_installed_packages() -> None:
    """Code, tables, addresses and half sentences are left out, so that a quote is a quote."""
    assert len(library().passages) > 50
    readme = (
        "# x\n\nIt reads a file and writes a table. See https://a.b for more of this.\n\n```\nprint(1)\n```\n"
    )
    assert list(clean_paragraphs(readme)) == ["It reads a file and writes a table."]
    assert not is_prose("pip install groundwire.")
