"""Every format of ours passes the suite that formats of other packages can inherit."""

import pytest
from map_solutions import TILES, anything

import wavefold as wf
from wavefold.plugins import BUILT_IN, find
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
