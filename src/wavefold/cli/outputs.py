"""Files that commands write: which formats there are, and one file or sheet for several maps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold import map_format
from wavefold.cli import ledger
from wavefold.common.files import check_writable
from wavefold.errors import ConfigError, suggest
from wavefold.map_format import companions, endings_with, find_format, format_of

SEED = "{seed}"  # in a name: a file for each map
SHEETS = (".png",)  # several maps side by side
LEAST_WIDTH = 384  # pixels: maps whose cells are single pixels are enlarged to this
TILED_SIZE = 8  # pixels across the same cells in Tiled, where they are to be clicked at
CAPTION = 16  # pixels below a map on a sheet


# --- before the work ------------------------------------------------------------------------------


def check_outputs(
    paths: Sequence[Path], count: int = 1, animated: bool = True, folders: bool = False
) -> None:
    """Raise, before any work, for an ending nobody writes or a place nobody can write to.

    With `folders`, the last folder of a path need not be there: it will be made.
    """
    for path in paths:
        ending = path.suffix.lower()
        if find_format(path, "write") is None and not (animated and is_animation(path)):
            known = sorted({*endings_with("write"), *(endings_with("write_animation") if animated else ())})
            hint = suggest(ending, known) if ending else f"known: {', '.join(known)}"
            raise ConfigError(f"cannot write {str(path)!r}: no format has this ending; {hint}")
        if count > 1 and SEED not in path.name and ending not in SHEETS:
            raise ConfigError(
                f"{str(path)!r} can hold one map, not {count:,}: write {path.stem}-{SEED}{path.suffix}, "
                "and each map has a file of its own"
            )
        check_writable(path.parent if folders and not path.parent.exists() else path)


def check_apart(paths: Sequence[Path], seeds: Sequence[int], inputs: Iterable[Path]) -> None:
    """Raise if two of all files that will be written are the same, or one is a file that was read."""
    read = {ledger.same_file(path): path for path in inputs}
    taken: dict[object, Path] = {}
    for path in paths:
        for file in files_of(path, seeds):
            which = ledger.same_file(file)
            beside = f", which belongs to {str(path)!r}" if file.suffix != path.suffix else ""
            if which in read:
                raise ConfigError(
                    f"cannot write {str(file)!r}{beside}: this file is read, and would be lost; "
                    "choose another name"
                )
            if which in taken:
                raise ConfigError(
                    f"cannot write {str(file)!r}{beside}: {str(taken[which])!r} writes this file, too; "
                    "choose another name"
                )
            taken[which] = path


def files_of(path: Path, seeds: Sequence[int]) -> Iterator[Path]:
    """Every file that an output becomes, with those that are written beside it."""
    for seed in seeds if SEED in path.name else seeds[:1]:
        name = named_for(path, seed)
        yield name
        yield from companions(name)


def check_writing(
    problem: wf.Problem,
    paths: Sequence[Path],
    count: int = 1,
    options: dict[str, Any] | None = None,
    origin: tuple[int, ...] | None = None,
) -> None:
    """Raise now what drawing or writing would raise in any case, when all the work is done.

    `origin` is where a part of a world lies.
    """
    with in_flags():
        for path in paths:
            given = options_for(path, problem, options or {})
            if is_sheet(path, count):
                check_sheet(problem, path, count, given)
            else:
                map_format.check_writing(problem, path, origin, **given)


def check_sheet(problem: wf.Problem, path: Path, count: int, options: dict[str, Any]) -> None:
    """Raise if so many maps do not fit on one sheet."""
    from wavefold.render.draw import make_canvas, make_fitting_canvas
    from wavefold.render.limits import MOST_PIXELS
    from wavefold.render.sheet import GAP, LONGEST

    size = options.get("tile_size")
    canvas = make_fitting_canvas(problem, LONGEST) if size is None else make_canvas(problem, size)
    canvas.check(1)
    across = ceil(sqrt(count))
    width, height = across * (canvas.width + GAP), ceil(count / across) * (canvas.height + GAP + CAPTION)
    if width * height > MOST_PIXELS:
        raise ConfigError(
            f"a sheet of {count:,} maps would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in "
            f"all; write {path.stem}-{SEED}{path.suffix}, and each map has a file of its own"
        )


@contextmanager
def in_flags() -> Iterator[None]:
    """What is refused in here is told in the words of the command line."""
    try:
        yield
    except ConfigError as error:
        text = re.sub(r"tile_size=(\d+)", r"--tile-size \1", str(error))
        text = text.replace(", or unused=False for only those tiles that stand in the map", "")
        raise ConfigError(re.sub(r"\btile_size\b", "--tile-size", text)) from error


# --- names and sizes ------------------------------------------------------------------------------


def is_animation(path: Path) -> bool:
    """Whether this shows the solve, not the map."""
    return find_format(path, "write") is None and find_format(path, "write_animation") is not None


def is_sheet(path: Path, count: int) -> bool:
    """Whether this holds several maps."""
    return count > 1 and SEED not in path.name


def named_for(path: Path, seed: int) -> Path:
    """The file of one map."""
    return path.with_name(path.name.replace(SEED, str(seed)))


def options_for(path: Path, problem: wf.Problem, options: dict[str, Any]) -> dict[str, Any]:
    """Those of the options that a format has; cells of a single pixel are made larger, unless told."""
    file_format = format_of(path)
    names = () if file_format is None else file_format.options
    chosen = {name: options[name] for name in names if options.get(name) is not None}
    is_sized = "tile_size" in names and not is_animation(path)
    if is_sized and "tile_size" not in chosen and has_single_pixels(problem):
        across = max(problem.topology.shape or (1,))
        larger = ceil(LEAST_WIDTH / (across * chosen.get("scale", 1)))
        chosen["tile_size"] = max(1, larger) if "scale" in names else TILED_SIZE
    return chosen


def has_single_pixels(problem: wf.Problem) -> bool:
    """Whether cells are drawn as one pixel each, as in sets that were learned from pictures."""
    from wavefold.render.squares import natural_size

    return problem.topology.kind == "square" and natural_size(problem) == 1


# --- writing --------------------------------------------------------------------------------------


def write_map(
    solution: wf.Solution | wf.Partial,
    path: Path,
    seed: int,
    options: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> None:
    """The file of one map, and those beside it; `more` are further options of its writer."""
    name = named_for(path, seed)
    with in_flags():
        solution.save(name, **options_for(path, solution.problem, options), **(more or {}))
    ledger.note(
        name, *(() if "tiles" in (more or {}) else companions(name))
    )  # shared tiles are there already


def write_sheet(maps: Sequence[wf.Solution], path: Path, options: dict[str, Any]) -> None:
    """One picture with all maps."""
    from wavefold.render import contact_sheet
    from wavefold.render.save import write_image

    with in_flags():
        write_image(contact_sheet(maps, tile_size=options.get("tile_size")), path)
    ledger.note(path)
