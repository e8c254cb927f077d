"""The configuration in force: its values, where they come from, and what the solver is given for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold.config.files import ConfigFile
from wavefold.config.models import Config
from wavefold.config.origins import DEFAULT, KeyPath, Origin
from wavefold.errors import ConfigError, WavefoldError
from wavefold.plugins import available

if TYPE_CHECKING:
    from wavefold.fields import Fields
    from wavefold.fields.sources import Source
    from wavefold.solver import Budget, Ladder
    from wavefold.tiles import Rules, TileSet
    from wavefold.topology import Topology


PICTURES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True)
class Effective:
    """The configuration in force.

    >>> effective = load_config()
    >>> tiles = effective.tiles()
    >>> grid = effective.topology(tiles)
    >>> wf.generate(tiles, grid, **effective.parts(tiles, grid))

    Attributes
    ----------
    config : the values
    origins : where each value that somebody set was set, by its path: ("generate", "seed")
    file : the file that was read, or None
    """

    config: Config
    origins: Mapping[KeyPath, Origin]
    file: ConfigFile | None = None

    def origin(self, *path: str) -> Origin:
        """Where a value comes from; a part of a value comes from where the whole does."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.origins:
                return self.origins[path[:length]]
        if path[:1] == ("search",):  # the knobs begin with those of the ladder
            return self.origins.get(("search", "ladder"), DEFAULT)
        return DEFAULT

    def values(self) -> dict[str, dict[str, Any]]:
        """{section: {key: value}} as plain data; None for what is not set."""
        values = self.config.model_dump()
        of_fields = self.config.fields.model_dump(exclude_none=True)  # of a field only what it is made of
        return plain(values | {"fields": {"preset": None} | of_fields})  # type: ignore[no-any-return]

    def settings(self) -> Iterator[tuple[tuple[str, ...], Any, Origin]]:
        """(path, value, origin) of every key, and of every name in sections that have names for keys."""
        for section, table in self.values().items():
            for key, value in table.items():
                path = (section, key)
                if section == "terrain":
                    for name, each in value.items():
                        yield (*path, name), each, self.origin(*path, name)
                else:
                    yield path, value, self.origin(*path)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the file, all values, and where those come from that somebody set."""
        return {
            "file": None if self.file is None else str(self.file.path),
            "config": without_infinities(self.values()),
            "origins": {".".join(map(str, path)): str(origin) for path, origin in self.origins.items()},
        }

    def tiles(self, n: int | None = None) -> TileSet:
        """The tile set that [generate] names; a picture or a sample is learned from, in windows of n x n."""
        from wavefold.tiles import TileSet, learn

        name, subset = self.config.generate.tileset, self.config.generate.subset
        if name is None:
            raise ConfigError('no tile set is named: give one, or write tileset = "meadow" in [generate]')
        if subset is not None and Path(name).suffix.lower() != ".xml":
            with self.at("generate", "subset"):
                raise ConfigError(f"subset is for mxgmn's .xml files; {name!r} has no subsets")
        source: str | Path = name
        if name not in available("tileset") and Path(name).suffix:
            source = self.path(name, "generate", "tileset")
        with self.at("generate", "tileset"):
            if is_picture(name):
                return learn(source, n)
            return TileSet.load(source, **({} if subset is None else {"subset": subset}))

    def topology(self, tiles: TileSet) -> Topology:
        """A grid of the kind the tiles are drawn for, in the size that [generate] asks for."""
        radius = self.config.generate.radius
        with self.at("generate", "size" if radius is None else "radius"):
            return self._grid(tiles.topology, radius)

    def _grid(self, kind: str, radius: int | None) -> Topology:
        from wavefold.topology import lattice_class

        size, wraps = self.config.generate.size, self.config.generate.wrap
        grid = lattice_class(kind)
        if radius is not None:
            return grid.of_radius(radius, wraps=wraps)
        if len(size) > len(grid.axes):
            raise ConfigError(f"{kind} cells have no layers: write size as cells across x cells down")
        return grid.of_size(*size, *(1 for _ in grid.axes[len(size) :]), wraps=wraps)

    def parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """The keywords of `wf.generate`; `budget` is among them only if one is set."""
        limits = {} if self.budget is None else {"budget": self.budget}
        return self.problem_parts(tiles, topology) | self.solver_parts(tiles, topology) | limits

    def problem_parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """Keywords of `wf.Problem`: those of `weights`, `masks` and `fields` that are needed.

        With limits in [terrain] there are masks, in which the tiles' own limits are included; without, the
        fields themselves, if there are any.
        """
        from wavefold.config.build import masks_of, weights_of

        made = {"weights": weights_of(self, tiles, topology), "masks": masks_of(self, tiles, topology)}
        parts: dict[str, Any] = {name: part for name, part in made.items() if part is not None}
        if self.fields.names and "masks" not in parts:
            parts["fields"] = self.fields
        return parts

    def driving(self, tiles: TileSet | Rules, sources: Mapping[str, Any] | None = None) -> Fields | None:
        """The fields for `wf.World`, with what [terrain] and [weights] say of tiles; None without any.

        `sources`, such as a preset, stand in for those of [fields].
        """
        from wavefold.config.build import driving

        return driving(self, tiles, sources)

    def solver_parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """Keywords of `wf.Solver`."""
        from wavefold.config.build import order_of

        generate = self.config.generate
        return {
            "seed": generate.seed,
            "order": order_of(self, tiles, topology),
            "propagation": generate.propagation,
            "search": self.search,
            "undo": generate.undo,
        }

    def picture_parts(self) -> dict[str, Any]:
        """Keywords of `solution.image`."""
        return dict(self.config.picture)

    @cached_property
    def budget(self) -> Budget | None:
        """The limits, or None if nobody set any: then `wf.generate` has its own."""
        from wavefold.solver import Budget

        limits = dict(self.config.budget)
        return None if set(limits.values()) == {None} else Budget(**limits)

    @cached_property
    def search(self) -> str | Ladder:
        """The ladder: its name, or itself if a knob was changed."""
        from wavefold.solver.search.ladder import SEARCHES, Ladder

        knobs = dict(self.config.search)
        name: str = knobs.pop("ladder")
        return name if knobs == asdict(SEARCHES[name]) else Ladder(**knobs)

    @cached_property
    def fields(self) -> Fields:
        """All fields; pictures are read now."""
        from wavefold.fields import Fields

        return Fields(**self.sources)

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """What each field is made of."""
        from wavefold.config.field_sources import sources_of

        return sources_of(self.config.fields, self.at, self.path)

    def path(self, text: str, *path: str) -> Path:
        """A file as a value names it: a path in a file is seen from the folder of that file."""
        if self.file is not None and self.origin(*path).rank == 1:
            return self.file.path.parent / text
        return Path(text)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Whatever is refused in here is told with the place where the value was set."""
        try:
            yield
        except WavefoldError as error:
            place = self.origin(*path).place
            raise ConfigError(f"{place}{error}") from error


def is_picture(name: str) -> bool:
    """Whether this names a picture to learn from, or a bundled one, and no tile set."""
    from wavefold.tiles.learning.bundled_samples import is_sample

    if name in available("tileset"):
        return False
    return is_sample(name) or Path(name).suffix.lower() in PICTURES


def plain(value: Any) -> Any:
    """The same, with lists for tuples."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def without_infinities(value: Any) -> Any:
    """The same, with text for what JSON has no number for."""
    if isinstance(value, dict):
        return {key: without_infinities(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_infinities(each) for each in value]
    return str(value) if isinstance(value, float) and isinf(value) else value
