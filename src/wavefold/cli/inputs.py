"""Inputs of commands: the configuration, a tile set, a grid, pins, and the files they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import wavefold as wf
from wavefold.cli.flags import Flags, pick_section
from wavefold.cli.outputs import check_outputs, check_writing, list_written, print_result, write_map
from wavefold.cli.terminal import note, print_json, show_learning, show_map
from wavefold.errors import ConfigError, suggest
from wavefold.plugins.map_formats import list_endings
from wavefold.plugins.registry import is_offered, load_extension

if TYPE_CHECKING:
    from wavefold.config import Effective
    from wavefold.reports.diagnostics import DiagnosticGroup


ENDING = ".wavefold"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}  # of numbers of bytes


def generate_document(path: Path, flags: dict[str, Any], outputs: Sequence[Path], as_json: bool) -> None:
    """Make the map of a document, and write or show it."""
    from wavefold.config.loading import name_flag

    for name, value in flags.items():
        if value is not None and not name.startswith("picture."):
            raise ConfigError(f"{path} defines its map: leave out {name_flag(name)}")
    options = pick_section(flags, "picture")
    document = load_saved_map(path)
    for each in document.changes:
        note(f"{path}: {each}")
    check_outputs(outputs, 1)
    solution = document.make()
    check_writing(solution.problem, outputs, 1, options)
    for output in outputs:
        write_map(solution, output, solution.seed, options)
    if as_json:
        names = list(solution.problem.rules.names)
        print_json({"seed": solution.seed, "outputs": list_written(), "stats": solution.stats.to_dict(),
                    "names": names, "map": solution.array.tolist()})  # fmt: skip
        return
    if not outputs:
        show_map(solution)
    print_result(f"{document.tiles.name}, seed {solution.seed}: the map of {path}")


def load_saved_map(path: Path) -> Any:
    """The map of a document; raises if the server, which reads documents, is not installed."""
    return load_extension("wavefold.documents", "read", "studio")(path)


def is_document(name: str | None) -> bool:
    """Whether the name of a tile set is that of a document."""
    return name is not None and name.lower().endswith(ENDING)


@dataclass(frozen=True, slots=True)
class ProblemFlags:
    """The arguments of the command line about the problem.

    flags : {key of the configuration: value}, of the flags that were given
    constraints : tables, see `wavefold.constraints.tables`; they add to those of the configuration
    """

    tileset: str | None
    flags: Flags
    pins: tuple[str, ...] = ()
    config: Path | None = None
    memory: str | None = None
    constraints: tuple[dict[str, Any], ...] = ()

    def load_config(self) -> Effective:
        """The configuration, with the flags on top."""
        from wavefold.config import load_config

        return load_config(self.config, flags={"generate.tileset": self.tileset, **self.flags})

    def limit_memory(self) -> AbstractContextManager[None]:
        """Refuse learned rules and maps in this block that need more than `--memory`."""
        return nullcontext() if self.memory is None else wf.limit_memory(parse_bytes(self.memory))


@dataclass(frozen=True, slots=True)
class LoadedProblem:
    """A problem and the configuration for solving it."""

    effective: Effective
    tiles: wf.TileSet
    topology: Any
    problem: wf.Problem
    foreign: wf.DeBroglieConfig | None = (
        None  # the configuration of another program, if the problem comes from one
    )

    @classmethod
    def load(cls, options: ProblemFlags) -> LoadedProblem:
        """Combine the configuration, the flags and the pins."""
        if None not in (options.flags.get("generate.size"), options.flags.get("generate.radius")):
            raise ConfigError("--size and --radius both set the size of the map; give only one of them")
        effective = options.load_config()
        with options.limit_memory():
            foreign = load_foreign(effective)
            tiles = load_configured_tiles(effective, options) if foreign is None else foreign.tiles
            topology = effective.topology(tiles) if foreign is None else choose_grid(effective, foreign)
            if options.memory is not None:
                from wavefold.solver.memory import check_map_memory, count_cells

                check_map_memory(tiles.rules, count_cells(topology))
        pins = parse_pins(options.pins, tiles)
        parts = effective.problem_parts(tiles, topology)
        constraints = list(parts.get("constraints", ()))
        if foreign is not None:
            own = foreign.parts(topology)
            pins = {**own["pins"], **pins}  # type: ignore[dict-item]
            constraints += own["constraints"]
        constraints += build_constraints(options.constraints)
        problem = wf.Problem(tiles, topology, pins, **parts | {"constraints": constraints})
        if parts.get("own_constraints", True):
            note_left_out(tiles, topology)
        return cls(effective, tiles, topology, problem, foreign)

    @property
    def size(self) -> tuple[int, ...]:
        """Columns, rows (and layers) of each map, unless it has a radius."""
        return self.effective.size(self.tiles)

    @property
    def seeds(self) -> range:
        """The seeds of all maps to make."""
        generate = self.effective.config.generate
        return range(generate.seed, generate.seed + generate.maps)

    def solver(self, seed: int, priors: Mapping[str, int] | None = None) -> wf.Solver:
        """A solver with the options of the configuration; `priors` are counts of earlier maps."""
        parts = self.effective.solver_parts(self.tiles, self.topology)
        if priors:
            parts["order"] = add_priors(parts["order"], self.problem, priors)
        return wf.Solver(self.problem, **parts | {"seed": seed})

    def count_sweeps(self, has_priors: bool = False) -> tuple[int, str]:
        """The number of sweeps for each map, and why there are none by default."""
        from wavefold.solver.refine.refine import count_sweeps

        parts = self.effective.solver_parts(self.tiles, self.topology)
        has_custom_order = parts["order"] != "auto" or "choice" in parts or has_priors
        return count_sweeps(self.effective.refine, self.problem, has_custom_order)

    @property
    def budget(self) -> wf.Budget:
        """The configured limits, or the default ones."""
        return self.effective.budget or wf.default_budget(self.problem.cell_count)

    def open_diagnostics(self) -> AbstractContextManager[DiagnosticGroup]:
        """The configured diagnostics, which are closed at the end."""
        from wavefold.reports.diagnostics import open_diagnostics

        return open_diagnostics(self.effective.config.generate.diagnostics)

    @property
    def picture_options(self) -> dict[str, Any]:
        """The configured options of pictures; the renderer has defaults for the others."""
        parts = self.effective.picture_parts()
        return {name: value for name, value in parts.items() if value is not None}


def build_constraints(tables: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The constraints of the tables that `read_flags` returns."""
    from wavefold.constraints.tables import build_constraint

    return [build_constraint(each) for each in tables]


