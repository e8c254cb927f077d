"""Files in memory are found and opened like files in a folder."""

import pytest

from wavefold.errors import FormatError
from wavefold.storage.files import MemoryFile, read_limited

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
