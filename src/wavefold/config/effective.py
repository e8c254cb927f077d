"""The effective configuration: its values, their origins, and the arguments made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold.config.models import Config
from wavefold.config.sources import DEFAULT, ConfigFile, KeyPath, Origin, find_origin
from wavefold.errors import ConfigError, WavefoldError
from wavefold.formats.toml.document import format_key, format_value
from wavefold.plugins.registry import is_offered

if TYPE_CHECKING:
    from wavefold.fields import Fields
    from wavefold.fields.sources import FieldLike, Source
    from wavefold.solver import Budget, Ladder
    from wavefold.tiles import Rules, TileSet
    from wavefold.topology import Topology


DEFAULT_SIZE = (64, 64)  # of maps, in cells
PICTURES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True)
class Effective:
    """The values of all sources combined.

    >>> effective = load_config()
    >>> tiles = effective.tiles()
    >>> grid = effective.topology(tiles)
    >>> wf.generate(tiles, grid, **effective.parts(tiles, grid))

    Attributes
    ----------
    config : the values
    origins : where each value that is not a default was set, by its path: ("generate", "seed")
    file : the file that was read, or None
    """

    config: Config
    origins: Mapping[KeyPath, Origin]
    file: ConfigFile | None = None

    def origin(self, *path: str) -> Origin:
        """Where a value was set; a part of a value has the origin of the whole."""
        found = find_origin(self.origins, path)
        if found is DEFAULT and path[0] == "search":  # other keys start with the values of the ladder
            return find_origin(self.origins, ("search", "ladder"))
        return found

    def values(self) -> dict[str, dict[str, object]]:
        """{section: {key: value}} as plain data; None for what is not set."""
        of_fields = self.config.fields.model_dump(mode="json", exclude_none=True)  # one source of each field
        return self.config.model_dump(mode="json") | {"fields": {"preset": None} | of_fields}

    def settings(self) -> Iterator[tuple[tuple[str, ...], object, Origin]]:
        """(path, value, origin) of every key, every tile in [terrain] and every limit of the service."""
        for section, table in self.values().items():
            for name, value in table.items():
                path = (section, name)
                if section == "terrain" or path == ("service", "limits"):
                    assert isinstance(value, dict)
                    for inner, each in value.items():
                        yield (*path, inner), each, self.origin(*path, inner)
                else:
                    yield path, value, self.origin(*path)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON: the file, all values, and the origins of those that were set."""
        return {
            "file": None if self.file is None else str(self.file.path),
            "config": without_infinities(self.values()),
            "origins": {".".join(map(str, path)): str(origin) for path, origin in self.origins.items()},
        }

    def to_toml(self) -> str:
        """A TOML file with all values and comments on their origin; loading it gives the same values."""
        lines = [f"# {self.file.name if self.file else 'no file'}"]
        for table, settings in groupby(self.settings(), lambda setting: setting[0][:-1]):
            lines += ["", f"[{'.'.join(table)}]"]
            for path, value, origin in settings:
                name = format_key(path[-1])
                lines.append(
                    f"# {name} is not set" if value is None else f"{name} = {format_toml(value)}  # {origin}"
                )
        return "\n".join(lines) + "\n"

    def tiles(self) -> TileSet:
        """Load the tile set that [generate] names, or learn it from a picture or sample, as [learn] says."""
        from wavefold.tiles import TileSet, learn

        name, subset = self.config.generate.tileset, self.config.generate.subset
        if name is None:
            raise ConfigError('no tile set is named: give one, or write tileset = "meadow" in [generate]')
        if subset is not None and Path(name).suffix.lower() != ".xml":
            with self.at("generate", "subset"):
                raise ConfigError(f"subset is for mxgmn's .xml files; {name!r} has no subsets")
        source: str | Path = name
        if not is_offered("tileset", name) and Path(name).suffix:
            source = self.path(name, "generate", "tileset")
        with self.at("generate", "tileset"):
            if is_picture(name):
                return learn(source, **self.learn_parts())
            return TileSet.load(source, **({} if subset is None else {"subset": subset}))

    def learn_parts(self) -> dict[str, Any]:
        """Keyword arguments of `wf.learn` that are set."""
        return self.config.learn.model_dump(exclude_none=True)

    def size(self, tiles: TileSet) -> tuple[int, ...]:
        """Columns, rows (and layers): as in [generate], else as the tile set recommends."""
        return self.config.generate.size or tiles.size or DEFAULT_SIZE

    def topology(self, tiles: TileSet) -> Topology:
        """A grid of the kind the tiles are made for, with the size or radius in [generate]."""
        from wavefold.topology import get_lattice_class

        generate = self.config.generate
        size, radius, wraps = self.size(tiles), generate.radius, generate.wrap
        grid = get_lattice_class(tiles.topology)
        with self.at("generate", "size" if radius is None else "radius"):
            if radius is not None:
                return grid.of_radius(radius, wraps=wraps)
            if len(size) > len(grid.axes):
                raise ConfigError(
                    f"{tiles.topology} cells have no layers: write size as cells across x cells down"
                )
            return grid.of_size(*size, *(1 for _ in grid.axes[len(size) :]), wraps=wraps)

    def parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """Keyword arguments of `wf.generate`; `budget` and `diagnostics` only if they are set."""
        given = {"budget": self.budget, "diagnostics": self.config.generate.diagnostics}
        more = {name: value for name, value in given.items() if value}
        parts = self.problem_parts(tiles, topology) | self.solver_parts(tiles, topology)
        return parts | {"refine": self.refine} | more

    @property
    def refine(self) -> int | str:
        """The argument `refine` of `wf.generate`."""
        return False if self.config.generate.refine == "off" else self.config.generate.refine

    def problem_parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """Keyword arguments of `wf.Problem`: `weights`, `masks`, `fields` and constraints, as far as needed.

        With limits in [terrain] there are masks, in which the tiles' own limits are included; without, the
        fields themselves, if there are any.
        """
        from wavefold.config.build import build_masks, build_weights

        made = {"weights": build_weights(self, tiles, topology), "masks": build_masks(self, tiles, topology)}
        parts: dict[str, Any] = {name: part for name, part in made.items() if part is not None}
        if self.fields.names and "masks" not in parts:
            parts["fields"] = self.fields
        generate = self.config.generate
        if generate.constraints:
            from wavefold.constraints.tables import build_constraint

            parts["constraints"] = tuple(map(build_constraint, generate.constraints))
        if not generate.own_constraints:
            parts["own_constraints"] = False
        return parts

    def driving(
        self, tiles: TileSet | Rules, sources: Mapping[str, FieldLike | Source] | None = None
    ) -> Fields | None:
        """The fields for `wf.World`, with the limits and weights of the configuration; None without any.

        `sources`, such as a preset, replace those of [fields].
        """
        from wavefold.config.build import build_driving_fields

        return build_driving_fields(self, tiles, sources)

    def solver_parts(self, tiles: TileSet | Rules, topology: Topology) -> dict[str, Any]:
        """Keyword arguments of `wf.Solver`."""
        from wavefold.config.build import build_heuristics

        generate = self.config.generate
        return {
            "seed": generate.seed,
            **build_heuristics(self, tiles, topology),
            "propagation": generate.propagation,
            "search": self.search,
            "undo": generate.undo,
        }

    def picture_parts(self) -> dict[str, Any]:
        """Keyword arguments of `solution.image`; a renderer of a plugin need not have `objects`."""
        parts = dict(self.config.picture)
        return {name: value for name, value in parts.items() if name != "objects" or not value}

    @cached_property
    def budget(self) -> Budget | None:
        """The limits, or None if none are set: `wf.generate` has its own default."""
        from wavefold.solver import Budget

        limits = dict(self.config.budget)
        return None if set(limits.values()) == {None} else Budget(**limits)

    @cached_property
    def search(self) -> str | Ladder:
        """The name of the ladder, or a `Ladder` if one of its options was changed."""
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
        """The source of each field, by name."""
        from wavefold.config.build import build_sources

        return build_sources(self.config.fields, self.at, self.path)

    def path(self, text: str, *path: str) -> Path:
        """Resolve a path given as a value: in a file, it is relative to the folder of that file."""
        if self.file is not None and self.origin(*path).rank == 1:
            return self.file.path.parent / text
        return Path(text)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Prefix errors with the origin of the value at `path`."""
        try:
            yield
        except WavefoldError as error:
            place = self.origin(*path).place
            raise ConfigError().put_behind(place, error) from error


def is_picture(name: str) -> bool:
    """Whether this is a picture or the name of a sample to learn from, not a tile set."""
    from wavefold.tiles.learning.samples import is_sample

    if is_offered("tileset", name):
        return False
    return is_sample(name) or Path(name).suffix.lower() in PICTURES


def format_toml(value: Any) -> str:
    """A value in TOML, on one line; floats stay floats."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(format_toml(each) for each in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{format_key(name)} = {format_toml(each)}" for name, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return format_value(value)


def without_infinities(value: Any) -> Any:
    """A copy with text instead of infinities, which JSON does not have."""
    if isinstance(value, dict):
        return {name: without_infinities(each) for name, each in value.items()}
    if isinstance(value, list):
        return [without_infinities(each) for each in value]
    return str(value) if isinstance(value, float) and isinf(value) else value
