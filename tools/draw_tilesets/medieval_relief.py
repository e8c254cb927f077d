"""The relief of "medieval": grass at every height, slopes, and cliffs.

Light falls from the northwest. The higher, the lighter and warmer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from draw_tilesets.medieval_fields import SIDES, Plot
from draw_tilesets.pixels import Colour, Field, Picture, paint, speckle
from wavefold.tiles.tile import Pattern

Mask = NDArray[np.bool_]

GRASS = np.array(
    [(98, 152, 82), (128, 172, 88), (160, 188, 98), (192, 198, 116), (218, 210, 146)]
)  # by level
ROCK: tuple[Colour, ...] = ((176, 158, 132), (146, 126, 104), (116, 98, 84), (82, 68, 64))
BANDS = 4  # shades from one level to the next


def is_cliff(pattern: Pattern) -> bool:
    """Whether this is a cliff rather than a slope."""
    name = pattern.tile.name
    return max(pattern.heights) > min(pattern.heights) and ("cliff" in name or "coast" in name)


def meadow(ground: Plot, pattern: Pattern, height: Field, salt: int) -> Picture:
    """Grass with lighter and darker blades, on level ground or a slope."""
    grain = grains(ground, salt)
    light = np.where(grain > 0.95, 0.06, 0) - np.where(grain < 0.07, 0.07, 0)
    low, high = min(pattern.heights), max(pattern.heights)
    if is_cliff(pattern):
        height = np.where(height > (low + high) / 2, high, low)
    elif high > low:
        light = light + slope(ground, pattern, height)
    colour = ramp(GRASS, np.round(height * BANDS + (grain - 0.5) * 0.4) / BANDS)
    image = np.full((*height.shape, 4), 255, np.uint8)
    image[..., :3] = np.clip(colour * (1 + light[..., None]), 0, 255).round()
    return image


def ramp(colours: NDArray[np.int64], level: Field) -> Field:
    """[row, column, RGB] a colour for every height."""
    levels = np.arange(len(colours))
    return np.stack([np.interp(level, levels, colours[:, channel]) for channel in range(3)], axis=-1)


def slope(ground: Plot, pattern: Pattern, height: Field) -> Field:
    """Light and shade, as the slope faces."""
    low, high = min(pattern.heights), max(pattern.heights)
    share = (height - low) / (high - low)
    top = next(side for side in range(SIDES) if is_middle(pattern, side, high))
    x, y = ground.towards(top, 1)
    facing = 0.6 * x + 0.8 * y  # 1 towards the light, -1 away from it
    bank = 4 * share * (1 - share)
    light = facing * ((0.09 if facing > 0 else 0.15) + 0.05 * (high - low)) * bank
    return np.asarray(np.round(light * 24) / 24)


def is_middle(pattern: Pattern, side: int, high: int) -> bool:
    """Whether this side and those beside it are high."""
    return all(pattern.heights[(side + step) % SIDES] == high for step in (-1, 0, 1))


def cliff(image: Picture, ground: Plot, pattern: Pattern, height: Field) -> None:
    """The rock face of a cliff: tall where it faces south, low in the north."""
    low, high = min(pattern.heights), max(pattern.heights)
    share = (height - low) / (high - low)
    down, right = np.gradient(share)
    steep = np.maximum(np.hypot(down, right), 1e-6)
    beyond = (0.5 - share) / steep  # pixels from the brink, outwards
    facing = (0.6 * right + 0.8 * down) / steep  # 1 towards the light, -1 away from it
    top = beyond <= 0
    tall = 3 + 3 * (high - low)
    below = np.full(share.shape, np.inf)  # how far under the brink, as one sees it
    for drop in range(tall, 0, -1):
        shifted = np.zeros_like(top)
        shifted[drop:] = top[:-drop]
        below[shifted & ~top] = drop
    # Walls grow from the corners, where the next cell goes on with them.
    reach = tall * np.clip((1 - np.hypot(ground.x, ground.y) / 22) * 4, 0, 1)
    wide = 1.2 + 0.9 * (high - low)
    face = ~top & ((below <= reach) | (beyond < wide))
    shadow = ~top & ~face & ((below <= reach + 2) | (beyond < wide + 1 - 2.5 * np.minimum(facing, 0)))
    lighten(image, shadow, 0.76)
    columns = speckle(64, 3)[0][np.floor(ground.x).astype(int) + 32] + 0.3 * facing
    paint(image, face, ROCK[1])
    paint(image, face & (columns > 0.6), ROCK[0])
    paint(image, face & (columns < 0.25), ROCK[2])
    paint(image, face & ~((below <= reach - 1) | (beyond < wide - 1)), ROCK[3])
    lighten(image, top & (beyond > -1.3), 1.12)


def grains(ground: Plot, salt: int) -> Field:
    """Chance at every pixel."""
    rows, columns = ground.x.shape
    return speckle(max(rows, columns), salt)[:rows, :columns]


def lighten(image: Picture, where: Mask, light: float) -> None:
    """More light on some pixels, or less."""
    image[where, :3] = np.minimum(image[where, :3] * light, 255)
