"""What a file format is, and which format a path asks for.

A format is one `MapFormat` and one entry in `plugins.BUILT_IN["map_format"]` for each of its endings. Another
package adds one by naming it in its own `pyproject.toml`:

    [project.entry-points."wavefold.map_format"]
    ".ogmo" = "my_package:OGMO"

The formats themselves live in `wavefold.formats`. This module lies below them, so that `solution.save` and
`TileSet.load` can ask for a format by its ending.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from wavefold.common.deprecation import warn_renamed
from wavefold.errors import ConfigError, PluginError
from wavefold.plugins import find, is_offered, load_all


def no_companions(path: Path) -> tuple[Path, ...]:
    """For formats whose maps are single files."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFormat:
    """A file format: the functions that write and read its files. None: the format cannot do that.

    Attributes
    ----------
    description : what it is, in a few words, for `wavefold plugins`
    endings : the endings of its files, in lower case, as (".tmx", ".tmj")
    write : write(map, path, **options) writes a `Solution`, or a `Partial` if `writes_partial`
    writes_partial : whether `write` takes maps with undecided cells
    options : names of the options of `write` that the command line offers: tile_size, scale, layers,
        objects, renderer
    check : check(problem, path, origin=None, **options) raises, before a map is made, whatever writing it
        would raise in any case; `origin` is where a part of a world lies
    companions : companions(path) lists the files that are written beside a map with this path
    read : read(path, layer, topology) returns a `formats.loaded.ParsedMap`; layer and topology may be None
    extras : extras(path) describes what a map file holds that `read` leaves out, as "2 other levels"; "" if
        nothing: who overwrites the file would lose it
    write_animation : write_animation(frames, path, milliseconds), one time for each frame
    read_tiles : read_tiles(path, **options) returns a `TileSet`
    write_tiles : write_tiles(tiles, path)
    read_sample : read_sample(path) returns rows of values, for `wavefold.learn`
    read_negative : read_negative(path) returns a list of such rows, of what must not touch
    """

    endings: tuple[str, ...]
    write: Callable[..., None] | None = None
    writes_partial: bool = True
    options: tuple[str, ...] = ()
    check: Callable[..., None] | None = None
    companions: Callable[[Path], tuple[Path, ...]] = no_companions
    read: Callable[..., Any] | None = None
    extras: Callable[[Path], str] | None = None
    write_animation: Callable[..., None] | None = None
    read_tiles: Callable[..., Any] | None = None
    write_tiles: Callable[..., None] | None = None
    read_sample: Callable[..., Any] | None = None
    read_negative: Callable[..., Any] | None = None
    description: str = ""

    @property
    def write_partial(self) -> Callable[..., None] | None:
        """`write`, if it takes maps with undecided cells."""
        return self.write if self.writes_partial else None


# Groups of entry points that other packages used before there was `wavefold.map_format`: what they offered.
OLD_GROUPS = {
    "write": "wavefold.writer",
    "write_partial": "wavefold.partial_writer",
    "read": "wavefold.map_reader",
    "write_animation": "wavefold.animation_writer",
    "read_tiles": "wavefold.reader",
    "write_tiles": "wavefold.tileset_writer",
    "read_sample": "wavefold.sample_reader",
    "read_negative": "wavefold.negative_reader",
}


def ending_of(path: str | os.PathLike[str]) -> str:
    """What chooses the format: ".png" of "maps/Town.PNG"."""
    return "." + str(path).rpartition(".")[2].lower()


def find_format(path: str | os.PathLike[str], ability: str) -> MapFormat | None:
    """The format of this path if it has the function called `ability`, such as "write" or "read_tiles"."""
    ending = ending_of(path)
    if is_offered("map_format", ending):
        found: MapFormat = find("map_format", ending)
        if ending not in found.endings:
            raise PluginError(f"the format registered for {ending!r} is for {', '.join(found.endings)}")
        if getattr(found, ability) is not None:
            return found
    for entry in entry_points(group=OLD_GROUPS[ability], name=ending):
        warn_renamed(
            f"the entry point group {OLD_GROUPS[ability]!r}", "'wavefold.map_format' and a MapFormat"
        )
        function = entry.load()
        if ability in ("write", "write_partial"):
            return MapFormat(endings=(ending,), write=function, writes_partial=ability == "write_partial")
        return MapFormat(endings=(ending,), **{ability: function})
    return None


def find_function(path: str | os.PathLike[str], ability: str) -> Callable[..., Any] | None:
    """The function called `ability` of this path's format, or None if there is none."""
    found = find_format(path, ability)
    return None if found is None else getattr(found, ability)


def find_writer(path: str | os.PathLike[str], ability: str = "write") -> Callable[..., None]:
    """The same for one that writes; raises `ConfigError`, which lists the endings that can be written."""
    function = find_function(path, ability)
    if function is None:
        known = ", ".join(endings_with(ability))
        raise ConfigError(f"cannot write {str(path)!r}: known endings are {known}")
    return function


def endings_with(ability: str) -> list[str]:
    """Every ending whose format has the function called `ability`; loads all formats."""
    formats = load_all("map_format")
    ours = (ending for ending, each in formats.items() if getattr(each, ability) is not None)
    return sorted({*ours, *entry_points(group=OLD_GROUPS[ability]).names})


def format_of(path: str | os.PathLike[str]) -> MapFormat | None:
    """The format that a map, or else an animation, would be saved in."""
    return find_format(path, "write") or find_format(path, "write_animation")


def check_writing(problem: Any, path: str | os.PathLike[str], origin: Any = None, **options: Any) -> None:
    """Raise now what saving a map of this problem would raise in any case, after all the work."""
    found = format_of(path)
    if found is not None and found.check is not None:
        found.check(problem, path, origin, **options)


def companions(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The files that saving a map under this name writes besides, in the same folder."""
    found = find_format(path, "write")
    return () if found is None else found.companions(Path(path))
