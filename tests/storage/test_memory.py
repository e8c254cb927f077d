"""Memory is estimated before anything is allocated."""

import pytest

import wavefold as wf
from wavefold.storage import memory
from wavefold.storage.memory import check_memory, machine_memory

PIPES = wf.TileSet.load("pipes")


def test_a_map_that_does_not_fit_is_refused_with_the_number():
    problem = wf.Problem(PIPES, wf.SquareGrid(200, 100))
    with (
        wf.limit_memory(1_000_000),
        pytest.raises(wf.ConfigError, match=r"20,000 cells .* 10\.3 MB, more"),
    ):
        wf.Solver(problem).run()


def test_a_grid_is_refused_before_its_cells_are_listed():
    grid = wf.SquareGrid(40_000, 40_000)
    with wf.limit_memory(1 << 32), pytest.raises(wf.ConfigError, match=r"1,600,000,000 cells .* 95\.4 GB"):
        wf.Problem(PIPES, grid)
    assert "coordinates" not in vars(grid)


def test_counters_of_ac4_are_counted():
    problem = wf.Problem(PIPES, wf.SquareGrid(20, 20))
    with wf.limit_memory(400 * (340 + 200)):
        wf.Solver(problem).run()
        with pytest.raises(wf.ConfigError, match="solving a map of 400 cells"):
            wf.Solver(problem, propagation="ac4").run()


def test_a_mask_counts_only_its_cells():
    mask = [[column < 5 for column in range(100)] for _ in range(100)]
    with wf.limit_memory(500 * (340 + 200)):
        assert wf.generate(PIPES, wf.SquareGrid(100, 100, mask=mask), refine=False).array.shape == (100, 100)


def test_without_a_limit_the_machine_sets_it():
    with pytest.raises(wf.ConfigError, match="more than this machine has"):
        check_memory(machine_memory() + 1, "this")


@pytest.mark.parametrize("number", [0, 1])
def test_a_container_may_have_less(number, tmp_path, monkeypatch):
    paths = [tmp_path / "memory.max", tmp_path / "memory.limit_in_bytes"]
    paths[number].write_text("123456789\n")
    paths[1 - number].write_text("max\n")
    monkeypatch.setattr(memory, "CGROUPS", paths)
    assert machine_memory.__wrapped__() == 123_456_789


@pytest.mark.parametrize("most", [0, -1, 1.5, "4GB"])
def test_a_limit_is_a_number_of_bytes(most):
    with pytest.raises(wf.ConfigError, match="most must be"), wf.limit_memory(most):
        pass
