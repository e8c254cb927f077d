"""`wavefold learn`: a tile set from pictures or drawn maps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.flags import Flags, declared_flags, pick_section
from wavefold.cli.inputs import note_choices
from wavefold.cli.options import LEARNING, AsJson, TileSetFile, command
from wavefold.cli.outputs import check_ending, print_result, record_written
from wavefold.cli.terminal import note, print_json, show_learning
from wavefold.errors import ConfigError
from wavefold.plugins.map_formats import list_endings

OWN_FLAGS = declared_flags(LEARNING)


@command("Example: wavefold learn islands --n 3 -o islands.toml")
def learn(
    samples: Annotated[
        list[str], typer.Argument(help="Pictures, or names listed by `wavefold tilesets --samples`.")
    ],
    output: TileSetFile = None,
    flags: Flags = OWN_FLAGS,
    adjacency: Annotated[
        bool, typer.Option("--adjacency", help="Learn which cells are adjacent, instead of windows.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn a tile set from pictures or drawn maps, and write it."""
    learning = pick_section(flags, "learn")
    check_ending(output, "a tile set", list_endings("write_tiles"))
    source: Any = samples[0] if len(samples) == 1 else samples
    with show_learning(", ".join(samples)):
        tiles: Any = learn_adjacency(source, learning) if adjacency else wf.learn(source, **learning)
    if not adjacency:
        note_choices(", ".join(samples), tiles, learning)
    if output is not None:
        tiles.save(output)
        record_written(output)
        if has_unsaved_pictures(tiles):
            note(f"note: {output} has the names of the tiles, not their pictures")
    if as_json:
        print_json(collect_data(tiles, samples, output))
        return
    from wavefold.options.values import format_count

    print_result(f"{format_count(len(tiles), 'patterns')} learned from {', '.join(samples)}", aside=False)
    if output is None:
        typer.echo("nothing was written; name a file with -o, such as -o set.toml", err=True)


def learn_adjacency(source: Any, learning: dict[str, Any]) -> Any:
    """Learn cell by cell; refuse options of windows."""
    for name in learning:
        if name != "periodic":
            raise ConfigError(f"--{name} is for windows of pictures; --adjacency learns cell by cell")
    return wf.learn_adjacency(source, **learning)


def has_unsaved_pictures(tiles: Any) -> bool:
    """Whether its values are named tiles with pictures, which a tile set file cannot hold."""
    pairs = zip(tiles.tiles, tiles.values, strict=True)
    return any(tile.picture is not None and isinstance(value, str) for tile, value in pairs)


def collect_data(tiles: Any, samples: list[str], output: Path | None) -> dict[str, Any]:
    """Plain data about the learned tile set."""
    return {
        "samples": samples,
        "output": None if output is None else str(output),
        "patterns": len(tiles),
        "n": tiles.n,
        "symmetry": tiles.symmetry,
        "periodic": tiles.periodic,
        "ground": tiles.ground_pattern is not None,
        "weights": tiles.rules.weights.tolist(),
    }
