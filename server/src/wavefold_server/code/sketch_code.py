"""A sketch as code: the sample is learned from a picture, which comes with the code."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from wavefold.topology import SquareGrid
from wavefold_server.code.map_code import PICTURE, write_refine
from wavefold_server.code.models import CodeAnswer
from wavefold_server.code.python_text import write_call, write_grid, write_program, write_value
from wavefold_server.sketches.models import SketchRequest

SAMPLE, TILES = "sample.png", "picture.zip"


def write_sketch(request: SketchRequest, banned: Sequence[int]) -> CodeAnswer:
    """The map of a sample as code, without banned patterns."""
    n = min(request.n, request.sample.width, request.sample.height)
    refine = "auto" if request.refine else False
    learning = [f"n={n}", f"symmetry={write_value(request.symmetry)}"]
    learning += [f"periodic={request.periodic}", f"ground={request.ground}"]
    grid = SquareGrid(request.width, request.height, wraps=request.wraps)
    lines = [write_call("tiles = wf.learn", [f'"{SAMPLE}"', *learning])]
    lines += [f"tiles = tiles.without_patterns({list(banned)})"] if banned else []
    lines.append(f"grid = {write_grid(grid)}")
    how = [f"seed={request.seed}", f"refine={write_value(refine)}"]
    lines += [write_call("solution = wf.generate", ["tiles", "grid", *how]), f'solution.save("{PICTURE}")']
    source = TILES if banned else SAMPLE  # no option leaves out patterns
    words = ["wavefold", "generate", source]
    if not banned:
        words += ["--n", str(n), "--symmetry", str(request.symmetry)]
        words += ["--periodic" if request.periodic else "--open", *(["--ground"] if request.ground else [])]
    words += ["--size", f"{request.width}x{request.height}", *(["--wrap"] if request.wraps else [])]
    words += ["--seed", str(request.seed), *write_refine(refine), "-o", PICTURE]
    return CodeAnswer(
        python=write_program(lines),
        command=shlex.join(words),
        python_needs=SAMPLE,
        command_needs=source,
    )
