"""Files that commands write: checked before the work; one file or sheet for several maps; the usage file."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, sqrt
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import typer

import wavefold as wf
from wavefold.cli.interrupts import complete_files
from wavefold.cli.terminal import show_writing
from wavefold.errors import ConfigError, FormatError, suggest
from wavefold.plugins.map_formats import (
    MapFormat,
    find_format,
    find_saving_format,
    list_companions,
    list_endings,
)
from wavefold.plugins.map_formats import check_writing as check_format
from wavefold.storage.files import check_writable, read_limited, write_atomically

MOST_BYTES = 16 << 20
OTHER_PICTURES = (".bmp", ".jpg", ".jpeg", ".tif", ".tiff", ".tga", ".ppm")
SEED = "{seed}"  # in a file name: one file for each map
SHEETS = (".png",)  # several maps side by side
LEAST_WIDTH = 384  # pixels: maps whose cells are single pixels are enlarged to this
CAPTION = 16  # pixels below a map on a sheet
SHOWN = 12  # files named in the result

_started_at = [perf_counter()]  # the start of the current command


class UsageFile:
    """Counts that are read when a command starts, and written after each map."""

    def __init__(self, path: Path, tiles: wf.TileSet) -> None:
        check_writable(path)
        self.path = path
        self.counts = Counter(read_usage(path) if path.exists() else {})
        names = tiles.rules.tiles
        for name in self.counts:
            if name not in names:
                raise ConfigError(
                    f"--priors {str(path)!r} counts an unknown tile {name!r}; {suggest(name, names)}; "
                    "use a file for each tile set"
                )

    def add(self, solution: wf.Solution) -> None:
        """Add the tiles of a map, and save the counts."""
        self.counts.update(solution.usage())
        with write_atomically(self.path) as file:
            file.write(json.dumps(self.counts, indent=1, ensure_ascii=False).encode() + b"\n")


def read_usage(path: Path) -> dict[str, int]:
    """{tile: count} from a file."""
    from wavefold.solver.heuristics import MOST_PRIORS

    try:
        counts = json.loads(read_limited(path, MOST_BYTES, "it cannot be a file of --priors"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"--priors: {str(path)!r} is not valid JSON: {error}; name another file") from error
    is_usage = isinstance(counts, dict) and all(
        type(count) is int and 0 <= count <= MOST_PRIORS for count in counts.values()
    )
    if not is_usage:
        raise FormatError(
            f"--priors: {str(path)!r} does not hold counts of tiles, such as "
            '{"grass": 120, "house": 3}; name another file'
        )
    return dict(counts)


# --- what was written -----------------------------------------------------------------------------


def start_record(started_at: float) -> None:
    """Start the record of a new command, which was called at this time of `perf_counter`."""
    complete_files.clear()
    _started_at[:] = [started_at]


def measure_seconds_in_all() -> float:
    """The seconds since this command started, including start-up, learning and writing."""
    return perf_counter() - _started_at[0]


def describe_seconds(work: str, seconds: float) -> str:
    """The seconds of the work and of the whole command: `solved in 0.52 s, 1.30 s in all`."""
    return f"{work} in {seconds:.2f} s, {measure_seconds_in_all():.2f} s in all"


def record_written(*paths: Path) -> None:
    """Record complete files, for reports and for the message of an interruption."""
    complete_files.extend(str(path) for path in paths if str(path) not in complete_files)


def list_written() -> list[str]:
    """All files this command has written so far, in order."""
    return list(complete_files)


def print_result(summary: str, aside: bool = True) -> None:
    """Print one line: the files (the first and the last of many) and a summary.

    Without files, a summary goes to stderr (unless not `aside`): the map itself is on stdout.
    """
    written = list_written()
    files = ", ".join(written)
    if len(written) > SHOWN:
        files = f"{', '.join(written[: SHOWN - 1])}, … {written[-1]} ({len(written):,} files)"
    typer.echo(f"{files} — {summary}" if files else summary, err=aside and not files)


def identify_file(path: Path) -> object:
    """A key that is equal for two names of one file, whether it exists or not."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return os.path.normcase(os.path.realpath(path))
    return found.st_dev, found.st_ino


# --- before the work ------------------------------------------------------------------------------


def check_ending(path: Path | None, what: str, endings: Sequence[str]) -> None:
    """Raise, before any work, if this file cannot be written or has none of these endings."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise ConfigError(f"cannot write {str(path)!r}: {what} ends in {' or '.join(endings)}")
    check_writable(path)


def check_outputs(
    paths: Sequence[Path], count: int = 1, animated: bool = True, folders: bool = False
) -> None:
    """Raise, before any work, for an ending without a format or a path that cannot be written.

    With `folders`, the last folder of a path may be missing: it will be created.
    """
    for path in paths:
        ending = path.suffix.lower()
        if find_format(path, "write") is None and not (animated and is_animation(path)):
            known = sorted({*list_endings("write"), *(list_endings("write_animation") if animated else ())})
            hint = suggest(ending, known) if ending else f"known: {', '.join(known)}"
            if ending in OTHER_PICTURES:  # no known ending is similar
                hint = "pictures are written as .png or .svg"
            raise ConfigError(f"cannot write {str(path)!r}: no format has this ending; {hint}")
        if count > 1 and SEED not in path.name and ending not in SHEETS:
            raise ConfigError(
                f"{str(path)!r} can hold one map, not {count:,}: write {path.stem}-{SEED}{path.suffix} "
                "for a file for each map"
            )
        check_writable(path.parent if folders and not path.parent.exists() else path)


def check_distinct(paths: Sequence[Path], seeds: Sequence[int], inputs: Iterable[Path]) -> None:
    """Raise if an output would overwrite a file that was read, or another output.

    Two spellings of one format, .tmx and .tmj, may share a companion: both write the same picture of tiles.
    """
    read = {identify_file(path): path for path in inputs}
    taken: dict[object, OutputFile] = {}
    for path in paths:
        for output in list_output_files(path, seeds):
            which, file = identify_file(output.file), str(output.file)
            beside = f", which belongs to {str(path)!r}" if output.file.suffix != path.suffix else ""
            if which in read:
                raise ConfigError(
                    f"cannot write {file!r}{beside}: it is an input of this command, and would be "
                    "overwritten; choose another name"
                )
            other = taken.setdefault(which, output)
            if other is not output and not (
                output.companion_of and output.companion_of == other.companion_of
            ):
                raise ConfigError(
                    f"cannot write {file!r}{beside}: {str(other.path)!r} writes the same file; "
                    "choose another name"
                )


class OutputFile(NamedTuple):
    """A file of an output, with the output's path and seed."""

    file: Path
    path: Path
    companion_of: tuple[MapFormat | None, int] | None = None


