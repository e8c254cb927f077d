"""Writers of animation files, and palettes for GIF.

The arguments of a writer are frames of one size, a path or an open file, and the duration of each frame in
milliseconds.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import PluginError
from wavefold.storage.files import write_atomically

NO_FFMPEG = 'MP4 needs ffmpeg: pip install "wavefold[export]"; or save as .webp, .gif or .apng'

# All frames of a GIF share a palette, which avoids flicker.
MOST_COLOURS = 255  # index 255 means: unchanged since the previous frame
SAMPLE_PIXELS = 192  # pixels across the frames from which the palette is chosen
MOST_SAMPLES = 8
CHANNEL_WEIGHTS = np.array([2, 4, 3], np.int32)  # how much a difference in red, green and blue matters

Output = str | os.PathLike[str] | IO[bytes]


class FrameSequence(Protocol):
    """Frames of one size that can be iterated more than once."""

    @property
    def size(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Image.Image]: ...


def write_gif(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Write a GIF with one palette and without dithering. Durations are in hundredths of a second."""
    palette = Palette.of(frames, len(frames))
    images = map(palette.apply, frames)
    same_as_before = len(palette.colours)
    options = {"palette": palette.table, "transparency": same_as_before, "optimize": True}
    save_frames(next(images), images, path, "GIF", milliseconds, **options)


def write_apng(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Write an animated PNG; viewers without support show its first frame."""
    first, *images = frames
    save_frames(first, images, path, "PNG", milliseconds)


def write_webp(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Write a lossless WebP, which is smaller than the other formats."""
    images = iter(frames)
    save_frames(next(images), images, path, "WEBP", milliseconds, lossless=True, method=0, quality=30)


def save_frames(
    first: Image.Image,
    images: Iterable[Image.Image],
    path: Output,
    kind: str,
    milliseconds: Sequence[int],
    **options: Any,
) -> None:
    """Write frames with Pillow as an endless loop; `options` are Pillow's for this format."""
    with open_output(path) as file:
        first.save(
            file,
            kind,
            save_all=True,
            append_images=images,
            duration=list(milliseconds),
            loop=0,
            **options,
        )


def write_mp4(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Write an MP4 with ffmpeg. Sides are padded to even lengths; frames are repeated if shown longer."""
    try:
        ffmpeg = import_module("imageio_ffmpeg")
    except ImportError:
        raise PluginError(NO_FFMPEG) from None
    pace = min(milliseconds)
    width, height = frames.size
    even = ((0, height % 2), (0, width % 2), (0, 0))
    size = (width + width % 2, height + height % 2)
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        writer = ffmpeg.write_frames(str(film), size, fps=1000 / pace, macro_block_size=1, quality=8)
        try:
            writer.send(None)
            for frame, shown in zip(frames, milliseconds, strict=True):
                pixels = np.pad(np.asarray(frame), even, mode="edge").tobytes()
                for _ in range(max(1, round(shown / pace))):
                    writer.send(pixels)
            writer.close()
        except OSError as error:
            raise PluginError(f"ffmpeg failed: {str(error).strip().splitlines()[0]}") from error
        with open_output(path) as file:
            file.write(film.read_bytes())


@contextmanager
def open_output(path: Output) -> Iterator[IO[bytes]]:
    """Open a path for atomic writing; yield an open file unchanged."""
    if isinstance(path, str | os.PathLike):
        with write_atomically(path) as file:
            yield file
    else:
        yield path


class Palette:
    """A palette that maps colours to the nearest entry, without dithering, which would flicker."""

    def __init__(self, colours: NDArray[np.uint8]) -> None:
        self.colours = colours  # [number, RGB], distinct
        self._nearest = np.zeros(1 << 24, np.uint16)  # [RGB] 1 + the nearest, or 0 if not computed yet

    @classmethod
    def of(cls, frames: Iterable[Image.Image], count: int) -> Palette:
        """Make a palette of all colours if they fit; otherwise one that suits the last frame best."""
        seen = np.zeros(1 << 24, bool)
        samples = []
        for number, frame in enumerate(frames):
            seen[pack_colours(frame)] = True
            if number * MOST_SAMPLES // count != (number + 1) * MOST_SAMPLES // count:
                samples.append(frame.resize(find_sample_size(frame), Image.Resampling.NEAREST))
        codes = np.flatnonzero(seen)
        if codes.size > MOST_COLOURS:
            return cls(choose_colours([*samples, samples[-1], samples[-1]]))
        return cls(np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8))

    @property
    def table(self) -> bytes:
        """The colours as bytes, followed by one for unchanged pixels."""
        taken = {tuple(colour) for colour in self.colours.tolist()}
        spare = next(colour for blue in range(256) if (colour := (255, 0, blue)) not in taken)
        return self.colours.tobytes() + bytes(spare)

    def apply(self, frame: Image.Image) -> Image.Image:
        """Convert a frame to the nearest colours of the palette."""
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
            distance = ((these[:, None] - colours) ** 2 * CHANNEL_WEIGHTS).sum(axis=-1)
            nearest[start : start + 4096] = distance.argmin(axis=1)
        return nearest


def pack_colours(frame: Image.Image) -> NDArray[np.int32]:
    """int32 [row, column]: each colour as a number."""
    red, green, blue = np.moveaxis(np.asarray(frame).astype(np.int32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue)


def choose_colours(samples: list[Image.Image]) -> NDArray[np.uint8]:
    """uint8 [colour, RGB]: the best colours for these pictures."""
    width, height = samples[0].size
    sheet = Image.new("RGB", (width * len(samples), height))
    for place, sample in enumerate(samples):
        sheet.paste(sample, (place * width, 0))
    found = sheet.quantize(MOST_COLOURS, Image.Quantize.MEDIANCUT, kmeans=1)
    return np.unique(np.array(found.getpalette("RGB"), np.uint8).reshape(-1, 3), axis=0)


def find_sample_size(frame: Image.Image) -> tuple[int, int]:
    share = min(1.0, SAMPLE_PIXELS / max(frame.size))
    return max(1, round(frame.width * share)), max(1, round(frame.height * share))
