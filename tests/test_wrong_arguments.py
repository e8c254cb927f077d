"""Wrong values of the arguments of public functions and constructors: each error names the argument.

The signatures say which arguments there are: a new function needs a call in `CALLS`, a new argument nothing.
"""

import inspect
import re
from inspect import Parameter
from typing import get_args

import numpy as np
import pytest

import wavefold as wf
from wavefold.options import names

TILES = wf.TileSet.load("pipes")
GRID = wf.SquareGrid(3, 3)
PROBLEM = wf.Problem(TILES, GRID)
SOLUTION = wf.generate(TILES, GRID)
SIDES = ("s",) * 4
LETTERS = [[*"abab"], [*"baba"]] * 3


class Wrong:
    """No argument takes this."""

    def __repr__(self):
        return "Wrong()"


def solve_with(name, make):
    """Solve with what `make` makes given as an argument."""
    return lambda **given: wf.generate(TILES, GRID, **{name: make(**given)})


def constrain_by(make):
    return solve_with("constraints", lambda **given: [make(**given)])


def place_objects(**given):
    return wf.generate(TILES.with_objects([wf.MapObject(**given)]), GRID).objects


def draw_tile(**given):
    tiles = wf.TileSet([wf.Tile(**given)])
    return tiles.rules, tiles.pictures()


def draw_hexagon(flat_picture):
    tiles = wf.TileSet([wf.Tile("a", ("s",) * 6, flat_picture=flat_picture)], "hex")
    wf.generate(tiles, wf.HexGrid(2, "flat")).image()


def join_sides(**given):
    return wf.TileSet([wf.Tile("a", SIDES), wf.Tile("b", SIDES)], beside=[wf.Beside(**given)]).rules


def make_world(**given):
    return wf.World(**{"tiles": TILES, "chunk": 8} | given).tile_at(0, 0)


def populate(**given):
    return wf.Patchwork(**{"tiles": TILES, "radius": 3} | given).populate((0, 0))


def limit_memory(**given):
    with wf.limit_memory(**given):
        pass


def read_saved_map(**given):
    SOLUTION.save("map.tmx")
    return wf.read_map(**given)


def read_saved_sample(**given):
    SOLUTION.save("map.tmx")
    return wf.read_tiled_sample(**given)


WORLD = wf.World(TILES, chunk=8)
CHUNK = WORLD.chunk(0, 0)
ROADS = {"sides": "pipe"}
WALLS = {"tile": "wall", "at_most": 9}
RELATIONS = [wf.Relation.from_allowed(np.ones((2, 2), np.bool_))] * 2

