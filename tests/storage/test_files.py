"""Files: pipes are refused, and what is larger than a limit; what is read is noted."""

import json
import os

import pytest
from PIL import Image

import wavefold as wf
from wavefold.config import load_config
from wavefold.errors import FormatError
from wavefold.storage.files import (
    MemoryFile,
    collect_reads,
    read_limited,
    write_atomically,
    write_files_atomically,
)


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(wf.ConfigError, match="it is a device or a pipe"):
        write_files_atomically({tmp_path / "pipe": b"new"})
    assert not (tmp_path / "pipe").is_file()


def test_a_link_stays_a_link_to_the_written_file(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "map", tmp_path / "link"
    link.symlink_to(target)
    with write_atomically(link) as file:
        file.write(b"one")
    assert (target.read_bytes(), link.is_symlink()) == (b"one", True)
    write_files_atomically({link: b"two", tmp_path / "other": b"three"})
    assert (target.read_bytes(), link.is_symlink()) == (b"two", True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "link", "other"]


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


# --- files in memory are found and opened like files in a folder ----------------------------------


FILES = {"set/tiles.toml": b"text", "set/art/lawn.png": b"picture", "other.png": b"other"}


@pytest.fixture(params=["memory", "disk"])
def tiles_file(request, tmp_path):
    """`set/tiles.toml` in memory, and the same on disk."""
    if request.param == "memory":
        return MemoryFile.of(FILES, "set/tiles.toml")
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path / "set/tiles.toml"


def test_a_file_has_the_interface_that_readers_use(tiles_file):
    assert (tiles_file.name, tiles_file.stem, tiles_file.suffix) == ("tiles.toml", "tiles", ".toml")
    assert str(tiles_file.with_suffix(".png")).endswith("set/tiles.png")
    assert tiles_file.exists()
    assert tiles_file.is_file()
    assert not tiles_file.is_dir()
    assert tiles_file.parent.is_dir()
    assert not tiles_file.parent.is_file()
    assert not (tiles_file.parent / "art/hill.png").exists()
    with tiles_file.open("rb") as file:
        assert file.read() == b"text"


def test_companions_are_found_from_the_folder_of_a_file(tiles_file):
    assert read_limited(tiles_file.parent / "art/lawn.png", 100, "") == b"picture"
    assert read_limited(tiles_file.parent / "art/../../other.png", 100, "") == b"other"


def test_a_missing_file_and_one_that_is_too_large_are_format_errors(tiles_file):
    with pytest.raises(FormatError, match=r"cannot read '.*missing.png': no such file"):
        read_limited(tiles_file.parent / "missing.png", 100, "")
    with pytest.raises(FormatError, match="larger than 3 bytes; draw less"):
        read_limited(tiles_file, 3, "draw less")


@pytest.mark.parametrize("name", ["/etc/hostname", "../../../../etc/hostname", "..", "."])
def test_no_name_leads_out_of_memory(name):
    found = MemoryFile.of(FILES, "set/tiles.toml").parent / name
    assert not found.is_file()
    with pytest.raises(FileNotFoundError):
        found.open()
