"""A map in the terminal: coloured half blocks for eyes, letters for pipes."""

from __future__ import annotations

import string
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

import numpy as np
import typer

import wavefold as wf

__all__ = ["letters", "show"]

ALPHABET = string.ascii_letters + string.digits
MOST_PIXELS_PER_CELL = 6


def show(solution: wf.Solution) -> None:
    """Colours if somebody is looking, letters if something is reading."""
    if sys.stdout.isatty():
        show_colours(solution)
    else:
        for line in as_letters(solution):
            typer.echo(line)


def show_colours(solution: wf.Solution) -> None:
    """Two pixels to a character: the upper half in the text colour, the lower half in the background."""
    from rich.console import Console
    from rich.text import Text

    from wavefold.render.pictures import fitted

    width = get_terminal_size().columns
    cells_across = solution.image(tile_size=1).width
    image = solution.image(tile_size=min(MOST_PIXELS_PER_CELL, max(1, width // cells_across)))
    if image.width > width:
        image = fitted(image, width, max(1, image.height * width // image.width))
    pixels = np.asarray(image.convert("RGB"))
    if len(pixels) % 2:
        pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
    console = Console(width=width)
    for upper, lower in zip(pixels[::2].tolist(), pixels[1::2].tolist(), strict=True):
        line = Text(no_wrap=True)
        for top, bottom in zip(upper, lower, strict=True):
            line.append("▀", "rgb({},{},{}) on rgb({},{},{})".format(*top, *bottom))
        console.print(line)


def as_letters(solution: wf.Solution) -> list[str]:
    """The map as lines of text, one letter per cell; layers are parted by an empty line."""
    rules = solution.problem.rules
    signs = np.array([*letters(rules.tiles), " "])
    tiles = np.append(rules.tile_of, len(rules.tiles))[solution.array]
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
