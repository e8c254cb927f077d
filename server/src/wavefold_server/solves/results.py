"""Finished maps as files, in every format that `solution.save` writes, with its bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from io import BytesIO
from math import sqrt
from pathlib import Path
from shutil import rmtree
from sqlite3 import Row
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZipFile, ZipInfo

from pydantic import BaseModel, ConfigDict, Field

from wavefold import Diagnostic
from wavefold.errors import suggest
from wavefold.plugins import MapFormat, check_writing, find_saving_format, list_endings
from wavefold.render import Recording, make_canvas
from wavefold.solver import Problem as SolverProblem
from wavefold.solver import Solution, Solver
from wavefold_server.problems import Problem, limit_problem
from wavefold_server.solves.models import SolveRequest
from wavefold_server.solves.replay import has_log, record_log
from wavefold_server.solves.run import SolvePlan, plan_solve, run_plan
from wavefold_server.solves.store import decode_patterns, decode_stats

if TYPE_CHECKING:
    from wavefold_server.service import Service

ZIP = ".zip"
SCRATCH = "result-"  # of folders that are there while a file is written
NAME = "map"  # of files, before their ending
MEDIA_TYPES = {
    ".apng": "image/apng",
    ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif",
    ".glb": "model/gltf-binary",
    ".json": "application/json",
    ".ldtk": "application/json",
    ".npz": "application/zip",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tmj": "application/json",
    ".tmx": "application/xml",
    ".webp": "image/webp",
    ZIP: "application/zip",
}
ANIMATIONS = (".gif", ".webp", ".apng")
MOST_FRAMES = 240
WIDEST_FRAME = 512  # pixels, unless a size of tiles is given


class ResultOptions(BaseModel):
    """How a map is drawn or written; formats ignore options that they do not have."""

    model_config = ConfigDict(frozen=True, extra="forbid")  # not strict: values in a query are text

    tile_size: int | None = Field(default=None, ge=1, le=256, description="width of a cell in pixels")
    scale: int = Field(
        default=1, ge=1, le=64, description="how often each pixel is repeated, across and down"
    )
    layers: bool = Field(default=False, description="for cubes: each layer from above, side by side")
    objects: bool = Field(default=True, description="whether objects of the tile set are drawn and written")
    frames: int = Field(default=60, ge=3, le=MOST_FRAMES, description="of an animation, at most")
    milliseconds: int = Field(default=50, ge=10, le=1_000, description="for each frame but the last")


class ResultFile(NamedTuple):
    """The answer."""

    content: bytes
    media_type: str


def write_result(service: Service, row: Row, ending: str, options: ResultOptions) -> ResultFile:
    """The map in this format, for a thread. With ".zip" behind the ending, with all files it needs."""
    plain = split_ending(ending)[0]
    file_format = find_offered(plain)
    plan = plan_stored(service, row)
    chosen = choose_options(file_format, options)
    check_pixels(service, plan.problem, plain, chosen, options.frames)
    check_writing(plan.problem, NAME + plain, **chosen)

    def write(path: Path) -> None:
        if file_format.write is None:
            write_animation(service, row, plan, path, options)
        else:
            rebuild_solution(plan, row).save(path, **chosen)

    return write_files(service, ending, write)


def split_ending(ending: str) -> tuple[str, bool]:
    """The ending of the map itself, and whether it is to be in an archive with the files it needs."""
    is_zip = ending.endswith(ZIP) and ending != ZIP
    return "." + (ending.removesuffix(ZIP) if is_zip else ending).lstrip("."), is_zip


def write_files(service: Service, ending: str, write: Callable[[Path], None]) -> ResultFile:
    """What `write` writes to a path with this ending, as bytes."""
    plain, is_zip = split_ending(ending)
    with TemporaryDirectory(prefix=SCRATCH, dir=service.settings.data) as folder:
        path = Path(folder, NAME + plain)
        write(path)
        if is_zip:
            return ResultFile(pack_files(sorted(Path(folder).iterdir())), MEDIA_TYPES[ZIP])
        return ResultFile(path.read_bytes(), MEDIA_TYPES.get(plain, "application/octet-stream"))


def find_offered(ending: str, known: list[str] | None = None) -> MapFormat:
    """The format with this ending. Raises a `Problem` if maps are not available in it."""
    known = list_map_endings() if known is None else known
    if ending not in known:
        raise Problem(404, f"maps are not available as {ending!r:.40}", error="UnknownFormat",
                      advice=suggest(ending, known).capitalize())  # fmt: skip
    found = find_saving_format(NAME + ending)
    assert found is not None
    return found


@cache
def list_map_endings() -> list[str]:
    """The endings of formats that maps can be had in; looking through all packages takes milliseconds."""
    return [*list_endings("write"), *ANIMATIONS]


def plan_stored(service: Service, row: Row) -> SolvePlan:
    """The plan of a stored map; raises a `Problem` if its tile set is another one by now."""
    if row["status"] != "solved":
        raise Problem(409, f"there is no map: the status is {row['status']!r}", error="NotSolved",
                      advice="Wait until the status is 'solved'; the events say when.")  # fmt: skip
    plan = plan_solve(service, read_request(row))
    if plan.problem.rules.digest != row["rules"]:
        raise Problem(410, f"the tile set {row['tileset']!r} has changed since this map was made",
                      error="TileSetChanged", advice="Make the map again.")  # fmt: skip
    return plan


def read_request(row: Row) -> SolveRequest:
    """What a map was made from."""
    return SolveRequest.model_validate(json.loads(row["request"]))


def rebuild_solution(plan: SolvePlan, row: Row) -> Solution:
    """The map as it was when it was stored."""
    return Solution(
        plan.problem,
        decode_patterns(row["patterns"]),
        decode_stats(row["stats"]),
        int(row["seed"]),
        provisional=bool(row["provisional"]),
    )


def choose_options(file_format: MapFormat, options: ResultOptions) -> dict[str, Any]:
    """Those that the format has and that are not the default."""
    given = options.model_dump(exclude_defaults=True)
    return {name: value for name, value in given.items() if name in file_format.options}


def check_pixels(
    service: Service, problem: SolverProblem, ending: str, options: dict[str, Any], most_frames: int = 60
) -> None:
    """Refuse pictures that are too large; in other formats, pictures of all tiles."""
    limit, size, scale = service.limits.pixels, options.get("tile_size", 0), options.get("scale", 1)
    pixels = size**2 * len(problem.rules)
    if ending in ANIMATIONS or ending == ".png":
        longest = None if ending == ".png" else WIDEST_FRAME
        canvas = make_canvas(problem, size or None, options.get("layers", False), longest, scale)
        frames = scale**2 if longest is None else most_frames
        size, pixels = canvas.size, canvas.width * canvas.height * frames
    if pixels > limit:
        fitting = int(size * sqrt(limit / pixels))
        advice = f"use tile_size={fitting}" if fitting else "the map is too large for a picture"
        raise limit_problem("pixels", limit, f"this takes {pixels:,} pixels; {advice}")


# --- animations and archives ------------------------------------------------------------------------


class RecordingDiagnostic(Diagnostic):
    """Records a solve, with the sweeps that refine its map."""

    recording: Recording

    def __init__(self, frames: int) -> None:
        self._frames = frames

    def start(self, solver: Solver) -> None:
        self.recording = Recording(solver, self._frames)

    def receive_sweep(self, batch: Any) -> None:
        self.recording.record_sweep(batch)


def write_animation(service: Service, row: Row, plan: SolvePlan, path: Path, options: ResultOptions) -> None:
    """Solve a small map once more, and record it."""
    if not plan.is_quick:
        limit, cells = service.limits.quick_cells, plan.problem.cell_count
        raise limit_problem(
            "quick_cells", limit, f"only small maps can be animated; this has {cells:,} cells"
        )
    request = read_request(row)
    if has_log(request):
        tiles = service.tilesets.load(request.tileset)
        recording = record_log(request, tiles, service.limits, options.frames)
    else:
        recorder = RecordingDiagnostic(options.frames)
        run_plan(plan, service.metrics, diagnostics=[recorder])
        recording = recorder.recording
    size = options.tile_size or make_canvas(plan.problem, longest=WIDEST_FRAME).size
    recording.animation().save(
        path,
        milliseconds=options.milliseconds,
        tile_size=size,
        scale=options.scale,
        layers=options.layers,
        objects=options.objects,
    )


def pack_files(paths: list[Path]) -> bytes:
    """A zip archive; the same files give the same bytes."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for path in paths:
            archive.writestr(ZipInfo(path.name), path.read_bytes())
    return file.getvalue()


def remove_scratch(data: Path) -> None:
    """Delete folders that a server left when it was killed."""
    for folder in data.glob(f"{SCRATCH}*"):
        rmtree(folder, ignore_errors=True)
