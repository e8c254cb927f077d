"""Files: pipes are refused, and what is larger than a limit; what is read is noted."""

import json
import os

import pytest
from PIL import Image

import wavefold as wf
from wavefold.config import load_config
from wavefold.storage.files import collect_reads, read_limited


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("name", ["set.toml", "set.xml", "map.tmx", "set.tsj"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(wf.FormatError, match="it is not a file"):
        wf.TileSet.load(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_sample_may_not_be_a_pipe_either(tmp_path):
    os.mkfifo(tmp_path / "sample.png")
    with pytest.raises(wf.FormatError, match="is not a file"):
        wf.learn(tmp_path / "sample.png")


def test_a_file_may_hold_so_much_and_no_more(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_limited(path, 5, "write less") == b"12345"
    with pytest.raises(wf.FormatError, match="is larger than 4 bytes; write less"):
        read_limited(path, 4, "write less")


# --- what is read -------------------------------------------------------------------------------

MXGMN = """<set>
<tiles><tile name="a" symmetry="X"/></tiles>
<neighbors><neighbor left="a" right="a"/></neighbors>
</set>"""


def write_picture(path):
    Image.new("RGB", (6, 6), "red").save(path)


def save_map(path):
    tiles = wf.TileSet.load("pipes")
    wf.generate(tiles, wf.SquareGrid(3, 3), 1).save(path)
    return tiles


def read_toml_set(folder):
    wf.TileSet.load("pipes").save(folder / "mine.toml")
    return lambda: wf.TileSet.load(folder / "mine.toml")


def read_tiled_set(folder):
    save_map(folder / "map.tmx")
    return lambda: wf.TileSet.load(folder / "map.tmx")


def read_mxgmn_set(folder):
    (folder / "set.xml").write_text(MXGMN)
    (folder / "set").mkdir()
    write_picture(folder / "set/a.png")
    return lambda: wf.TileSet.load(folder / "set.xml")


def read_debroglie_config(folder):
    write_picture(folder / "sample.png")
    config = {"src": "sample.png", "dest": "map.png", "model": {"type": "adjacent"}}
    (folder / "config.json").write_text(json.dumps(config))
    return lambda: wf.read_debroglie(folder / "config.json")


def read_configuration(folder):
    write_picture(folder / "heights.png")
    (folder / "wavefold.toml").write_text('[fields]\nheight = { picture = "heights.png" }\n')
    return lambda: load_config(folder / "wavefold.toml", environment={}).fields


def learn_picture(folder):
    write_picture(folder / "sample.png")
    return lambda: wf.learn(folder / "sample.png")


def read_saved_map(ending):
    def write(folder):
        tiles = save_map(folder / f"map{ending}")
        return lambda: wf.read_map(folder / f"map{ending}", tiles)

    return write


@pytest.mark.filterwarnings("ignore::wavefold.errors.TileSetWarning")
@pytest.mark.parametrize(
    "write",
    [
        read_toml_set,
        read_tiled_set,
        read_mxgmn_set,
        read_debroglie_config,
        read_configuration,
        learn_picture,
        *map(read_saved_map, (".json", ".npz", ".csv")),
    ],
)
def test_every_file_that_is_read_is_noted(tmp_path, write):
    read = write(tmp_path)
    with collect_reads() as files:
        read()
    assert set(files) == {path for path in tmp_path.rglob("*") if path.is_file()}


def test_files_are_noted_only_inside_the_block(tmp_path):
    (tmp_path / "one").write_text("1")
    with collect_reads() as files:
        (tmp_path / "two").write_text("2")
        read_limited(tmp_path / "one", 9, "")
    read_limited(tmp_path / "two", 9, "")
    assert files == [tmp_path / "one"]
