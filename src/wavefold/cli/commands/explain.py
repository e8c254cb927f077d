"""`wavefold explain`: the reason why a map is impossible, in words and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli import options as cli
from wavefold.cli.constraint_options import CONSTRAINTS
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.inputs import LoadedProblem, ProblemFlags
from wavefold.cli.outputs import check_distinct, check_ending, check_writing, write_map
from wavefold.cli.terminal import print_json
from wavefold.options.groups import GenerateOptions
from wavefold.storage.files import collect_reads

OWN_FLAGS = declared_flags(
    (GenerateOptions, "size radius wrap pin own_constraints"), cli.LEARNING, cli.SUBSET
)


@cli.command(
    "Example: wavefold explain pipes --size 8x8 --pin 0,0=lamp --pin 1,0=cross -o why.png",
    "Exit codes: 0 a map exists; 1 impossible, and this is why; 2 wrong usage or bad input; "
    "3 not decided within the limit of the search.",
)
def explain(
    tileset: cli.TileSetName = None,
    flags: Flags = OWN_FLAGS,
    pin: cli.Pins = None,
    config: cli.ConfigFile = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A picture of the conflict (.png or .svg).")
    ] = None,
    as_json: cli.AsJson = False,
    constraints: Any = CONSTRAINTS,
) -> None:
    """Explain why a map is impossible: which pins, masks, limits and constraints contradict each other."""
    check_ending(output, "a picture of a conflict", (".png", ".svg"))
    with collect_reads() as inputs:
        loaded = LoadedProblem.load(
            ProblemFlags(tileset, flags, tuple(pin or ()), config, constraints=tuple(constraints))
        )
    if output is not None:
        check_distinct([output], (0,), inputs)
        check_writing(loaded.problem, [output], options=loaded.picture_options)
    solver = loaded.solver(0)
    explanation = solver.explain()
    if output is not None:
        cells = sorted({cell for cell in explanation.cells if cell >= 0})
        extra = {"show": "entropy", "conflicts": cells}
        write_map(solver.partial(), output, 0, loaded.picture_options, extra)
    if as_json:
        found = explanation.to_dict(loaded.topology.coordinate)
        print_json(found | {"output": None if output is None else str(output)})
    else:
        typer.echo(str(explanation))
        if output is not None:
            typer.echo(f"{output} — the patterns left to each cell; conflicts are marked")
    raise typer.Exit(choose_exit_code(explanation))


def choose_exit_code(explanation: wf.Explanation) -> int:
    """The exit code: a map exists, impossible, or undecided within the limit of the search."""
    if explanation.contradictory:
        return cli.IMPOSSIBLE
    return 0 if explanation.proved else cli.OUT_OF_BUDGET
