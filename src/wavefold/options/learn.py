"""The options of `wf.learn` that files and flags have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from wavefold.options.option import Option, option_group

LARGEST_WINDOW = 5  # cells along a side
MOST_SYMMETRIES = 8
LARGEST_SCALE = 64
MOST_COLOURS = 4096


@option_group("learn")
@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """How a picture is learned: the arguments of `wf.learn`. Bundled samples have values of their own."""

    n: Annotated[int | None, Option("pixels across a window; 3 if not set", low=1, high=LARGEST_WINDOW)] = (
        None
    )
    symmetry: Annotated[
        Literal["auto"] | int | None,
        Option(
            'how many rotated and mirrored copies: `1` as drawn, `2` mirrored, `8` all; `"auto"`, or not '
            "set: by what occurs in the picture",
            low=1,
            high=MOST_SYMMETRIES,
        ),
    ] = None
    periodic: Annotated[
        bool | None, Option("whether the opposite edges of the picture touch; they do if not set")
    ] = None
    ground: Annotated[
        bool | None, Option("whether the bottom row of the picture is ground; it is not if not set")
    ] = None
    scale: Annotated[
        Literal["auto"] | int | None,
        Option(
            'pixels across each drawn pixel of an enlarged picture; `"auto"` finds out; undone where it is '
            "certain if not set",
            low=1,
            high=LARGEST_SCALE,
        ),
    ] = None
    colours: Annotated[
        int | None, Option("reduce the picture to this many of its colours", low=1, high=MOST_COLOURS)
    ] = None