CALLS = {  # name -> how to use it, and arguments that are right or lead to the check
    "Acyclic": (constrain_by(wf.Acyclic), ROADS),
    "Area": (constrain_by(wf.Area), {"tile": "wall", "area": np.ones((3, 3), np.bool_)}),
    "Beside": (join_sides, {"here": "a", "there": "b"}),
    "Border": (constrain_by(wf.Border), {"tile": "wall"}),
    "Budget": (solve_with("budget", wf.Budget), {}),
    "Connected": (constrain_by(wf.Connected), ROADS),
    "Count": (constrain_by(wf.Count), WALLS),
    "CubeGrid": (wf.CubeGrid, {"width": 2, "height": 2, "depth": 2}),
    "Diagnostic": (wf.Diagnostic, {}),
    "Downhill": (constrain_by(wf.Downhill), {"tile": "straight", "sides": "pipe"}),
    "Fields": (lambda **given: wf.Fields(**given).at(GRID), {}),
    "Graph": (wf.Graph, {"edges": [("a", "b")]}),
    "Heuristics": (solve_with("order", wf.Heuristics), {}),
    "HexGrid": (wf.HexGrid, {"form": "rhombus", "width": 3, "height": 3}),
    "Ladder": (solve_with("search", wf.Ladder), {}),
    "Loop": (constrain_by(wf.Loop), ROADS),
    "MapObject": (place_objects, {"name": "lamp", "on": "wall"}),
    "MaxRun": (constrain_by(wf.MaxRun), WALLS),
    "Mirror": (constrain_by(wf.Mirror), {}),
    "Noise": (lambda **given: wf.Fields(height=wf.Noise(**given)).at(GRID), {"scale": 8}),
    "PairSeparation": (constrain_by(wf.PairSeparation), {"first": "wall", "second": "vent", "distance": 1}),
    "Parallel": (constrain_by(wf.Parallel), WALLS),
    "Patchwork": (populate, {}),
    "Problem": (wf.Problem, {"tiles": TILES, "topology": GRID}),
    "Reach": (constrain_by(wf.Reach), {"start": "lamp", "goal": "lamp", **ROADS}),
    "Recording": (wf.Recording, {"solver": wf.Solver(PROBLEM)}),
    "Retries": (lambda **given: populate(retries=wf.Retries(**given)), {}),
    "RoadNetwork": (lambda **given: make_world(network=wf.RoadNetwork(**given)), ROADS),
    "Room": (constrain_by(wf.Room), {"tile": "wall"}),
    "Rotational": (constrain_by(wf.Rotational), {}),
    "Rules": (wf.Rules, {"names": "ab", "relations": RELATIONS}),
    "Separation": (constrain_by(wf.Separation), {"tile": "wall", "distance": 1}),
    "Shares": (constrain_by(wf.Shares), {"shares": {"wall": 0.1, "vent": 0.1}}),
    "Slope": (constrain_by(wf.Slope), {"field": np.ones((3, 3)), "tile": "wall", "at_most": 1.0}),
    "Solver": (lambda **given: wf.Solver(**given).run(), {"problem": PROBLEM}),
    "SquareGrid": (wf.SquareGrid, {"width": 2, "height": 2}),
    "Tile": (draw_tile, {"name": "a", "sockets": SIDES}),
    "TileSet": (lambda **given: wf.generate(wf.TileSet(**given), GRID), {"tiles": [wf.Tile("a", SIDES)]}),
    "World": (make_world, {}),
    "animate": (wf.animate, {"problem": PROBLEM}),
    "audit": (wf.audit, {"tiles": TILES}),
    "boundaries": (wf.boundaries, {"tiles": TILES, "topology": wf.SquareGrid(8, 8), "north": CHUNK}),
    "build_order": (wf.build_order, {"topology": "hex", "count": 3}),
    "calibrate": (wf.calibrate, {"tiles": TILES, "rounds": 1, "seeds": 1, "size": (4, 4)}),
    "contact_sheet": (wf.contact_sheet, {"solutions": [SOLUTION]}),
    "default_budget": (wf.default_budget, {"cells": 9}),
    "draw_map_tile": (wf.draw_map_tile, {"world": WORLD, "z": 0, "x": 0, "y": 0}),
    "generate": (wf.generate, {"tiles": TILES, "topology": GRID}),
    "learn": (wf.learn, {"source": LETTERS}),
    "learn_adjacency": (wf.learn_adjacency, {"array": LETTERS}),
    "limit_memory": (limit_memory, {"most": 1 << 34}),
    "lint": (wf.lint, {"tiles": TILES}),
    "load_config": (wf.load_config, {}),
    "measure": (wf.measure, {"solutions": SOLUTION}),
    "measure_bias": (wf.measure_bias, {"world": WORLD, "across": 2}),
    "paint": (wf.paint, {"solution": SOLUTION, "cells": [(0, 0)], "tile": "wall"}),
    "preset": (wf.preset, {"name": "terrain"}),
    "read_debroglie": (wf.read_debroglie, {"path": "castle.json"}),
    "read_map": (read_saved_map, {"path": "map.tmx", "tiles": TILES}),
    "read_tiled_sample": (read_saved_sample, {"path": "map.tmx"}),
    "regrow": (wf.regrow, {"solution": SOLUTION, "cells": [(0, 0)]}),
    "repair": (wf.repair, {"problem": PROBLEM, "wanted": SOLUTION}),
    "seams": (wf.seams, {"tiles": TILES, "one": CHUNK, "other": CHUNK, "side": "east"}),
    "solve": (
        wf.solve,
        {"cells": "ab", "values": range(3), "allowed": lambda one, two: one < two, "edges": [("a", "b")]},
    ),
    "write_tiled_tiles": (wf.write_tiled_tiles, {"solution": SOLUTION, "path": "map.tsx"}),
}
MADE_HERE = "made by wavefold, not by users"
NOT_CALLED = {  # name -> why there is no call
    "Animation": MADE_HERE,
    "Audit": MADE_HERE,
    "Calibration": MADE_HERE,
    "Certificate": MADE_HERE,
    "DeBroglieConfig": MADE_HERE,
    "Event": MADE_HERE,
    "Explanation": MADE_HERE,
    "GridReport": MADE_HERE,
    "LearnedTileSet": MADE_HERE,
    "LoadedMap": MADE_HERE,
    "Measurement": MADE_HERE,
    "Partial": MADE_HERE,
    "PatchworkReport": MADE_HERE,
    "Pattern": MADE_HERE,
    "PlacedObject": MADE_HERE,
    "Relation": MADE_HERE,
    "Repair": MADE_HERE,
    "Solution": MADE_HERE,
    "Statistics": MADE_HERE,
    "Violation": MADE_HERE,
    "WaveView": MADE_HERE,
    "Constraint": "has no arguments",
    "Join": "has no arguments",
    "Topology": "has no arguments",
    "samples": "has no arguments",
    "tilesets": "has no arguments",
    "MapFormat": "plug-ins make one, and the contract for map formats tests it",
    "check": "its arguments have no names",
    "show": "belongs to the server, which tests it",
    "write_zarr": "needs zarr",
}
MISSING_FILES = {"read_debroglie"}
OTHER_CALLS = {  # (name, argument) -> the call in which it counts
    ("HexGrid", "radius"): (wf.HexGrid, {}),
    ("Tile", "flat_picture"): (draw_hexagon, {}),
}

