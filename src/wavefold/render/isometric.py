"""Pictures of cubes as blocks, seen from the southeast and above.

Blocks are drawn from back to front, the lowest layer first. East is to the right and down, south to the left
and down, two pixels aside for one down.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.render.canvas import Canvas, Face, NumberBox
from wavefold.render.cell_looks import NOTHING, CellLooks, Tint
from wavefold.render.tile_pictures import (
    FLAT_SIZE,
    Pixels,
    choose_plain_colour,
    find_tile_picture,
    list_tile_pictures,
    orient_picture,
)
from wavefold.solver.problem import Problem
from wavefold.topology import CubeGrid

Field = NDArray[np.float64]  # [row, column]
TOP, EAST, SOUTH = range(3)  # the visible faces
LIGHT = np.array([1.0, 0.62, 0.82])  # [face]
PIXELS_PER_VOXEL = 4  # across
UNDECIDED_OPACITY = 80  # blocks behind undecided ones stay visible


class BlockCanvas(Canvas):
    """A grid of blocks, drawn from back to front without hidden blocks."""

    shows_objects = False  # they would cover blocks in front of them

    def __init__(self, problem: Problem, size: int) -> None:
        super().__init__(problem, size)
        topology = problem.topology
        assert isinstance(topology, CubeGrid)
        half = max(1, size // 2)
        x, y, z = topology.coordinates.astype(np.int64).T
        left = half * (x - y + topology.height - 1)
        top = half * (x + y) // 2 - half * (z - topology.depth + 1)
        around = half * (topology.width + topology.height)
        self.width, self.height = around, (around + 1) // 2 + half * topology.depth
        self.stamp_size = (2 * half, 2 * half)
        self.positions = np.stack([left, top], axis=1)
        self.sequence = np.lexsort((x, y, z))  # the viewer is above, to the south and east
        north, east, west = (half, 0.0), (2 * half, half / 2), (0.0, half / 2)
        south, deep = (half, half), (half, 2 * half)
        low_east, low_west = (2 * half, half * 3 / 2), (0.0, half * 3 / 2)
        self.outline = (north, east, low_east, deep, low_west, west)
        self._faces = (
            Face((north, east, south, west), LIGHT[TOP]),
            Face((east, low_east, deep, south), LIGHT[EAST]),
            Face((south, deep, low_west, west), LIGHT[SOUTH]),
        )
        self.number_box = NumberBox(0, 0, 0, 0)  # numbers would be illegible on transparent blocks
        self.projection = BlockProjection.of(half)

    @staticmethod
    def find_natural_size(problem: Problem) -> int:
        """The size at which the widest picture, on top of a block, or model keeps all details."""
        widths = (
            picture.pixels.shape[-2] * (PIXELS_PER_VOXEL if picture.pixels.ndim == 4 else 2)
            for picture in list_tile_pictures(problem)
        )
        return max(widths, default=2 * FLAT_SIZE)

    def faces(self) -> tuple[Face, ...]:
        return self._faces

    def tint(self, look: int) -> Tint:
        tint = super().tint(look)
        return Tint((*tint.colour[:3], UNDECIDED_OPACITY)) if tint.left else tint

    def draw_pattern(self, pattern: int) -> Image.Image | None:
        return self.projection.render(draw_block_picture(self.problem, pattern))

    def draw_colour(self, colour: tuple[int, ...]) -> Image.Image | None:
        return self.projection.render(make_single_pixel(colour))

    def hide_covered(self, looks: CellLooks) -> CellLooks:
        used = np.unique(looks).tolist()
        solid = np.isin(looks, [look for look in used if self.projection.is_filled(self.stamp(look))])
        topology = self.problem.topology
        assert isinstance(topology, CubeGrid)
        return np.where(find_buried(topology, solid), NOTHING, looks)


def find_buried(topology: CubeGrid, solid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool [cell]: whether solid blocks above, to the south and to the east hide it."""
    box = topology.to_array(solid, missing=False)
    hidden = np.zeros_like(box)
    hidden[:-1, :-1, :-1] = box[1:, :-1, :-1] & box[:-1, 1:, :-1] & box[:-1, :-1, 1:]
    x, y, z = topology.coordinates.T
    return np.asarray(hidden[z, y, x])


