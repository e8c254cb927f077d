"""The pages about the design say what the code is: its layers and its files."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DESIGN, SOURCE = ROOT / "docs/design", ROOT / "src/wavefold"
OVERVIEW = (DESIGN / "overview.md").read_text()


def load_script(path):
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


layers = load_script(DESIGN / "draw_layers.py")
measures = load_script(ROOT / "tools/measure_code.py")


def test_the_picture_of_the_layers_is_drawn_from_the_import_contract():
    expected = layers.draw(layers.existing_layers())
    assert (DESIGN / "layers.svg").read_text() == expected, "run python docs/design/draw_layers.py"


def test_the_table_of_layers_lists_every_package_from_top_to_bottom():
    table = OVERVIEW.split("## Layers")[1].split("\n\nData flows")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.M)
    assert listed == [name for layer in layers.existing_layers() for name in layer]


def test_contributors_are_shown_the_same_layers():
    text = (ROOT / "CONTRIBUTING.md").read_text().split("## Layers")[1]
    line = re.search(r"```\n(.*?)```", text, re.S)[1]
    listed = [re.findall(r"\w+", layer) for layer in line.split("→")]
    assert listed == layers.existing_layers()


@pytest.mark.parametrize("page", sorted(DESIGN.glob("*.md")), ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page):
    named = set(re.findall(r"`([\w./-]+\.(?:py|md|toml|svg))`", page.read_text()))
    kernels = SOURCE / "kernels"  # kernels.md names its files without the folder
    folders = [SOURCE, ROOT / "server/src", ROOT / "server/src/wavefold_server", ROOT, DESIGN]
    folders += [kernels, *kernels.iterdir()] if page.name == "kernels.md" else []
    missing = [name for name in sorted(named) if not any((each / name).is_file() for each in folders)]
    assert missing == []


def test_the_page_of_measures_has_a_row_for_each():
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|", (DESIGN / "measures.md").read_text(), re.M)
    assert {(name, before, target) for name, (_, before, target) in measures.MEASURES.items()} <= set(rows)
