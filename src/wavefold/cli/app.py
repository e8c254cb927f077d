"""The commands, what they are called with, and how they end.

Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from wavefold._version import __version__
from wavefold.errors import Contradiction, OutOfBudget, TileSetWarning, WavefoldError

__all__ = ["app", "main"]

IMPOSSIBLE, WRONG, OUT_OF_BUDGET, INTERRUPTED = 1, 2, 3, 130

# What is wrong with a command line; Typer does not export the root of its own errors.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="wavefold",
    help="Grow maps from tiles: Wave Function Collapse at native speed.",
    epilog="Example: wavefold generate meadow --size 60x34 --seed 7 -o map.png",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever goes wrong becomes one sentence on stderr and an exit code."""
    try:
        with warnings_told():
            code: int = app(args=arguments, prog_name="wavefold", standalone_mode=False) or 0
    except UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        if message:  # none after a bare `wavefold`, which shows its help
            complain(f"{message.rstrip('.')}; see wavefold --help")
        return WRONG
    except WavefoldError as error:
        complain(str(error))
        return exit_code(error)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        complain("there is not enough memory for this; try a smaller --size")
        return WRONG
    if code == INTERRUPTED:
        complain("interrupted; nothing was written")
    return code


def complain(message: str) -> None:
    typer.echo(f"wavefold: {message}", err=True)


@contextmanager
def warnings_told() -> Iterator[None]:
    """What looks like a mistake in a tile set is a sentence on stderr, too, and told once."""
    told: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, TileSetWarning):
                usual(message, category, *where, **more)
            elif str(message) not in told:
                told.add(str(message))
                complain(f"warning: {message}")

        warnings.simplefilter("always", TileSetWarning)
        warnings.showwarning = tell
        yield


def exit_code(error: WavefoldError) -> int:
    """Impossible and gave up are different answers; all the rest is something to correct."""
    if isinstance(error, Contradiction):
        return IMPOSSIBLE
    return OUT_OF_BUDGET if isinstance(error, OutOfBudget) else WRONG


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wavefold {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """What stands before the command."""


@app.command(epilog="Example: wavefold generate pipes --size 48x32 --seed 7 -o map.png")
def generate(
    tileset: Annotated[
        str, typer.Argument(help="A name that `wavefold tilesets` lists.", show_default=False)
    ],
    size: Annotated[str, typer.Option(help="Cells across x cells down (x layers, for cubes).")] = "64x64",
    seed: Annotated[int, typer.Option(help="Same seed, same map, on every machine.")] = 0,
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Join opposite edges: the map tiles the plane.")
    ] = False,
    order: Annotated[
        str, typer.Option(help="Which cell next: auto, entropy, domain, scanline, spiral or random.")
    ] = "auto",
    search: Annotated[
        str,
        typer.Option(
            help="What to do in a dead end: auto, backtrack, backjump, repair, restart, exact or sat."
        ),
    ] = "auto",
    budget: Annotated[
        int | None, typer.Option(min=0, help="Give up after this many decisions.", show_default="generous")
    ] = None,
    tile_size: Annotated[
        int | None, typer.Option(min=1, help="Pixels across a cell.", show_default="those of the tiles")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The picture to write (.png).", show_default="draw in the terminal"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Grow one map, and write a picture of it or draw it in the terminal."""
    from wavefold.cli.generate import Request, grow

    grow(Request(tileset, size, seed, wrap, order, search, budget, tile_size, output, as_json))


@app.command(
    epilog="Example: wavefold audit medieval --html audit.html\n\n"
    "Exit codes: 0 the audit is done; 1 it proved that no map can be made; 2 wrong usage or bad input."
)
def audit(
    tileset: Annotated[
        str,
        typer.Argument(
            help="A name that `wavefold tilesets` lists, a tile set file, or a picture to learn from.",
            show_default=False,
        ),
    ],
    deep: Annotated[bool, typer.Option("--deep", help="More maps and larger ones; takes longer.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    page: Annotated[
        Path | None,
        typer.Option("--html", help="Write one page with pictures, too (.html).", show_default=False),
    ] = None,
    subset: Annotated[
        str | None, typer.Option(help="Only this subset of an mxgmn .xml file.", show_default="all tiles")
    ] = None,
    n: Annotated[int, typer.Option("--n", help="Cells across a window, for pictures.")] = 3,
) -> None:
    """Tell what a tile set can and cannot do: dead ends, corners nothing fits, endless maps, advice."""
    from wavefold.cli.audit import Request, examine

    raise typer.Exit(examine(Request(tileset, deep, subset, n, page, as_json)))


@app.command(epilog="Example: wavefold tilesets --thumbnails pictures")
def tilesets(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    samples: Annotated[
        bool, typer.Option("--samples", help="List the pictures to learn from instead.")
    ] = False,
    thumbnails: Annotated[
        Path | None,
        typer.Option(
            help="A folder for a small map of each, NAME.png; made if need be.", show_default="no pictures"
        ),
    ] = None,
) -> None:
    """List the tile sets that can be used by name."""
    from wavefold.cli.listing import list_samples, list_tilesets

    (list_samples if samples else list_tilesets)(as_json, thumbnails)


@app.command(epilog="Example: wavefold bench --quick --json bench.json")
def bench(
    against: Annotated[
        str | None, typer.Option(help="A folder of reference kernels to compare with.", show_default=False)
    ] = None,
    output: Annotated[str, typer.Option("--json", help="Where to write the figures.")] = "bench.json",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and repetitions.")] = False,
) -> None:
    """Measure the speed of this machine's solver and write the figures."""
    from wavefold.bench import main as measure

    raise typer.Exit(measure(against, output, quick))