def list_output_files(path: Path, seeds: Sequence[int]) -> Iterator[OutputFile]:
    """All files of an output, with their companions."""
    for seed in seeds if SEED in path.name else seeds[:1]:
        name = path_for_seed(path, seed)
        yield OutputFile(name, path)
        for file in list_companions(name):
            yield OutputFile(file, path, (find_saving_format(name), seed))


def check_writing(
    problem: wf.Problem,
    paths: Sequence[Path],
    count: int = 1,
    options: dict[str, Any] | None = None,
    origin: tuple[int, ...] | None = None,
) -> None:
    """Raise, before any work, what drawing or writing would raise.

    origin : the first cell of a part of a world
    """
    for path in paths:
        given = choose_writer_options(path, problem, options or {})
        if is_sheet(path, count):
            check_sheet(problem, path, count, given)
        else:
            check_format(problem, path, origin, **given)


def check_sheet(problem: wf.Problem, path: Path, count: int, options: dict[str, Any]) -> None:
    """Raise if `count` maps do not fit on one sheet."""
    from wavefold.render.canvas import MOST_PIXELS
    from wavefold.render.draw import GAP_PIXELS, LARGEST_THUMBNAIL, make_canvas

    canvas = make_canvas(problem, options.get("tile_size"), longest=LARGEST_THUMBNAIL)
    canvas.check(1)
    across = ceil(sqrt(count))
    width, height = (
        across * (canvas.width + GAP_PIXELS),
        ceil(count / across) * (canvas.height + GAP_PIXELS + CAPTION),
    )
    if width * height > MOST_PIXELS:
        raise ConfigError(
            f"a sheet of {count:,} maps would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in "
            f"all; write {path.stem}-{SEED}{path.suffix} for a file for each map"
        )


# --- names and sizes ------------------------------------------------------------------------------


def is_animation(path: Path) -> bool:
    """Whether this format shows the solve, not only the finished map."""
    return find_format(path, "write") is None and find_format(path, "write_animation") is not None


def is_sheet(path: Path, count: int) -> bool:
    """Whether this one picture holds several maps."""
    return count > 1 and SEED not in path.name


def path_for_seed(path: Path, seed: int) -> Path:
    """The file for the map with this seed: `map-{seed}.png` -> `map-7.png`."""
    return path.with_name(path.name.replace(SEED, str(seed)))


def choose_writer_options(path: Path, problem: wf.Problem, options: dict[str, Any]) -> dict[str, Any]:
    """The options that a format has; pictures enlarge single-pixel cells unless a size is given."""
    file_format = find_saving_format(path)
    names = () if file_format is None else file_format.options
    chosen = {name: options[name] for name in names if options.get(name) is not None}
    shape = problem.topology.shape
    if (
        shape
        and {"tile_size", "scale"} <= set(names)
        and "tile_size" not in chosen
        and not is_animation(path)
    ):
        from wavefold.render.squares import SquareCanvas

        if SquareCanvas.find_natural_size(problem) == 1:
            chosen["tile_size"] = ceil(LEAST_WIDTH / (max(shape) * chosen.get("scale", 1)))
    return chosen


# --- writing --------------------------------------------------------------------------------------


def write_map(
    solution: wf.Solution | wf.Partial,
    path: Path,
    seed: int,
    options: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> None:
    """Write the file of one map and its companions; `more` are further options of the writer."""
    name = path_for_seed(path, seed)
    with show_writing(name):
        solution.save(name, **choose_writer_options(path, solution.problem, options), **(more or {}))
    # Shared tiles of chunks were written and recorded before.
    record_written(name, *(() if "tiles" in (more or {}) else list_companions(name)))


def write_sheet(maps: Sequence[wf.Solution], path: Path, options: dict[str, Any]) -> None:
    """Write one picture with all maps."""
    from wavefold.render import contact_sheet
    from wavefold.render.draw import write_image

    with show_writing(path):
        used = {name: options[name] for name in ("tile_size", "renderer", "objects") if name in options}
        write_image(contact_sheet(maps, **used), path)
    record_written(path)


def make_folder(folder: Path, parents: bool = False) -> None:
    """Create a folder, if necessary; its parent must exist, unless `parents` are to be created, too."""
    try:
        folder.mkdir(parents=parents, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ConfigError(f"cannot create the folder {str(folder)!r}: {reason}; choose another") from error