def add_priors(order: Any, problem: wf.Problem, priors: Mapping[str, int]) -> wf.Heuristics:
    """Heuristics of this order, with counts of earlier maps."""
    from wavefold.solver.search.auto_order import find_auto_order

    return replace(
        wf.Heuristics.of(find_auto_order(problem.rules) if order == "auto" else order), priors=dict(priors)
    )


# --- tile sets ------------------------------------------------------------------------------------


def load_configured_tiles(effective: Effective, options: ProblemFlags) -> wf.TileSet:
    """Load the tile set that the command line or the configuration names; learn it if it is a picture."""
    from wavefold.config.effective import is_picture

    generate = effective.config.generate
    name = generate.tileset
    flags = [path[1] for path, origin in effective.origins.items() if path[0] == "learn" and origin.rank == 3]
    check_learning(name, flags)
    if name is not None and options.tileset is not None:
        return load_tiles(name, effective.learn_parts() if is_picture(name) else {}, generate.subset)
    with show_learning(str(name)):
        tiles = effective.tiles()
    note_choices(str(name), tiles, effective.learn_parts())
    return tiles


def load_foreign(effective: Effective) -> wf.DeBroglieConfig | None:
    """The configuration of DeBroglie that the command line or the configuration names as its tile set."""
    name = effective.config.generate.tileset
    if name is None or PurePath(name).suffix.lower() != ".json":
        return None
    flags = [path[1] for path, origin in effective.origins.items() if path[0] == "learn" and origin.rank == 3]
    check_learning(name, flags)
    return wf.read_debroglie(name)


