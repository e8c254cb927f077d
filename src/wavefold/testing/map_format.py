"""The contract of map formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from wavefold.errors import ConfigError, FormatError, WavefoldError
from wavefold.formats.loaded import LoadedMap, match_patterns
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.plugins.map_formats import MapFormat
from wavefold.solver import Partial, Solution


class MapFormatContract:
    """Provide the fixtures `map_format` and `solution`, a small map that the format can hold.

        class TestOgmo(MapFormatContract):
            @pytest.fixture
            def map_format(self):
                return my_package.OGMO

            @pytest.fixture
            def solution(self):
                return wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(5, 4))

    Functions that the format does not have are not tested.
    """

    def test_endings_are_in_lower_case_and_begin_with_a_dot(self, map_format: MapFormat) -> None:
        assert map_format.endings
        for ending in map_format.endings:
            assert ending.startswith(".")
            assert len(ending) > 1
            assert ending == ending.lower()

    def test_it_can_do_something(self, map_format: MapFormat) -> None:
        functions = (
            map_format.write,
            map_format.read,
            map_format.write_animation,
            map_format.read_tiles,
            map_format.write_tiles,
        )
        assert any(functions)

    # --- writing --------------------------------------------------------------------------------

    def test_writing_leaves_the_file_and_its_companions(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        for path in make_paths(map_format, tmp_path):
            if map_format.write is None:
                return
            map_format.write(solution, path)
            assert set(path.parent.iterdir()) == {path, *map_format.companions(path)}

    def test_a_path_may_be_text(self, map_format: MapFormat, solution: Solution, tmp_path: Path) -> None:
        for path in make_paths(map_format, tmp_path):
            if map_format.write is not None:
                map_format.write(solution, str(path))
                assert path.exists()

    def test_the_same_map_gives_the_same_bytes(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        if map_format.write is None:
            return
        for path in make_paths(map_format, tmp_path):
            contents = []
            for _ in range(2):
                map_format.write(solution, path)
                contents.append({file.name: file.read_bytes() for file in path.parent.iterdir()})
            assert contents[0] == contents[1]

    def test_nothing_is_left_where_nothing_can_be_written(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        if map_format.write is None:
            return
        for ending in map_format.endings:
            assert catch_message(
                ConfigError, map_format.write, solution, tmp_path / "missing" / f"map{ending}"
            )
            folder = tmp_path / f"folder{ending}"
            folder.mkdir()
            assert catch_message(ConfigError, map_format.write, solution, folder)
            assert list(folder.iterdir()) == []
            folder.rmdir()
        assert list(tmp_path.iterdir()) == []

    def test_what_can_be_written_passes_the_check(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        for path in make_paths(map_format, tmp_path):
            if map_format.check is not None:
                map_format.check(solution.problem, path)
            assert list(path.parent.iterdir()) == []

    def test_the_options_it_names_are_accepted(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        values = {"tile_size": 8, "scale": 2, "layers": False, "objects": False, "renderer": "tiles"}
        assert set(map_format.options) <= set(values)
        options = {name: values[name] for name in map_format.options}
        for path in make_paths(map_format, tmp_path):
            if map_format.check is not None:
                map_format.check(solution.problem, path, **options)
            if map_format.write is not None:
                map_format.write(solution, path, **options)
                assert path.exists()

    # --- reading --------------------------------------------------------------------------------

    def test_a_map_comes_back_as_it_was(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        if map_format.write is None or map_format.read is None:
            return
        for path in make_paths(map_format, tmp_path):
            map_format.write(solution, path)
            found = load_map(map_format, path, solution)
            assert found.topology == solution.problem.topology
            assert found.patterns.tolist() == solution.patterns.tolist()

    def test_undecided_cells_come_back_undecided(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        if map_format.write_partial is None:
            return
        partial = undecide_half(solution)
        for path in make_paths(map_format, tmp_path):
            map_format.write_partial(partial, path)
            assert path.exists()
            if map_format.read is not None:
                assert load_map(map_format, path, solution).patterns.tolist() == partial.patterns.tolist()

    def test_a_damaged_file_is_refused_by_name(
        self, map_format: MapFormat, solution: Solution, tmp_path: Path
    ) -> None:
        if map_format.write is None or map_format.read is None:
            return
        for path in make_paths(map_format, tmp_path):
            map_format.write(solution, path)
            whole = path.read_bytes()
            for damaged in (b"", b"\0" * 64, b"nonsense"):
                path.write_bytes(damaged)
                assert path.name in catch_message(FormatError, map_format.read, path, None, None)
            for length in range(0, len(whole), max(1, len(whole) // 50)):
                path.write_bytes(whole[:length])
                catch_message(WavefoldError, map_format.read, path, None, None)  # may still be a valid map

    def test_a_missing_file_is_refused_by_name(self, map_format: MapFormat, tmp_path: Path) -> None:
        for path in make_paths(map_format, tmp_path):
            for read in (map_format.read and take_path_only(map_format.read), map_format.read_tiles):
                if read is not None:
                    assert path.name in catch_message(FormatError, read, path)


def make_paths(map_format: MapFormat, folder: Path) -> list[Path]:
    """A path for each ending, each in its own empty folder."""
    found = []
    for ending in map_format.endings:
        (folder / ending[1:]).mkdir()
        found.append(folder / ending[1:] / f"map{ending}")
    return found


def catch_message(kind: type[WavefoldError], function: Callable[..., Any], *arguments: Any) -> str:
    """Call a function and return the message of its error of this kind, or ""."""
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    return ""


def take_path_only(read: Callable[..., Any]) -> Callable[[Path], Any]:
    """Convert a reader of maps to a function of the path."""
    return lambda path: read(path, None, None)


def load_map(map_format: MapFormat, path: Path, solution: Solution) -> LoadedMap:
    """Read a file as patterns of the map's tiles."""
    assert map_format.read is not None
    problem = solution.problem
    return match_patterns(map_format.read(path, None, problem.topology), problem.tiles)  # type: ignore[arg-type]


def undecide_half(solution: Solution) -> Partial:
    """Make every second cell of a map undecided: all patterns are possible there."""
    problem = solution.problem
    possible = np.zeros((problem.cell_count, len(problem.rules)), bool)
    possible[np.arange(problem.cell_count), solution.patterns] = True
    possible[1::2] = True
    return Partial(problem, pack_bits(possible))
