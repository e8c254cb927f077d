"""File formats, and finding the format of a path.

A format is one `MapFormat`, and one entry in `registry.BUILT_IN["map_format"]` for each of its endings.
Another package registers a format in its own `pyproject.toml`:

    [project.entry-points."wavefold.map_format"]
    ".ogmo" = "my_package:OGMO"

The formats themselves are in `wavefold.formats`. This module is in a lower layer, so that `solution.save` and
`TileSet.load` can look up a format by its ending.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError, PluginError
from wavefold.plugins.registry import find, is_offered, load_all


def list_no_companions(path: Path) -> tuple[Path, ...]:
    """The companions of a format whose maps are single files."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFormat:
    """A file format: functions that write and read its files. Unsupported ones are None.

    Attributes
    ----------
    description : a short phrase for `wavefold plugins`
    endings : the endings of its files, in lower case, such as (".tmx", ".tmj")
    write : write(map, path, **options) writes a `Solution`, or a `Partial` if `writes_partial`
    writes_partial : whether `write` accepts maps with undecided cells
    options : the options of `write` that the command line offers, out of tile_size, scale, layers, objects
        and renderer
    check : check(problem, path, origin=None, **options) raises before solving if no map of this problem could
        be written; `origin` is the position of a part of a world
    companions : companions(path) lists the files that are written beside a map at this path
    read : read(path, layer, topology) returns a `formats.loaded.ParsedMap`; layer and topology may be None
    extras : extras(path) describes content that `read` ignores and that overwriting the file would lose, such
        as "2 other levels"; "" if there is none
    write_animation : write_animation(frames, path, milliseconds), with one duration for each frame
    read_tiles : read_tiles(path, **options) returns a `TileSet`
    write_tiles : write_tiles(tiles, path)
    read_sample : read_sample(path) returns rows of values, for `wavefold.learn`
    read_negative : read_negative(path) returns a list of such rows: examples of values that must not touch
    """

    endings: tuple[str, ...]
    write: Callable[..., None] | None = None
    writes_partial: bool = True
    options: tuple[str, ...] = ()
    check: Callable[..., None] | None = None
    companions: Callable[[Path], tuple[Path, ...]] = list_no_companions
    read: Callable[..., object] | None = None
    extras: Callable[[Path], str] | None = None
    write_animation: Callable[..., None] | None = None
    read_tiles: Callable[..., object] | None = None
    write_tiles: Callable[..., None] | None = None
    read_sample: Callable[[Path], object] | None = None
    read_negative: Callable[[Path], object] | None = None
    description: str = ""

    @property
    def write_partial(self) -> Callable[..., None] | None:
        """`write`, if it accepts maps with undecided cells; otherwise None."""
        return self.write if self.writes_partial else None


def find_ending(path: str | os.PathLike[str]) -> str:
    """The ending that selects the format: ".png" of "maps/Town.PNG"."""
    return "." + str(path).rpartition(".")[2].lower()


def find_format(path: str | os.PathLike[str], ability: str) -> MapFormat | None:
    """The format of this path, if it has the function `ability`, such as "write" or "read_tiles"."""
    ending = find_ending(path)
    if is_offered("map_format", ending):
        found: MapFormat = find("map_format", ending)
        if ending not in found.endings:
            raise PluginError(f"the format registered for {ending!r} is for {', '.join(found.endings)}")
        if getattr(found, ability) is not None:
            return found
    return None


def find_function(path: str | os.PathLike[str], ability: str) -> Callable[..., Any] | None:
    """The function `ability` of the format of this path, or None."""
    found = find_format(path, ability)
    return None if found is None else getattr(found, ability)


def find_writer(path: str | os.PathLike[str], ability: str = "write") -> Callable[..., None]:
    """The function `ability` of the format of this path; raises `ConfigError` if there is none."""
    function = find_function(path, ability)
    if function is None:
        known = ", ".join(list_endings(ability))
        raise ConfigError(f"cannot write {str(path)!r}: unknown ending; known: {known}")
    return function


def list_endings(ability: str) -> list[str]:
    """All endings whose format has the function `ability`. Loads all formats."""
    formats = load_all("map_format")
    return sorted(ending for ending, each in formats.items() if getattr(each, ability) is not None)


def find_saving_format(path: str | os.PathLike[str]) -> MapFormat | None:
    """The format in which a map or an animation is saved at this path."""
    return find_format(path, "write") or find_format(path, "write_animation")


def check_writing(problem: Any, path: str | os.PathLike[str], origin: Any = None, **options: Any) -> None:
    """Raise before solving if no map of this problem could be saved at this path."""
    found = find_saving_format(path)
    if found is not None and found.check is not None:
        found.check(problem, path, origin, **options)


def list_companions(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The files that saving a map at this path writes beside it."""
    found = find_format(path, "write")
    return () if found is None else found.companions(Path(path))