def draw_block_picture(problem: Problem, pattern: int) -> Pixels:
    """The picture or model of a pattern, in its orientation."""
    picture = find_tile_picture(problem, pattern)
    return (
        make_single_pixel(choose_plain_colour(problem, pattern))
        if picture is None
        else orient_picture(picture)
    )


def make_single_pixel(colour: object) -> Pixels:
    """Make a picture of one pixel."""
    return np.array([[colour]], np.uint8)


class BlockProjection(NamedTuple):
    """The line of sight through each pixel of a stamp, into a block of size 1.

    On a line, x = z + right and y = z + left, and z decreases from `enters`.
    """

    right: Field
    left: Field
    enters: Field
    face: NDArray[np.int64]  # the face through which the line enters
    hits: NDArray[np.bool_]  # whether the line hits the block

    @classmethod
    def of(cls, half: int) -> BlockProjection:
        """Make the projection for stamps of 2 x `half` pixels."""
        down, aside = np.mgrid[: 2 * half, : 2 * half] + 0.5
        across, depth = (aside - half) / half, (down - half) / half  # x - y, and (x + y) / 2 - z
        right, left = depth + across / 2, depth - across / 2
        faces = np.stack([np.ones_like(right), 1 - right, 1 - left])
        enters = faces.min(axis=0)
        leaves = np.maximum(0, np.maximum(-right, -left))
        return cls(right, left, enters, faces.argmin(axis=0), enters > leaves)

    def render(self, block: Pixels) -> Image.Image | None:
        """Draw the stamp of a block: a picture on each face, or a voxel model; None if it is invisible."""
        if not block[..., 3].any():
            return None
        return Image.fromarray(self.render_model(block) if block.ndim == 4 else self.render_picture(block))

    def is_filled(self, stamp: Image.Image | None) -> bool:
        """Whether a stamp hides everything behind it."""
        return stamp is not None and bool((np.asarray(stamp)[self.hits, 3] == 255).all())

    def render_picture(self, picture: Pixels) -> Pixels:
        """Draw a solid block with the picture on each face."""
        z = self.enters
        x, y = z + self.right, z + self.left
        rows, columns = picture.shape[:2]
        from_left = np.choose(self.face, [x, 1 - y, x])
        from_top = np.choose(self.face, [y, 1 - z, 1 - z])
        row = np.clip((from_top * rows).astype(int), 0, rows - 1)
        column = np.clip((from_left * columns).astype(int), 0, columns - 1)
        seen = picture[row, column].astype(np.float64)
        seen[..., :3] *= LIGHT[self.face][..., None]
        seen[~self.hits] = 0
        return np.asarray(seen.round(), np.uint8)

    def render_model(self, model: Pixels) -> Pixels:
        """Draw a voxel model: follow each line from voxel to voxel until it is opaque."""
        layers, rows, columns = model.shape[:3]
        spans = np.array([layers, columns, rows])[:, None, None]
        way = np.stack([np.zeros_like(self.right), self.right, self.left])  # z, x, y less z
        place = np.minimum((self.enters + way) * spans - 1e-9, spans - 1e-9)
        voxel = np.maximum(np.floor(place), 0).astype(int)
        face, on = self.face.copy(), self.hits.copy()
        light, through = np.zeros((*on.shape, 3)), on.astype(np.float64)
        while on.any():
            z, x, y = np.clip(voxel, 0, spans - 1)
            colour = model[z, y, x]
            opacity = np.where(on, colour[..., 3] / 255, 0) * through
            light += colour[..., :3] * (LIGHT[face] * opacity)[..., None]
            through -= opacity
            face = (voxel / spans - way).argmax(axis=0)  # the next border on the line
            np.put_along_axis(voxel, face[None], np.take_along_axis(voxel, face[None], axis=0) - 1, axis=0)
            on &= (voxel >= 0).all(axis=0) & (through > 1e-3)
        opacity = np.where(self.hits, 1 - through, 0)
        seen = np.zeros((*on.shape, 4))
        seen[..., :3] = light / np.maximum(opacity, 1e-3)[..., None]
        seen[..., 3] = opacity * 255
        return np.asarray(seen.round().clip(0, 255), np.uint8)
