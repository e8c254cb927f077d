"""A map in the terminal: coloured half blocks for eyes, letters for pipes."""

from __future__ import annotations

import os
import string
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

import numpy as np
import typer

import wavefold as wf

ALPHABET = string.ascii_letters + string.digits
UNDECIDED = "?"
MOST_PIXELS_PER_CELL = 6


def show(solution: wf.Solution | wf.Partial) -> None:
    """Colours if somebody is looking, letters if something is reading, or colours are not wanted."""
    if wants_colours():
        show_colours(solution)
    else:
        for line in as_letters(solution):
            typer.echo(line)


def wants_colours() -> bool:
    """Whether somebody is looking at a terminal that shows coloured blocks, and wants them."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower()
    return sys.stdout.isatty() and not plain and encoding.startswith("utf")


def show_colours(solution: wf.Solution | wf.Partial) -> None:
    """Two pixels to a character: the upper half in the text colour, the lower half in the background."""
    from rich.console import Console
    from rich.text import Text

    from wavefold.render.tile_pictures import fit_image

    width = get_terminal_size().columns
    cells_across = solution.image(tile_size=1).width
    image = solution.image(tile_size=min(MOST_PIXELS_PER_CELL, max(1, width // cells_across)))
    if image.width > width:
        image = fit_image(image, width, max(1, image.height * width // image.width))
    pixels = np.asarray(image.convert("RGB"))
    if len(pixels) % 2:
        pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
    console = Console(width=width)
    for upper, lower in zip(pixels[::2].tolist(), pixels[1::2].tolist(), strict=True):
        line = Text(no_wrap=True)
        for top, bottom in zip(upper, lower, strict=True):
            line.append("▀", "rgb({},{},{}) on rgb({},{},{})".format(*top, *bottom))
        console.print(line)


def as_letters(solution: wf.Solution | wf.Partial) -> list[str]:
    """The map as lines of text, one letter per cell; layers are parted by an empty line.

    A cell that is not decided yet is a question mark.
    """
    rules, topology = solution.problem.rules, solution.problem.topology
    signs = np.array([*letters(rules.tiles), UNDECIDED, " "])
    numbers = np.append(rules.tile_of, len(rules.tiles))[solution.patterns]  # -1 is the last
    tiles = topology.to_array(numbers, missing=len(rules.tiles) + 1)
    layers = signs[tiles] if tiles.ndim == 3 else signs[tiles][None]
    lines: list[str] = []
    for layer in layers:
        lines += ["", *("".join(row) for row in layer)]
    return lines[1:]


def letters(names: Sequence[str]) -> list[str]:
    """A letter for each tile: the first of its name that is free, or any that is; many tiles share some."""
    free = dict.fromkeys(ALPHABET)
    chosen: dict[str, str] = {}
    for name in sorted(names, key=len):  # the plainest tiles have the shortest names
        wishes = [sign for letter in name for sign in (letter.lower(), letter.upper()) if sign in free]
        chosen[name] = next(iter([*wishes, *free]), name[0])
        free.pop(chosen[name], None)
    return [chosen[name] for name in names]
