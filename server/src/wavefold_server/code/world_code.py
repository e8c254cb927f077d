"""Worlds and patchworks as code: a part of one, with all that was done to it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from wavefold.patchwork import Patchwork
from wavefold.tiles import TileSet
from wavefold.worlds import World
from wavefold_server.code.map_code import PICTURE, write_constraints, write_refine
from wavefold_server.code.models import CodeAnswer, DrawnPart, PatchworkCodeAnswer, PatchworkCodeRequest
from wavefold_server.code.python_text import (
    TileSource,
    write_call,
    write_keywords,
    write_program,
    write_value,
)
from wavefold_server.patchworks.build import as_pairs, build_patchwork_arguments
from wavefold_server.settings import Limits
from wavefold_server.worlds.build import build_world_arguments
from wavefold_server.worlds.models import WorldRequest

WORLD_PICTURE = "world.png"
# What options of the commands can say.
WORLD_OPTIONS = {"tileset", "seed", "draft", "refine", "preset", "constraints"}
PATCHWORK_OPTIONS = {"tileset", "radius", "seed", "join", "draft", "refine", "preset", "steps"}


def write_world(
    request: WorldRequest, world: World, is_bundled: bool, part: DrawnPart, limits: Limits
) -> CodeAnswer:
    """A world with its edits, and a picture of a part; the command makes all chunks of that part."""
    source, edits = TileSource.find(request.tileset, world.tiles, is_bundled), world.edits
    arguments = build_world_arguments(request, world.tiles, limits)
    lines = begin_program(source, arguments)
    lines.append(write_call("world = wf.World", ["tiles", *write_arguments(World, arguments)]))
    for edit in edits:
        cells = {(x, y): tile for x, y, tile in edit["wanted"]}
        about = write_keywords(World.edit, {"reach": edit["reach"]})
        lines.append(write_call("world.edit", [write_value(cells), *about]))
    box = f"{part.x0}, {part.y0}, {part.width}, {part.height}"
    lines.append(f'world.image({box}).save("{WORLD_PICTURE}")')
    is_said = request.model_dump(exclude_defaults=True).keys() <= WORLD_OPTIONS and not edits
    return CodeAnswer(
        python=write_program(lines, arguments.get("constraints", ())),
        command=write_world_command(request, source.text, part) if is_said else None,
        python_needs=source.file,
        command_needs=source.file,
    )


def write_world_command(request: WorldRequest, source: str, part: DrawnPart) -> str | None:
    """A command that draws all chunks of a part of a world; None if its options cannot say all of it."""
    constraints = write_constraints(request.constraints)
    if constraints is None:
        return None
    (left, right), (top, bottom) = (
        (first // request.chunk, -(-(first + count) // request.chunk))
        for first, count in ((part.x0, part.width), (part.y0, part.height))
    )
    words = ["wavefold", "world", source, "--seed", str(request.seed)]
    words += [f"--region={left}:{right},{top}:{bottom}", *write_refine(request.refine)]
    words += ["--preset", request.preset] if request.preset is not None else []
    return shlex.join([*words, *constraints, "-o", WORLD_PICTURE])


def write_patchwork(
    request: PatchworkCodeRequest, tiles: TileSet, is_bundled: bool, limits: Limits
) -> PatchworkCodeAnswer:
    """A patchwork, step by step."""
    source = TileSource.find(request.tileset, tiles, is_bundled)
    arguments = build_patchwork_arguments(request, tiles, limits)
    lines = begin_program(source, arguments)
    lines.append(write_call("map = wf.Patchwork", ["tiles", *write_arguments(Patchwork, arguments)]))
    for step in request.steps:
        if step.rebuild is not None:
            lines.append(f"map.rebuild({write_value(tuple(step.rebuild))}, radius={step.radius})")
        elif step.populate is not None:
            lines.append(write_call("map.populate_all", [write_value(as_pairs(step.populate))]))
    lines.append(f'map.solution().image().save("{PICTURE}")')
    compare = ["wavefold", "patchwork", "compare", source.text, "--radius", str(request.radius)]
    return PatchworkCodeAnswer(
        python=write_program(lines),
        command=write_patchwork_command(request, source.text),
        comparison=shlex.join([*compare, "--seeds", "100", "--html", "joins.html"]),
        python_needs=source.file,
        command_needs=source.file,
        comparison_needs=source.file,
    )


def write_patchwork_command(request: PatchworkCodeRequest, source: str) -> str | None:
    """A command that makes the grids; None if its options cannot say all that was done."""
    keys = [key for step in request.steps for key in step.populate or ()]
    has_other_steps = any(step.rebuild is not None for step in request.steps)
    # The first grids of a map made whole are those of its first step.
    is_whole = request.join == "whole" and len(request.steps) > 1
    is_said = request.model_dump(exclude_defaults=True).keys() <= PATCHWORK_OPTIONS
    if not keys or has_other_steps or is_whole or not is_said:
        return None
    words = ["wavefold", "patchwork", "build", source, "--radius", str(request.radius)]
    words += ["--seed", str(request.seed), "--join", request.join, *write_refine(request.refine)]
    words += ["--preset", request.preset] if request.preset is not None else []
    grids = " ".join(f"{x},{y}" for x, y in keys)
    return shlex.join([*words, f"--grids={grids}", "-o", PICTURE])


def begin_program(source: TileSource, arguments: dict[str, Any]) -> list[str]:
    """The first lines: tiles, and fields if there are any."""
    lines = [f"tiles = wf.TileSet.load({write_value(source.text)})"]
    fields = arguments.get("fields")
    return lines if fields is None else [*lines, f"fields = {write_value(fields)}"]


def write_arguments(function: Any, arguments: dict[str, Any]) -> Sequence[str]:
    """Keyword arguments, where fields are those of `begin_program`."""
    others = {name: each for name, each in arguments.items() if name != "fields"}
    named = ["fields=fields"] if arguments.get("fields") is not None else []
    return [*write_keywords(function, others), *named]
