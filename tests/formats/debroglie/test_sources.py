"""What a configuration of DeBroglie starts from: how its files are found, and which cannot be read yet."""

import json

import pytest
from debroglie_files import PIPES, PIXELS, TILES, load, write_pictures

import wavefold as wf


@pytest.fixture
def folder(tmp_path):
    write_pictures(tmp_path)
    return tmp_path


# --- names of files in other letters --------------------------------------------------------------


def test_files_and_folders_are_found_in_other_letters(folder):
    (folder / "Data").mkdir()
    for file in folder.glob("*.png"):
        file.rename(folder / "Data" / file.name.capitalize())
    tiles = [tile | {"src": f"dATA/{tile['src']}"} for tile in TILES]
    assert len(load(folder, PIPES | {"tiles": tiles}).tiles) == 11
    assert len(load(folder, PIXELS | {"src": "data/SAMPLE.png"}).tiles) == 2
    assert len(load(folder, PIXELS | {"baseDirectory": "data"}).tiles) == 2


def test_the_exact_name_counts_before_other_letters(folder):
    (folder / "Sample.csv").write_text("a,b,c\n")
    (folder / "sample.csv").write_text("a,b\n")
    assert len(load(folder, PIXELS | {"src": "sample.csv"}).tiles) == 2
    assert len(load(folder, PIXELS | {"src": "Sample.csv"}).tiles) == 3


def test_names_that_differ_only_in_letters_are_not_chosen_from(folder):
    (folder / "Sample.csv").write_text("a,b,c\n")
    (folder / "sample.csv").write_text("a,b\n")
    message = r"no file .*SAMPLE\.csv'; several .*: '.*Sample\.csv', '.*sample\.csv'"
    with pytest.raises(wf.FormatError, match=message):
        load(folder, PIXELS | {"src": "SAMPLE.csv"})


def test_a_file_that_is_missing_is_named_as_the_configuration_has_it(folder):
    (folder / "not a folder").write_text("")
    for name in (
        "Nothing.png",
        "nowhere/Nothing.png",
        "not a folder/Nothing.png",
        "x" * 300 + ".png",
        "\0.png",
        "nowhere\\Nothing.png",
    ):
        with pytest.raises(wf.FormatError, match=r"cannot read the picture .*\.png"):
            load(folder, PIXELS | {"src": name})


# --- names of files with backslashes --------------------------------------------------------------


def test_backslashes_separate_folders_as_slashes_do(folder):
    (folder / "Data" / "inner").mkdir(parents=True)
    for file in folder.glob("*.png"):
        file.rename(folder / "Data" / "inner" / file.name)
    tiles = [tile | {"src": f"data\\INNER\\{tile['src'].upper()}"} for tile in TILES]
    assert len(load(folder, PIPES | {"tiles": tiles}).tiles) == 11
    assert len(load(folder, PIXELS | {"src": "Data\\inner/..\\inner\\sample.png"}).tiles) == 2
    config = load(folder, PIXELS | {"baseDirectory": ".\\data\\inner", "src": "..\\inner\\SAMPLE.PNG"})
    assert len(config.tiles) == 2
    slashes = load(folder, PIXELS | {"src": "Data/inner/sample.png", "dest": "out/maps/one.png"})
    backslashes = load(folder, PIXELS | {"src": "Data\\inner\\sample.png", "dest": "out\\maps\\one.png"})
    assert backslashes.output == slashes.output == folder / "out" / "maps" / "one.png"
    assert backslashes.tiles.name == slashes.tiles.name == "one"


def test_names_of_tiles_keep_their_backslashes(folder):
    (folder / "names.csv").write_text("a\\b,c\n")
    config = load(folder, PIXELS | {"src": "names.csv", "constraints": [{"type": "border", "tile": "a\\b"}]})
    assert set(config.tiles.rules.tiles) == {"a\\b", "c"}
    assert config.notes == ()


# --- what cannot be read yet ----------------------------------------------------------------------

HEXAGONS = {
    "type": "map",
    "orientation": "hexagonal",
    "width": 1,
    "height": 1,
    "tilewidth": 8,
    "tileheight": 8,
}
CUBES = {"srcType": "voxSet", "dest": "x.vox", "tiles": [{"src": "a.vox", "value": "a"}]}
LATER = {
    "cubes": (PIXELS | {"src": "sample.vox"}, r"MagicaVoxel models \(\.vox\) are not supported yet"),
    "layers": (PIXELS | {"src": "layers.csv"}, "has several layers; only one is supported"),
    "hexagons": (
        PIXELS | {"src": "hexagons.tmj"},
        r"hexagons\.tmj.* is hexagonal; only orthogonal maps can be read",
    ),
    "edges of cubes": (
        CUBES | {"autoAdjacency": True},
        r"autoAdjacency of a voxSet cannot be read yet; list adjacencies",
    ),
}


@pytest.mark.parametrize(("document", "message"), LATER.values(), ids=LATER)
def test_what_cannot_be_read_yet_is_told_in_plain_words(folder, document, message):
    (folder / "layers.csv").write_text("a,b\n\na,b\n")
    (folder / "hexagons.tmj").write_text(json.dumps(HEXAGONS))
    with pytest.raises(wf.FormatError, match=message):
        load(folder, document)
