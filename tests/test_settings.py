"""Settings: what is read, what is refused, and where each value came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import ConfigError
from groundwire.settings import Settings, find_settings_file


def _write(folder: Path, text: str, name: str = "groundwire.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_every_setting_has_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file is not an error, and each row says `default`."""
    monkeypatch.chdir(tmp_path)
    settings = Settings.load()
    assert settings.origin is None
    assert {origin for _, _, origin in settings.rows()} == {"default"}


def test_a_value_from_a_file_names_the_file_as_its_origin(tmp_path: Path) -> None:
    """`config` can say where each value came from."""
    file = _write(tmp_path, '[score]\ncontent = "none"\n[graders.latency]\nlimit_ms = 900\n')
    rows = {name: (value, origin) for name, value, origin in Settings.load(file).rows()}
    assert rows["score.content"] == ("none", str(file))
    assert rows["graders.latency.limit_ms"] == (900, str(file))
    assert rows["read.max_line_bytes"][1] == "default"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[score]\ncontents = "none"\n', "Did you mean 'score.content'?"),
        ("[scoring]\n", "no such setting"),
        ('[score]\ncontent = "maybe"\n', "got 'maybe'"),
        ("[read]\nmax_line_bytes = 0\n", "read.max_line_bytes"),
        ("[score\n", "is not TOML"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(tmp_path: Path, text: str, expected: str) -> None:
    """A mistyped setting is never ignored."""
    file = _write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        Settings.load(file)
    assert str(file) in str(caught.value)
    assert expected in str(caught.value)


def test_a_missing_file_that_was_named_is_an_error(tmp_path: Path) -> None:
    """Defaults stand in only where no file was asked for."""
    with pytest.raises(ConfigError, match="can not be read"):
        Settings.load(tmp_path / "nope.toml")


def test_the_nearest_file_upwards_is_found(tmp_path: Path) -> None:
    """A pyproject counts only with a [tool.groundwire] table."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    _write(tmp_path / "a", "[project]\n", "pyproject.toml")
    outer = _write(tmp_path, "[tool.groundwire.score]\n", "pyproject.toml")
    assert find_settings_file(inner) == outer
    own = _write(inner, "")
    assert find_settings_file(inner) == own


def test_the_shipped_example_file_states_the_defaults() -> None:
    """`examples/groundwire.toml` can be copied without changing anything."""
    example = Path(__file__).parents[1] / "examples" / "groundwire.toml"
    assert Settings.load(example).model_dump() == Settings().model_dump()
