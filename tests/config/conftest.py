"""A folder to configure things in, and errors as text."""

from pathlib import Path

import pytest

import wavefold as wf
from wavefold.config import load_config


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one and the top of its project."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def configured(here):
    """Load a configuration from the text of a file, variables and flags."""

    def load(text=None, environment=(), **flags):
        if text is not None:
            Path("wavefold.toml").write_text(text, "utf-8")
        return load_config(environment=dict(environment), flags=flags)

    return load


@pytest.fixture
def refused(configured):
    """What is said when that fails."""

    def load(*arguments, **flags):
        with pytest.raises(wf.ConfigError) as caught:
            configured(*arguments, **flags)
        return str(caught.value)

    return load
