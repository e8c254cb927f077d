"""The legend of a picture: what its marks mean, in a strip below it."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from wavefold.render.marks import MARK
from wavefold.render.sheet import GAP, PAPER, draw_caption

WIDE = 700  # pixels for which letters of one size are enough
BOX = 12
GROUND = (126, 170, 92, 255)  # a meadow of middle height
CHANGED = (255, 205, 40, 255)


def add_legend(
    image: Image.Image,
    changed: int | None,
    dropped: int | None,
    shades: Sequence[tuple[int, int, int, int]] = (),
) -> Image.Image:
    """The picture with a strip below it; a count of None means that there are no such marks."""
    parts: list[Image.Image] = []
    if changed is not None:
        parts.append(draw_entry([CHANGED], f"{changed:,} changed"))
    if dropped is not None:
        parts.append(draw_entry([MARK], f"{dropped:,} dropped"))
    if shades:
        parts.append(draw_entry([blend(GROUND, shade) for shade in shades], "low to high"))
    if not parts:
        return image
    scale = max(1, image.width // WIDE)
    rows = wrap_entries(parts, max(1, image.width // scale - GAP))
    height = sum(max(part.height for part in row) + GAP // 2 for row in rows) + GAP // 2
    strip = Image.new("RGBA", (-(-image.width // scale), height), PAPER)
    top = GAP // 2
    for row in rows:
        left = GAP // 2
        for part in row:
            strip.alpha_composite(part, (left, top))
            left += part.width + 2 * GAP
        top += max(part.height for part in row) + GAP // 2
    strip = strip.resize((strip.width * scale, strip.height * scale), Image.Resampling.NEAREST)
    page = Image.new("RGBA", (max(image.width, strip.width), image.height + strip.height))
    page.alpha_composite(image)
    page.alpha_composite(strip, (0, image.height))
    return page


def wrap_entries(parts: Sequence[Image.Image], width: int) -> list[list[Image.Image]]:
    """Arrange entries in rows at most this wide."""
    rows: list[list[Image.Image]] = [[]]
    taken = 0
    for part in parts:
        if rows[-1] and taken + part.width > width:
            rows.append([])
            taken = 0
        rows[-1].append(part)
        taken += part.width + 2 * GAP
    return rows


def draw_entry(colours: Sequence[tuple[int, int, int, int]], words: str) -> Image.Image:
    """Squares of these colours, and the words beside them."""
    text = draw_caption(words)
    across = BOX * len(colours)
    image = Image.new("RGBA", (across + 6 + text.width, max(BOX + 4, text.height)))
    pen = ImageDraw.Draw(image)
    for number, colour in enumerate(colours):
        pen.rectangle((number * BOX, 3, number * BOX + BOX - 1, BOX + 2), fill=colour)
    pen.rectangle((0, 3, across - 1, BOX + 2), outline=(60, 60, 66, 255))
    image.alpha_composite(text, (across + 6, 0))
    return image


def blend(ground: Sequence[int], veil: Sequence[int]) -> tuple[int, int, int, int]:
    """The colour `ground` seen through the colour `veil`."""
    share = veil[3] / 255
    red, green, blue = (
        round(below * (1 - share) + above * share) for below, above in zip(ground[:3], veil[:3], strict=True)
    )
    return red, green, blue, 255