def choose_grid(effective: Effective, foreign: wf.DeBroglieConfig) -> Any:
    """The grid of a DeBroglie configuration, unless flags or our configuration override it."""
    from wavefold.config.sources import DEFAULT

    generate = effective.config.generate
    if effective.origin("generate", "wrap") is not DEFAULT or generate.radius is not None:
        return effective.topology(foreign.tiles)
    if generate.size is None:
        return foreign.topology
    size = effective.topology(foreign.tiles).shape or ()
    return type(foreign.topology).of_size(*size[::-1], wraps=foreign.topology.wraps)


def load_named_tiles(name: str, flags: Flags) -> wf.TileSet:
    """Load tiles as the flags say; of the configuration, only [learn] applies."""
    from wavefold.config import load_config
    from wavefold.config.effective import is_picture

    learning = pick_section(flags, "learn")
    check_learning(name, learning)
    if is_picture(name):
        learning = load_config(None, flags={f"learn.{key}": learning[key] for key in learning}).learn_parts()
    return load_tiles(name, learning, flags.get("generate.subset"))


def check_learning(name: str | None, flags: Iterable[Any]) -> None:
    """Raise if flags about learning were given for a tile set that is not learned."""
    from wavefold.config.effective import is_picture

    for flag in flags:
        if name is None or not is_picture(name):
            raise ConfigError(f"--{flag} is for pictures to learn from; this is a tile set")


def load_tiles(name: str, learning: Mapping[str, Any] = {}, subset: str | None = None) -> wf.TileSet:
    """Load a tile set by name or from a file, or learn one from a picture or a named sample.

    learning : keyword arguments of `wf.learn`
    """
    from wavefold.config.effective import is_picture

    check_learning(name, learning)
    if subset is not None and PurePath(name).suffix.lower() != ".xml":
        raise ConfigError(f"--subset is for mxgmn's .xml files; {name!r} has no subsets")
    if is_picture(name):
        with show_learning(name):
            tiles = wf.learn(name, **learning)
        note_choices(name, tiles, learning)
        return tiles
    if not is_offered("tileset", name) and not PurePath(name).suffix:
        hint, endings = suggest(name, [*wf.tilesets(), *wf.samples()]), ", ".join(list_endings("read_tiles"))
        stop = "" if hint.endswith("?") else "."
        raise ConfigError(f"there is no tile set or sample {name!r}; {hint}{stop} Files end in {endings}")
    return wf.TileSet.load(name, **({} if subset is None else {"subset": subset}))


def note_choices(name: str, tiles: wf.TileSet, learning: Mapping[str, Any]) -> None:
    """Print the scale found in a picture, and the chosen symmetry, if these were not given."""
    from wavefold.tiles import LearnedTileSet
    from wavefold.tiles.learning.windows import SYMMETRY_DESCRIPTIONS

    given, scale = learning.get("scale"), max(getattr(tiles, "scales", ()), default=1)
    if given in (None, "auto") and scale > 1:
        other = "--scale 1 reads each pixel" if given is None else "--scale sets another size of blocks"
        note(f"{name}: blocks of {scale} x {scale} pixels were read as one; {other}")
    elif given == "auto":
        note(f"{name}: it is not upscaled; --scale sets another size of blocks")
    is_chosen = learning.get("symmetry", "auto") == "auto" and name not in wf.samples()
    if is_chosen and isinstance(tiles, LearnedTileSet) and len(tiles) > 1:
        why = SYMMETRY_DESCRIPTIONS[tiles.symmetry]
        note(f"{name}: {len(tiles):,} patterns, symmetry {tiles.symmetry} ({why}); --symmetry sets another")


