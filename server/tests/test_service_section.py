"""The section [service] is explained where it is read, and the page has its table."""

import re
from pathlib import Path

import pytest

import wavefold as wf
from wavefold.config import load_config
from wavefold_server._version import __version__
from wavefold_server.service_section import Limits, ServiceSection
from wavefold_server.settings import ServiceSettings

TOP = Path(__file__).parents[2]


def test_every_key_is_explained():
    for key, info in {**ServiceSection.model_fields, **Limits.model_fields}.items():
        assert info.description, key


def test_the_page_shows_every_key():
    page = (TOP / "docs/guide/configuration.md").read_text("utf-8")
    section = page.split("## `[service]`")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", section, re.MULTILINE)
    assert listed == [(key, info.description) for key, info in ServiceSection.model_fields.items()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[service]\nport = 'x'",
            "wavefold.toml, line 2: in [service], port must be a whole number, not 'x'",
        ),
        ("[service]\nprot = 1", "unknown key 'prot' in [service]; did you mean 'port'?"),
        ("[service.limits]\ncell = 1", "unknown key 'cell' in [service.limits]; did you mean 'cells'?"),
    ],
)
def test_wrong_values_are_reported_with_their_place(tmp_path, text, message):
    (tmp_path / "wavefold.toml").write_text(text)
    effective = load_config(tmp_path / "wavefold.toml", environment={})
    with pytest.raises(wf.ConfigError, match=re.escape(message)):
        ServiceSettings.from_config(effective)


def test_library_and_server_have_one_version():
    assert __version__ == wf.__version__
    for folder in ("", "server/"):
        project = (TOP / folder / "pyproject.toml").read_text("utf-8")
        pins = re.findall(r"wavefold(?:-server(?:\[studio\])?)?==([\d.]+)", project)
        assert pins, folder
        assert set(pins) == {__version__}
