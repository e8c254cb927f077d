"""What every file says about its map besides the cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import ConfigError
from wavefold.formats.schema import FORMAT, VERSION
from wavefold.formats.topology_codec import array_origin_in_world, encode_topology
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map


def make_header(solution: Map, timings: bool = False) -> dict[str, Any]:
    """The header of a map, as in the schema. Without timings it is the same on every machine."""
    problem = solution.problem
    statistics = getattr(solution, "stats", None)
    counts = None if statistics is None else statistics.to_dict()
    if counts is not None and not timings:
        del counts["seconds"]
    seed = getattr(solution, "seed", None)
    origin = getattr(solution, "origin", None)
    return {
        "format": FORMAT,
        "version": VERSION,
        "wavefold": __version__,
        "content_version": CONTENT_VERSION,
        "seed": None if seed is None else int(seed),
        "tileset": {
            "name": tileset_name(problem),
            "digest": problem.rules.digest,
            "topology": problem.rules.topology,
            "patterns": len(problem.rules),
        },
        "topology": encode_topology(problem.topology),
        "origin": array_origin_in_world(problem.topology, origin),
        **({} if origin is None else {"world": True}),
        "statistics": counts,
    }


def tileset_name(problem: Problem) -> str:
    """What the tile set is called, if it has a name."""
    return str(getattr(problem.tiles, "name", "") or "")


def check_names(names: Sequence[str]) -> Sequence[str]:
    """The names of patterns; raises `ConfigError` unless they are unique."""
    if len(set(names)) != len(names) or "" in names:
        raise ConfigError("every pattern needs a name of its own to be written to a file")
    return names


def to_json_value(value: Any) -> Any:
    """What a learned pattern stands for, as JSON can write it; None if it cannot."""
    if isinstance(value, tuple):
        parts = [to_json_value(each) for each in value]
        return None if None in parts else parts
    if isinstance(value, str | bool | int) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    return None


def to_json(value: object) -> str:
    """One line, always the same for the same value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def encode_utf8(text: str) -> bytes:
    """UTF-8; JSON and Python can hold half a character, which no file can."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{text[error.start]!r} in a name cannot be written as UTF-8") from None
