"""Each part passes the contract of its kind; wavefold must have been installed, and this package, too."""

import numpy as np
import pytest

import wavefold as wf
from wavefold.testing import (
    ConstraintContract,
    DiagnosticContract,
    LatticeContract,
    MapFormatContract,
    TileSetContract,
)
from wavefold_triangles.conflicts import Conflicts
from wavefold_triangles.garden import garden
from wavefold_triangles.grid import TriangleGrid
from wavefold_triangles.per_row import PerRow
from wavefold_triangles.rows import ROWS


class TestTriangleGrid(LatticeContract):
    @pytest.fixture(
        params=[
            TriangleGrid(1, 1),
            TriangleGrid(5, 3),
            TriangleGrid(4, 2, wraps=True),
            TriangleGrid(3, 2, mask=np.array([[1, 1, 0], [0, 1, 1]], bool)),
        ],
        ids=repr,
    )
    def topology(self, request):
        return request.param


class TestGarden(TileSetContract):
    @pytest.fixture
    def load(self):
        return garden


class TestPerRow(ConstraintContract):
    @pytest.fixture(params=["square", "triangle"])
    def problem(self, request):
        if request.param == "triangle":
            return wf.Problem(garden(), TriangleGrid(4, 3), constraints=[PerRow("pond")])
        tiles = wf.TileSet([wf.Tile(name, ("any",) * 4) for name in ("grass", "tree")])
        return wf.Problem(tiles, wf.SquareGrid(3, 3), constraints=[PerRow("tree", at_most=2)])


class TestRows(MapFormatContract):
    @pytest.fixture
    def map_format(self):
        return ROWS

    @pytest.fixture(params=["square", "triangle"])
    def solution(self, request):
        if request.param == "triangle":
            return wf.generate(garden(), TriangleGrid(6, 4))
        return wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(5, 4))


class TestConflicts(DiagnosticContract):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda: Conflicts(str(tmp_path / "conflicts.csv"))


def test_all_parts_are_found_by_their_names(tmp_path):
    tiles = wf.TileSet.load("garden")
    solution = wf.generate(
        tiles,
        TriangleGrid(10, 6),
        seed=7,
        constraints=[PerRow("pond")],
        diagnostics=[f"conflicts={tmp_path / 'conflicts.csv'}"],
    )
    assert all(row.count("pond") <= 1 for row in solution.values.tolist())
    solution.save(tmp_path / "garden.rows")
    again = wf.read_map(tmp_path / "garden.rows", tiles)
    assert again.topology == TriangleGrid(10, 6)
    assert again.patterns.tolist() == solution.patterns.tolist()
    assert (tmp_path / "conflicts.csv").read_text().startswith("cell,conflicts\n")


def test_too_many_in_a_row_is_explained_in_words():
    pins = {(0, 0): "pond", (2, 0): "pond"}
    with pytest.raises(wf.Contradiction, match="'pond' must appear at most 1 time in each row"):
        wf.generate(garden(), TriangleGrid(4, 2), pins=pins, constraints=[PerRow("pond")])