def note_left_out(tiles: wf.TileSet, topology: Any) -> None:
    """Print which constraints of a tile set do not apply to this map, such as a border in one that wraps."""
    from wavefold.solver.constraint import describe_constraint
    from wavefold.solver.problem import applies_to

    for each in tiles.constraints:
        if not applies_to(each, topology):
            why = "it does not apply to this map, such as a border to one that wraps"
            note(f"note: {describe_constraint(each)} of the tile set is left out: {why}")


# --- pins and amounts -----------------------------------------------------------------------------


def read_flag(flag: str, value: Any, parse: Callable[[Any], Any]) -> Any:
    """Return the value of a flag as the configuration would parse it; None stays None."""
    try:
        return None if value is None else parse(value)
    except ValueError as error:
        raise ConfigError(f"{flag} {error}, not {value!r}") from None


def parse_pins(texts: Iterable[str], tiles: wf.TileSet) -> dict[tuple[int, ...], Any]:
    """`["3,4=road"]` -> {(3, 4): "road"}; each cell may be named once."""
    pins: dict[tuple[int, ...], Any] = {}
    for text in texts:
        cell, name = parse_pin(text)
        if cell in pins:
            where = ",".join(map(str, cell))
            raise ConfigError(f"--pin {text!r} is a second pin for the cell {where}; keep one")
        pins[cell] = find_value(name, tiles)
    return pins


def find_value(name: str, tiles: wf.TileSet) -> Any:
    """The tile or, in a learned set, the value (such as a colour) that a pin names."""
    rules = tiles.rules
    if rules.values is None or name in rules.patterns_by_name:
        return name
    from wavefold.formats.csv import format_pattern_value
    from wavefold.options.values import parse_colour

    spelled = {spelling: value for value in rules.patterns_by_value for spelling in list_spellings(value)}
    colour = parse_colour(name)
    written = name.replace(" ", "").lower() if colour is None else f"#{colour.hex()}"
    found = spelled.get(written, spelled.get(name))
    if found is None:
        known = [format_pattern_value(value) for value in rules.patterns_by_value]
        raise ConfigError(f"--pin: there is no value {name!r} in the learned set; {suggest(name, known)}")
    return found


def list_spellings(value: Any) -> list[str]:
    """The spellings of a value: colours as #2850c8 or 40,80,200, with or without opacity."""
    if not isinstance(value, tuple):
        return [str(value)]
    ways = [value, value[:3]] if len(value) == 4 and value[3] == 255 else [value]
    if len(value) == 3:
        ways.append((*value, 255))
    is_colour = all(isinstance(each, int) and 0 <= each < 256 for each in value)
    found = [",".join(map(str, way)) for way in ways]
    return [*found, *(f"#{bytes(way).hex()}" for way in ways if is_colour)]


def parse_pin(text: str) -> tuple[tuple[int, ...], str]:
    """`3,4=road` -> ((3, 4), "road")."""
    cell, equals, tile = text.partition("=")
    if not equals or not tile:
        raise ConfigError(f"--pin {text!r} is not a pin: write it as X,Y=TILE, such as 3,4=road")
    return parse_cell(cell, "--pin"), tile


def parse_cell(text: str, flag: str) -> tuple[int, ...]:
    """`3,4` -> (3, 4)."""
    if not re.fullmatch(r"\s*-?\d{1,12}(\s*,\s*-?\d{1,12}){1,2}\s*", text):
        raise ConfigError(f"{flag} {text!r} is not a cell: write it as X,Y (or X,Y,Z for cubes), such as 3,4")
    return tuple(int(part) for part in text.split(","))


def parse_bytes(text: str) -> int:
    """`4GB` -> 4294967296."""
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)i?B?\s*", text, re.IGNORECASE)
    if found is None:
        raise ConfigError(f"--memory {text!r} is not an amount: write 4GB or 500MB, for example")
    amount = int(float(found[1]) * UNITS[found[2].upper()])
    if amount < 1:
        raise ConfigError(f"--memory {text!r} is less than a byte: write 4GB or 500MB, for example")
    return amount
