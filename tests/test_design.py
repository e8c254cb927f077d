"""The pages about the design say what the code is: its layers, its files and its words."""

from __future__ import annotations

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DESIGN, SOURCE = ROOT / "docs/design", ROOT / "src/wavefold"
OVERVIEW = (DESIGN / "overview.md").read_text()

# Words that mean what they mean in any English text or in any program.
PLAIN = (Path(__file__).parent / "plain_words.txt").read_text().split()


def load_script():
    spec = spec_from_file_location("draw_layers", DESIGN / "draw_layers.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


layers = load_script()


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
    folders = SOURCE, ROOT, DESIGN
    missing = [name for name in sorted(named) if not any((each / name).is_file() for each in folders)]
    assert missing == []


def names_in_source():
    """{word: a module or class that has it in its name}."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        parts = path.relative_to(SOURCE).with_suffix("").parts
        names = [*parts, *(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
        for name in names:
            for word in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+", name):
                found.setdefault(word.lower(), name)
    return found


def known_words():
    table = OVERVIEW.split("## Words")[1].split("\n## ")[0]
    explained = re.findall(r"\*([\w ]+)\*", table)
    return {word.lower() for each in explained for word in each.split()} | set(PLAIN)


def forms(word):
    """A word, and what it may be the plural or another form of."""
    return {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}


def test_every_word_in_the_name_of_a_module_or_class_is_explained_or_plain_english():
    known = {form for word in known_words() for form in forms(word)}
    unknown = {word: name for word, name in names_in_source().items() if not forms(word) & known}
    unknown = {word: name for word, name in unknown.items() if word not in ("init", "main", "version")}
    assert unknown == {}, "explain the word in docs/design/overview.md, or choose a plainer one"
