"""Patchworks of a server are those of the library."""

import numpy as np
import pytest

import wavefold as wf
from wavefold.client import ServiceError

OPTIONS = {"radius": 2, "seed": 7, "refine": False}
GRIDS = [(0, 0), (1, 0), (0, 1)]


@pytest.fixture
def patchwork(client):
    patchwork = client.patchworks.create("pipes", **OPTIONS)
    yield patchwork
    patchwork.delete()


@pytest.fixture
def expected():
    """The same in the library."""
    map = wf.Patchwork(wf.TileSet.load("pipes"), **OPTIONS)
    map.populate_all(GRIDS)
    return map


def test_grids_have_the_cells_of_the_library(client, patchwork, expected):
    made = patchwork.populate(GRIDS[0]) | patchwork.populate_all(GRIDS[1:])
    assert made == patchwork.patterns == expected.patterns
    assert (patchwork.grids, patchwork.revision) == (GRIDS, 2)
    assert client.patchworks.open(patchwork.id).revision == 2
    assert next(client.patchworks.list())["id"] == patchwork.id


def test_pictures_and_files_are_those_of_the_library(patchwork, expected, tmp_path):
    patchwork.populate_all(GRIDS)
    assert np.array_equal(np.asarray(patchwork.image(tile_size=8)), np.asarray(expected.image(tile_size=8)))
    patchwork.save(tmp_path / "grown.json")
    assert wf.read_map(tmp_path / "grown.json").patterns.size == len(expected.patterns)
    assert set(patchwork.report) >= {"grids"}


def test_a_disk_is_rebuilt_and_what_changed_is_returned(patchwork):
    patchwork.populate((0, 0))
    before = patchwork.patterns
    changed = patchwork.rebuild((0, 0), radius=1)
    assert patchwork.patterns == before | changed
    assert patchwork.revision == 2


def test_a_change_for_another_revision_is_refused(patchwork):
    patchwork.populate((0, 0), revision=0)
    with pytest.raises(ServiceError) as caught:
        patchwork.populate((1, 0), revision=0)
    assert caught.value.status == 409


def test_a_grid_that_touches_nothing_is_a_config_error(patchwork):
    patchwork.populate((0, 0))
    with pytest.raises(wf.ConfigError):
        patchwork.populate((9, 9))