UNKNOWN = "no_such_name"
ANY_TEXT = {  # names and paths: all are right
    ("Diagnostic", "target"),
    ("MapObject", "name"),
    ("Rules", "tiles"),
    ("Rules", "topology"),  # compared with the grid of a problem
    ("Tile", "name"),
    ("TileSet", "description"),
    ("TileSet", "name"),
    ("World", "store"),
    ("load_config", "folder"),
    ("write_tiled_tiles", "path"),
}

NOUNS = {  # (name, argument) -> what messages call it
    ("PairSeparation", "first"): "tile",
    ("PairSeparation", "second"): "tile",
    ("Reach", "start"): "tile|cell",
    ("Reach", "goal"): "tile|cell",
    ("RoadNetwork", "ends"): "tile",
    ("Rules", "names"): "patterns",
    ("Tile", "flat_picture"): "picture",
    ("TileSet", "beside"): "neighbour rule",
    ("World", "store"): "path of a world",
    ("audit", "tiles"): "TileSet",
    ("build_order", "count"): "grids",
    ("build_order", "topology"): "hex or square tiles",
    ("World", "half_width"): "half width",
    ("draw_map_tile", "revision"): "revision",
    ("draw_map_tile", "x"): "coordinates",
    ("draw_map_tile", "y"): "coordinates",
    ("learn", "source"): "sample",
    ("learn_adjacency", "array"): "sample",
    ("learn_adjacency", "negative"): "sample",
    ("lint", "tiles"): "TileSet",
    ("measure", "solutions"): "maps",
    ("preset", "name"): "preset",
    ("repair", "wanted"): "map to repair",
    ("write_tiled_tiles", "solution"): "Solution",
}
ACCEPTED = re.compile(  # how messages say what an argument takes, or what is wrong with a file
    r"known: |did you mean|such as|expected|is written|no such file|"
    r"\b(must|needs?|takes?|only|at most|is a|to \d|(has|have|at revision) \d)\b"
)
NUMBERS = re.compile(r"\b(int|float|Sweeps)\b")
TEXTS = "|".join(name for name, value in vars(names).items() if get_args(value) and name[0].isupper())
TEXT = re.compile(rf"\b(str|Order|Choice|{TEXTS})\b")


def list_wrong_values(name, parameter):
    """Values of a wrong type, out of range, and unknown names, as far as the annotation calls for them."""
    yield Wrong()
    if NUMBERS.search(parameter.annotation):
        yield from ("many", float("nan"))
        if parameter.name != "seed":
            yield -(10**15)
    if TEXT.search(parameter.annotation) and (name, parameter.name) not in ANY_TEXT:
        yield UNKNOWN


def list_cases():
    for name in CALLS:
        for parameter in inspect.signature(getattr(wf, name)).parameters.values():
            if parameter.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL):
                for value in list_wrong_values(name, parameter):
                    yield pytest.param(name, parameter.name, value, id=f"{name}-{parameter.name}-{value}")


def test_every_public_function_and_class_is_called_or_excused():
    found = {name for name in wf.__all__ if callable(getattr(wf, name))}
    found -= {
        name
        for name in found
        if isinstance(getattr(wf, name), type) and issubclass(getattr(wf, name), Exception)
    }
    assert found == CALLS.keys() | NOT_CALLED.keys()
    assert CALLS.keys() & NOT_CALLED.keys() == set()


@pytest.mark.parametrize("name", [name for name in CALLS if name not in MISSING_FILES])
def test_without_a_wrong_value_there_is_no_error(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, given = CALLS[name]
    call(**given)


@pytest.mark.parametrize(("name", "argument", "value"), [*list_cases()])
def test_the_error_names_the_argument_and_what_it_takes(name, argument, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, given = OTHER_CALLS.get((name, argument), CALLS[name])
    with pytest.raises(wf.WavefoldError) as caught:
        call(**given | {argument: value})
    text = str(caught.value)
    noun = argument.removesuffix("s").replace("_", "[_ ]")
    noun = f"({noun}|{NOUNS.get((name, argument), noun)})s?"
    assert re.search(rf"\b({noun}|{UNKNOWN})\b", text), text
    assert ACCEPTED.search(text), text
