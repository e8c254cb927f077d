"""Maps from a server are those of the library, whether they are made at once or as jobs."""

import numpy as np
import pytest

import wavefold as wf
from wavefold.client import Client, RemoteMap, ServiceError

SIZE = (12, 8)
LARGE = (40, 30)  # more cells than this server makes while a client waits


@pytest.fixture(scope="module")
def pipes():
    return wf.TileSet.load("pipes")


def test_a_map_has_the_patterns_of_the_library(client, pipes):
    expected = wf.generate(pipes, wf.SquareGrid(*SIZE), seed=7, refine=False)
    found = client.generate("pipes", SIZE, 7, refine=False)
    assert np.array_equal(found.patterns, expected.array)
    assert found.names == list(pipes.rules.names)
    assert found.stats["decisions"] == expected.stats.decisions


def test_a_large_map_is_a_job_whose_progress_is_reported(client, pipes):
    seen = []
    job = client.solves.create("pipes", LARGE, 3, refine=False)
    found = job.wait(lambda done, everything: seen.append((done, everything)))
    assert found.status == "solved"
    assert np.array_equal(
        found.patterns, wf.generate(pipes, wf.SquareGrid(*LARGE), seed=3, refine=False).array
    )
    assert all(0 <= done <= everything for done, everything in seen)


def test_a_map_can_be_found_again_and_forgotten(client):
    made = client.solves.create("pipes", SIZE, 5, refine=False, background=True).wait()
    assert client.solves.get(made.id).refresh().status == "solved"
    assert made.id in [each["id"] for each in client.solves.list()]
    made.delete()
    with pytest.raises(ServiceError) as caught:
        client.solves.get(made.id)
    assert caught.value.status == 404


def test_pins_are_given_as_in_the_library(client):
    found = client.generate("pipes", SIZE, 1, pins={(3, 4): "cross"}, refine=False)
    assert found.names[found.patterns[4, 3]].startswith("cross")
    rows = client.generate("pipes", SIZE, 1, pins=[[3, 4, "cross"]], refine=False)
    assert np.array_equal(found.patterns, rows.patterns)


def test_what_is_impossible_is_a_contradiction_with_the_explanation_of_the_library(client, pipes):
    pins = {(3, 4): "wall", (4, 4): "cross"}
    with pytest.raises(wf.Contradiction, match="wall") as found:
        client.generate("pipes", SIZE, pins=pins, refine=False)
    grid = wf.SquareGrid(*SIZE)
    with pytest.raises(wf.Contradiction) as expected:
        wf.generate(pipes, grid, pins=pins, refine=False)
    theirs, ours = found.value.explanation, expected.value.explanation
    assert [each.text for each in theirs.requirements] == [each.text for each in ours.requirements]
    assert (theirs.remedies, theirs.proved, str(theirs)) == (ours.remedies, ours.proved, str(ours))
    assert theirs.cells == tuple(grid.coordinate(cell) for cell in ours.cells)
    assert found.value.advice
    assert found.value.document["status"] == found.value.status == 409


def test_a_job_that_is_out_of_budget_says_where_it_stopped(client):
    with pytest.raises(wf.OutOfBudget) as found:
        client.generate("castle", (60, 60), budget={"backtracks": 0, "ms": 1}, refine=False)
    assert found.value.phase
    assert found.value.stats is not None


def test_an_impossible_job_is_a_contradiction_too(client):
    job = client.solves.create("pipes", LARGE, pins={(3, 4): "wall", (4, 4): "cross"}, refine=False)
    with pytest.raises(wf.Contradiction):
        job.wait()


def test_values_that_cannot_be_used_are_config_errors_or_name_their_place(client):
    with pytest.raises(wf.WavefoldError, match="seed"):
        client.generate("pipes", SIZE, "seven")
    with pytest.raises(ServiceError) as caught:
        client.generate("pipes", (5000, 5000))
    assert caught.value.limit == "cells"


def test_pictures_and_files_are_those_of_the_library(client, pipes, tmp_path):
    found = client.generate("pipes", SIZE, 7, refine=False)
    expected = wf.generate(pipes, wf.SquareGrid(*SIZE), seed=7, refine=False)
    assert np.array_equal(np.asarray(found.image(tile_size=8)), np.asarray(expected.image(tile_size=8)))
    found.save(tmp_path / "island.tmx")
    assert np.array_equal(wf.read_map(tmp_path / "island.tmx", tiles=pipes).array, expected.array)
    found.save(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes() == found.read("png")


@pytest.mark.parametrize("name", ["my.map.v2.png", "Town.PNG"])
def test_the_last_ending_of_a_path_is_its_format(client, tmp_path, name):
    found = client.generate("pipes", SIZE, 7, refine=False)
    found.save(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == found.read("png")


def test_an_interrupted_wait_cancels_the_job(client, monkeypatch):
    cancelled = []
    monkeypatch.setattr(RemoteMap, "cancel", lambda job: cancelled.append(job.id))

    def interrupt(_job, _progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(RemoteMap, "wait", interrupt)
    monkeypatch.setattr(RemoteMap, "is_finished", False)
    with pytest.raises(KeyboardInterrupt):
        client.generate("pipes", SIZE)
    assert len(cancelled) == 1


def test_a_cancelled_job_has_no_map(client):
    job = client.solves.create("castle", (200, 200), 1, background=True)
    assert job.cancel().status == "cancelled"
    with pytest.raises(ServiceError, match="cancelled"):
        job.wait()


def test_several_threads_may_share_a_client(address, pipes):
    from concurrent.futures import ThreadPoolExecutor

    with Client(address, timeout=300) as client, ThreadPoolExecutor(4) as threads:
        made = threads.map(lambda seed: client.generate("pipes", SIZE, seed, refine=False), range(8))
        found = [each.patterns for each in made]
    expected = [wf.generate(pipes, wf.SquareGrid(*SIZE), seed=seed, refine=False).array for seed in range(8)]
    assert np.array_equal(found, expected)
