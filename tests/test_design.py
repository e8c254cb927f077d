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


PAGES = [*sorted(DESIGN.glob("*.md")), *(ROOT / name for name in ("CONTRIBUTING.md", "README.md"))]
SERVER = ROOT / "server/src/wavefold_server"
STUDIO = SERVER / "studio/pages"
BUILT = {"build/lowest", "dist/", "site/", "server/src/wavefold_server/studio/pages/three.bundle.js"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page):
    named = set(
        re.findall(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w.-]+(?:/|\.(?:py|js|md|toml|svg|html)))`", page.read_text())
    )
    kernels = SOURCE / "kernels"  # kernels.md names its files without the folder
    folders = [
        SOURCE,
        SERVER.parent,
        SERVER,
        STUDIO,
        ROOT,
        DESIGN,
        ROOT / "examples/plugin/src/wavefold_triangles",
    ]
    folders += [kernels, *kernels.iterdir()] if page.name == "kernels.md" else []
    missing = [name for name in sorted(named - BUILT) if not any((each / name).exists() for each in folders)]
    assert missing == []


def test_the_page_of_the_studio_names_its_scripts_and_styles():
    rows = re.findall(r"^\| `(\w+)/` \| (.+) \|$", (DESIGN / "studio.md").read_text(), re.M)
    assert {folder for folder, _ in rows} == {each.name for each in STUDIO.iterdir() if each.is_dir()}
    files = {each.relative_to(STUDIO).with_suffix("").as_posix() for each in STUDIO.rglob("*.*")}
    named = {f"{folder}/{name}" for folder, text in rows for name in re.findall(r"`([\w-]+)`", text)}
    assert named <= files
    assert {each for each in files if each.startswith(("app/", "board/"))} == {
        each for each in named if each.startswith(("app/", "board/"))
    }
