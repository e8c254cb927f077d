"""Elements of a page: everything that is said is escaped, everything that is shown is inside the file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.auditing.maps import Grid
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import TileSet
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

__all__ = [
    "Markup",
    "card",
    "drawn",
    "element",
    "folded",
    "joined",
    "pattern_image",
    "pattern_picture",
    "picture",
    "pixels",
    "repeated",
    "table",
]

MOST_ACROSS = 900  # pixels of a picture: wider ones are drawn smaller


class Markup(str):
    """Text that is already HTML. Whatever is not of this class is escaped when it becomes part of some."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Markup:
    """<name attribute="…">children</name>. In attributes `_` is a dash, and left out at the end.

    >>> element("p", "1 < 2", class_="sum")
    '<p class="sum">1 &lt; 2</p>'
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{words}>{joined(children)}</{name}>")


def joined(parts: Iterable[object]) -> Markup:
    """One after another."""
    return Markup("".join(part if isinstance(part, Markup) else escape(str(part)) for part in parts))


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], class_: str = "") -> Markup:
    """A table that scrolls by itself if it is too wide. Numbers stand to the right."""
    head = element("tr", *(element("th", heading, scope="col") for heading in headings))
    body = [element("tr", *(table_cell(value) for value in row)) for row in rows]
    content = joined([element("thead", head), element("tbody", *body)])
    return element("div", element("table", content, class_=class_ or None), class_="wide")


def table_cell(value: object) -> Markup:
    if isinstance(value, int | float):
        text = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        return element("td", text, class_="number")
    return element("td", value)


def folded(summary: str, *children: object) -> Markup:
    """What is shown when asked for."""
    return element("details", element("summary", summary), *children)


def card(label: str, value: object, note: str = "", mood: str = "") -> Markup:
    """One figure; its mood is "good", "poor", "bad" or none."""
    small = element("small", note) if note else ""
    return element("div", element("span", label), element("b", value), small, class_=f"card {mood}".rstrip())


# --- pictures -----------------------------------------------------------------------------------


def drawn(tiles: TileSet, grid: Topology, patterns: NDArray[np.int64]) -> Image.Image:
    """A map of these patterns, one per cell; as large as its tiles are, unless that is too large."""
    solution = Solution(Problem(tiles, grid), patterns, Statistics())
    columns = max(grid.shape or (1,))
    most = max(1, MOST_ACROSS // columns)  # pixels across a cell
    if columns == 1 or drawn(tiles, alone(tiles), patterns[:1]).width <= most:
        return solution.image()  # type: ignore[no-any-return]
    return solution.image(tile_size=most)  # type: ignore[no-any-return]


def alone(tiles: TileSet) -> Grid:
    """A single cell."""
    if tiles.topology == "hex":
        return HexGrid(radius=0)
    return SquareGrid(1, 1) if tiles.topology == "square" else CubeGrid(1, 1, 1)


def picture(image: Image.Image, alt: str, width: int | None = None) -> Markup:
    """An <img> that carries its own pixels. `width` is in pixels of the page."""
    sharp = "sharp" if width is not None and image.width < width else None
    style = None if width is None else f"width:{width}px"
    words = {"alt": alt, "src": pixels(image, width), "style": style, "class": sharp}
    given = "".join(f' {key}="{escape(text)}"' for key, text in words.items() if text is not None)
    return Markup(f"<img{given}>")


def pixels(image: Image.Image, width: int | None = None) -> str:
    """The image as an address: a PNG that stands in the page itself."""
    if width is not None and image.width > 2 * width:  # twice as many are enough for any screen
        height = max(1, 2 * width * image.height // image.width)
        image = image.resize((2 * width, height), Image.Resampling.BOX)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode('ascii')}"


def pattern_image(tiles: TileSet, pattern: int) -> Image.Image:
    """One pattern, as it stands in a map."""
    return drawn(tiles, alone(tiles), np.array([pattern], np.int64))


def pattern_picture(tiles: TileSet, pattern: int, width: int = 40) -> Markup:
    return picture(pattern_image(tiles, pattern), tiles.rules.names[pattern], width)


def repeated(tiles: TileSet, base: NDArray[np.int64], least: tuple[int, ...]) -> Image.Image:
    """A base side by side with itself, over at least so many cells; at least two of it each way."""
    spans = [size * max(2, ceil(wanted / size)) for size, wanted in zip(base.shape[::-1], least, strict=True)]
    grid: Grid
    if tiles.topology == "hex":
        grid = HexGrid.rectangle(spans[0], spans[1])
    elif tiles.topology == "square":
        grid = SquareGrid(spans[0], spans[1])
    else:
        grid = CubeGrid(spans[0], spans[1], spans[2])
    places = np.array(grid.coordinates) % np.array(base.shape[::-1])  # columns first
    return drawn(tiles, grid, base[tuple(places.T[::-1])])
