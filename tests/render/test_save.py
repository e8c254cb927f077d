"""Files appear whole or not at all."""

import os

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.render import save_picture
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution
from wavefold.solver.statistics import Statistics
from wavefold.storage.files import write_atomically
from wavefold.tiles import TileSet
from wavefold.topology import SquareGrid


@pytest.fixture
def solution():
    wall = np.zeros(6, np.int64)
    return Solution(Problem(TileSet.load("pipes"), SquareGrid(3, 2)), wall, Statistics())


def test_a_saved_picture_can_be_opened(solution, tmp_path):
    save_picture(solution, tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (72, 48)
    assert os.listdir(tmp_path) == ["map.png"]


def test_solution_save_finds_the_writer_by_the_ending(solution, tmp_path):
    solution.save(tmp_path / "map.PNG")
    assert (tmp_path / "map.PNG").exists()


def test_an_unknown_ending_lists_the_known_ones(solution, tmp_path):
    with pytest.raises(ConfigError, match=r"\.png"):
        solution.save(tmp_path / "map.jpeg2000")


def test_a_missing_folder_is_named(solution, tmp_path):
    with pytest.raises(ConfigError, match=r"there is no folder .*nowhere.*create it"):
        save_picture(solution, tmp_path / "nowhere" / "map.png")


def test_a_folder_is_not_a_file(solution, tmp_path):
    with pytest.raises(ConfigError, match="it is a folder"):
        save_picture(solution, tmp_path)


def test_a_zero_byte_in_a_name_is_refused(solution, tmp_path):
    with pytest.raises(ConfigError, match="null byte"):
        solution.save(tmp_path / "a\0.png")
    assert os.listdir(tmp_path) == []


def test_a_name_too_long_is_one_sentence(solution, tmp_path):
    with pytest.raises(ConfigError, match="cannot write"):
        save_picture(solution, tmp_path / ("m" * 300 + ".png"))
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere"
)
def test_a_folder_without_permission_is_named(solution, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigError, match="no permission"):
        save_picture(solution, tmp_path / "map.png")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("trouble", [RuntimeError, KeyboardInterrupt])
def test_trouble_half_way_leaves_the_old_file_and_nothing_else(tmp_path, trouble):
    place = tmp_path / "map.png"
    place.write_bytes(b"old")

    def half() -> None:
        with write_atomically(place) as file:
            file.write(b"half of the n")
            raise trouble

    with pytest.raises(trouble):
        half()
    assert place.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["map.png"]


def test_a_full_disk_is_one_sentence_and_no_file(tmp_path):
    def fill() -> None:
        with write_atomically(tmp_path / "map.png"):
            raise OSError(28, "No space left on device")

    with pytest.raises(ConfigError, match="no space left"):
        fill()
    assert os.listdir(tmp_path) == []
