"""Every format of ours passes the suite that formats of other packages can inherit."""

import re

import numpy as np
import pytest
from map_solutions import TILES, anything
from PIL import Image

import wavefold as wf
from wavefold.plugins.registry import BUILT_IN, find
from wavefold.testing import MapFormatContract

TOPOLOGY = {".glb": "hex"}  # the others hold squares
GRIDS = {"square": wf.SquareGrid(4, 3), "hex": wf.HexGrid(2)}


class TestEveryFormat(MapFormatContract):
    @pytest.fixture(params=sorted({*BUILT_IN["map_format"]} - {".tmj", ".tsj"}))
    def map_format(self, request):
        if request.param == ".glb":
            pytest.importorskip("trimesh")
        if request.param == ".mp4":
            pytest.importorskip("imageio_ffmpeg")
        return find("map_format", request.param)

    @pytest.fixture
    def solution(self, map_format):
        kind = TOPOLOGY.get(map_format.endings[0], "square")
        return anything(TILES[kind], GRIDS[kind])


class TestHexagons(MapFormatContract):
    @pytest.fixture(params=[".csv", ".json", ".npz", ".svg", ".tmj", ".tscn"])
    def map_format(self, request):
        return find("map_format", request.param)

    @pytest.fixture
    def solution(self):
        return anything(TILES["hex"], wf.HexGrid(2))


@pytest.mark.parametrize(("ending", "size"), [("tmx", "tilewidth"), ("ldtk", "gridSize"), ("tscn", "")])
def test_tiles_of_a_learned_picture_are_large_enough_for_an_editor(tmp_path, ending, size):
    pixels = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0]], np.uint8)[..., None].repeat(3, axis=-1) * 255
    solution = wf.generate(wf.learn(pixels, n=2), wf.SquareGrid(4, 4), refine=False)
    solution.save(tmp_path / f"map.{ending}")
    for path in tmp_path.glob("*.png"):
        with Image.open(path) as image:
            assert image.width % 16 == 0
    if size:
        text = (tmp_path / f"map.{ending}").read_text("utf-8")
        assert set(re.findall(rf'{size}"?[=:] ?"?(\d+)', text)) == {"16"}
