"""At most 255 colours for all frames of an animation: the same ones throughout, so that nothing flickers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

COLOURS = 255  # one more means: as in the frame before
SAMPLE = 192  # pixels across, of the frames the palette is chosen from
SAMPLES = 8
WEIGHTS = np.array([2, 4, 3], np.int32)  # how much a difference in red, green and blue matters


class Palette:
    """Colours, and the nearest of them to any other. No dithering: its noise would crawl."""

    def __init__(self, colours: NDArray[np.uint8]) -> None:
        self.colours = colours  # [number, RGB], no two alike
        self._nearest = np.zeros(1 << 24, np.uint16)  # [RGB] 1 + the nearest, or 0 if not known yet

    @classmethod
    def of(cls, frames: Iterable[Image.Image], count: int) -> Palette:
        """All colours if they are few; otherwise those that suit the frames best, the last one most."""
        seen = np.zeros(1 << 24, bool)
        samples = []
        for number, frame in enumerate(frames):
            seen[pack_colours(frame)] = True
            if number * SAMPLES // count != (number + 1) * SAMPLES // count:
                samples.append(frame.resize(sample_size(frame), Image.Resampling.NEAREST))
        codes = np.flatnonzero(seen)
        if codes.size > COLOURS:
            return cls(choose_colours([*samples, samples[-1], samples[-1]]))
        return cls(np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8))

    @property
    def table(self) -> bytes:
        """All colours as bytes, and one more that is not among them."""
        taken = {tuple(colour) for colour in self.colours.tolist()}
        spare = next(colour for blue in range(256) if (colour := (255, 0, blue)) not in taken)
        return self.colours.tobytes() + bytes(spare)

    def apply(self, frame: Image.Image) -> Image.Image:
        """The frame in the nearest of these colours."""
        codes = pack_colours(frame)
        found = self._nearest[codes]
        if not found.all():
            unknown = np.unique(codes[found == 0])
            self._nearest[unknown] = 1 + self._search(unknown)
            found = self._nearest[codes]
        image = Image.fromarray((found - 1).astype(np.uint8))
        image.putpalette(self.table)
        return image

    def _search(self, codes: NDArray[np.int32]) -> NDArray[np.uint16]:
        colours = self.colours.astype(np.int32)
        nearest = np.empty(codes.size, np.uint16)
        for start in range(0, codes.size, 4096):
            part = codes[start : start + 4096]
            these = np.stack([part >> 16, part >> 8 & 255, part & 255], axis=-1)
            distance = ((these[:, None] - colours) ** 2 * WEIGHTS).sum(axis=-1)
            nearest[start : start + 4096] = distance.argmin(axis=1)
        return nearest


def pack_colours(frame: Image.Image) -> NDArray[np.int32]:
    """[row, column] colours as one number each."""
    red, green, blue = np.moveaxis(np.asarray(frame).astype(np.int32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue)


def choose_colours(samples: list[Image.Image]) -> NDArray[np.uint8]:
    """[colour, RGB] the best colours for these pictures."""
    width, height = samples[0].size
    sheet = Image.new("RGB", (width * len(samples), height))
    for place, sample in enumerate(samples):
        sheet.paste(sample, (place * width, 0))
    found = sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=1)
    return np.unique(np.array(found.getpalette("RGB"), np.uint8).reshape(-1, 3), axis=0)


def sample_size(frame: Image.Image) -> tuple[int, int]:
    share = min(1.0, SAMPLE / max(frame.size))
    return max(1, round(frame.width * share)), max(1, round(frame.height * share))
