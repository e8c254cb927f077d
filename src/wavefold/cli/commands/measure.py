"""`wavefold measure`: the looks of maps in figures, each with its value by chance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wavefold as wf
from wavefold.cli import options as cli
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.inputs import LoadedProblem, ProblemFlags, load_tiles
from wavefold.cli.terminal import note, open_console, print_json, print_line, print_table, progress_bar
from wavefold.errors import ConfigError
from wavefold.options.groups import GenerateOptions
from wavefold.plugins.map_formats import list_endings

if TYPE_CHECKING:
    from wavefold.reports.measuring.isotropy import Isotropy

MOST_ROWS = 12
MOST_DIRECTIONS = 5  # kinds of lines listed, the most uneven first
MOST_TILES = 8
OWN_FLAGS = declared_flags(
    (GenerateOptions, "seed size radius wrap order refine tiles"), cli.LEARNING, cli.SUBSET
)


@cli.command(
    "Example: wavefold measure castle --seeds 8 --order scanline",
    "wavefold measure castle --seeds 16 --size 64x64 --refine 60 --json",
)
def measure(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="TILESET|MAP…",
            help="A tile set or picture to make maps of, or finished maps of one tile set.",
        ),
    ],
    seeds: Annotated[int, typer.Option(min=1, help="How many maps to make.")] = 8,
    flags: Flags = OWN_FLAGS,
    tiles: cli.TileSetOfMap = None,
    config: cli.ConfigFile = None,
    as_json: cli.AsJson = False,
) -> None:
    """Measure how faithful, isotropic, repetitive and dull maps are."""
    if any(map(is_map, sources)):
        check_maps(sources, flags)
        maps = [read_finished(source, tiles) for source in sources]
    elif len(sources) > 1:
        raise ConfigError("one tile set is measured at a time; name only one")
    else:
        maps = make_maps(LoadedProblem.load(ProblemFlags(sources[0], flags, config=config)), seeds)
    found = wf.measure(maps)
    if as_json:
        print_json({"sources": sources, **found.to_dict()})
    else:
        print_tables(sources, found)


def is_map(source: str) -> bool:
    """Whether this is a file with a map."""
    return PurePath(source).suffix.lower() in list_endings("read")


def check_maps(sources: Sequence[str], flags: Flags) -> None:
    """Raise if maps are mixed with tile sets, or if flags are only for new maps."""
    other = next((each for each in sources if not is_map(each)), None)
    if other is not None:
        raise ConfigError(f"{other!r} is not a map, but other sources are; measure them separately")
    if flags:
        from wavefold.config.loading import name_flag

        flag = name_flag(next(iter(flags)))
        raise ConfigError(f"{flag} is for new maps; {sources[0]} is a finished map")


def read_finished(source: str, tiles: str | None) -> wf.Solution:
    """A map from a file, as a Solution."""
    drawn = wf.read_map(source, None if tiles is None else load_tiles(tiles))
    if (drawn.patterns < 0).any():
        raise ConfigError(f"{source} has empty cells; complete it with wavefold repair {source} -o FILE")
    return wf.Solution(drawn.problem(), drawn.patterns, wf.Statistics(), drawn.seed or 0)


def make_maps(loaded: LoadedProblem, count: int) -> list[wf.Solution]:
    """Maps with consecutive seeds, made like `wavefold generate` makes them."""
    parts = loaded.effective.parts(loaded.tiles, loaded.topology)
    first = loaded.effective.config.generate.seed
    maps = []
    with progress_bar("maps") as progress:
        for number in range(count):
            if progress is not None:
                progress(number, count)
            maps.append(wf.generate(loaded.tiles, loaded.topology, **parts | {"seed": first + number}))
    refinement = maps[0].stats.refinement
    if refinement is not None and refinement.left_out:
        note(f"the maps were not refined, because {refinement.left_out}")
    return maps


# --- tables ---------------------------------------------------------------------------------------


def print_tables(sources: Sequence[str], found: wf.Measurement) -> None:
    """Print the measurements, and the tiles that are furthest off target."""
    console = open_console()
    names = ", ".join(sources[:3]) + (", …" if len(sources) > 3 else "")
    plural = "map" if found.maps == 1 else "maps"
    print_line(console, f"{names}: {found.maps:,} {plural}, {found.cells:,} cells")
    print_table(
        console, "", ("", "", "measured", "by chance", "ratio"), list_figures(found), 4 * MOST_ROWS, 2
    )
    shares = found.faithfulness.shares
    ranked = sorted(shares, key=lambda name: -abs(shares[name][0] - shares[name][1]))
    rows = [(name, *(f"{share:.1%}" for share in shares[name])) for name in ranked[:MOST_TILES]]
    print_table(console, "", ("furthest off target", "target", "seen"), rows, MOST_ROWS, 1)


def list_figures(found: wf.Measurement) -> list[tuple[str, ...]]:
    """[(property, figure, measured, by chance, ratio)]."""
    faithful, repetition, dull = found.faithfulness, found.repetition, found.dullness
    rows: list[tuple[str, ...]]
    rows = [("faithful", f"tiles against the {faithful.against}", *format_figure(faithful.tiles))]
    if faithful.pairs is not None:
        rows.append(("", f"pairs against the {faithful.against}", *format_figure(faithful.pairs)))
    rows += list_directions(found.isotropy)
    if repetition is not None:
        what = f"windows of {'x'.join(map(str, repetition.size))} cells that occur again"
        by_chance = f"{repetition.expected:.1%} ± {repetition.excess.floor:.1%}"
        rows.append(("repetitive", what, f"{repetition.again:.1%}", by_chance, ""))
    largest = f"largest area, on average; the largest of all: {dull.cells:,} cells of {dull.kind}"
    rows.append(("dull", largest, f"{dull.share:.1%}", f"{dull.shuffled_share:.1%}", ""))
    square = "largest uniform square, cells across"
    rows.append(("", square, f"{dull.square:.1f}", f"{dull.shuffled_square:.1f}", ""))
    for number, each in enumerate(found.straightness):
        what = f"longest of {each.kind}, cells"
        rows.append(("" if number else "straight", what, f"{each.longest:,}", f"{each.by_chance:.0f}", ""))
    return rows


def list_directions(isotropy: Isotropy) -> list[tuple[str, ...]]:
    """The most uneven features, and whether chance explains them."""
    if not isotropy.applicable:
        return [("isotropic", f"not applicable: {isotropy.why_not}", "", "", "")]
    rows = []
    for each in isotropy.counts[:MOST_DIRECTIONS]:
        runs = ", ".join(f"{count:,} {name}" for name, count in each.runs.items())
        rows.append(("", f"{each.title}: {runs}", *format_figure(each.uneven)))
    verdict = "isotropic" if isotropy.holds else "not isotropic"
    return [(verdict, *rows[0][1:]), *rows[1:], ("", isotropy.reason, "", "", "")]


def format_figure(figure: Any) -> tuple[str, str, str]:
    ratio = f"{figure.ratio:.1f}" if figure.floor else ""
    return f"{figure.distance:.3f}", f"{figure.floor:.3f}", ratio
