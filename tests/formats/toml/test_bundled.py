"""The bundled tile sets: read quickly, and just as the reader of everybody's files reads them."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import wavefold as wf
from wavefold.formats import read_toml
from wavefold.formats.sheet import read_sheet
from wavefold.formats.toml.bundled import FOLDER, PlainFile, PlainSheet, PlainTile, load_bundled
from wavefold.formats.toml.models import FileTable, SheetTable, TileTable


@pytest.mark.parametrize("name", wf.tilesets())
def test_the_checking_reader_finds_the_same_tiles_rules_and_pictures(name):
    quick, checked = load_bundled(name), read_toml(FOLDER / f"{name}.toml")
    assert quick.tiles == checked.tiles
    assert quick.patterns == checked.patterns
    assert quick.rules.digest == checked.rules.digest
    assert (quick.name, quick.description) == (checked.name, checked.description)
    assert quick.rules.order == checked.rules.order
    for number, pattern in enumerate(quick.patterns):
        for flat in (False, True)[: 1 if pattern.tile.flat_picture is None else 2]:
            ours, theirs = quick.art(number, flat), checked.art(number, flat)
            assert np.array_equal(ours[0], theirs[0])
            assert ours[1] == theirs[1]


@pytest.mark.parametrize(
    ("plain", "table"), [(PlainTile, TileTable), (PlainSheet, SheetTable), (PlainFile, FileTable)]
)
def test_unchecked_tables_have_the_defaults_of_checked_ones(plain, table):
    for key, field in table.model_fields.items():
        if not field.is_required() and key != "name":
            default = field.get_default(call_default_factory=True)
            default = tuple(default) if isinstance(default, list) else default
            assert getattr(plain, key) == default, key


def test_a_sheet_is_read_when_the_first_picture_is_drawn_and_once():
    read_sheet.cache_clear()
    tiles = wf.TileSet.load("medieval")
    assert read_sheet.cache_info().currsize == 0
    first, again = tiles.art(0)[0], tiles.art(0)[0]
    assert (first == again).all()
    assert read_sheet.cache_info().misses == 1


def test_a_bundled_set_can_be_pickled():
    tiles = wf.TileSet.load("castle")
    again = pickle.loads(pickle.dumps(tiles.tiles))
    assert again == tiles.tiles
    assert (again[0].picture(tiles.patterns[0]) == tiles.art(0)[0]).all()


def test_loading_one_imports_no_pydantic():
    code = "import sys, wavefold as wf; wf.TileSet.load('pipes'); print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_option_that_a_bundled_set_does_not_have_is_refused():
    with pytest.raises(wf.TileSetError, match="'pipes' has no option 'subset'"):
        wf.TileSet.load("pipes", subset="all")
