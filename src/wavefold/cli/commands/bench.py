"""`wavefold bench`: how fast the solver is on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from wavefold.cli.options import app


@app.command(epilog="Example: wavefold bench --quick --json bench.json")
def bench(
    against: Annotated[
        str | None, typer.Option(help="A folder of reference kernels to compare with.", show_default=False)
    ] = None,
    output: Annotated[
        str, typer.Option("--json", help="The file for the figures (here --json takes a name).")
    ] = "bench.json",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and repetitions.")] = False,
) -> None:
    """Measure the speed of the solver on this machine, and write the figures."""
    from wavefold.bench import main as run

    raise typer.Exit(run(against, output, quick))
