"""Animations as files. A writer gets frames of one size, a path or file, and how long to show each."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Protocol

import numpy as np
from PIL import Image

from wavefold.common.files import write_atomically
from wavefold.errors import PluginError
from wavefold.render.palette import Palette

NO_FFMPEG = 'MP4 needs ffmpeg: pip install "wavefold[export]"; or save as .webp, .gif or .apng'

Output = str | os.PathLike[str] | IO[bytes]


class FrameSequence(Protocol):
    """Frames of one size that can be iterated over more than once."""

    @property
    def size(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Image.Image]: ...


def write_gif(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """One palette for all frames, no dithering. GIF counts in hundredths of a second."""
    palette = Palette.of(frames, len(frames))
    images = (palette.apply(frame) for frame in frames)
    first = next(images)
    same_as_before = len(palette.colours)
    with open_output(path) as file:
        first.save(
            file,
            "GIF",
            save_all=True,
            append_images=images,
            duration=list(milliseconds),
            loop=0,
            palette=palette.table,
            transparency=same_as_before,
            optimize=True,
        )


def write_apng(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """An animated PNG; viewers that do not support it show its first frame."""
    first, *images = frames
    with open_output(path) as file:
        first.save(file, "PNG", save_all=True, append_images=images, duration=list(milliseconds), loop=0)


def write_webp(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Lossless, and smaller than the other formats."""
    images = iter(frames)
    first = next(images)
    with open_output(path) as file:
        first.save(
            file,
            "WEBP",
            save_all=True,
            append_images=images,
            duration=list(milliseconds),
            loop=0,
            lossless=True,
            method=0,
            quality=30,
        )


def write_mp4(frames: FrameSequence, path: Output, milliseconds: Sequence[int]) -> None:
    """Through ffmpeg. Sides are padded to even lengths, as players need; longer frames are repeated."""
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
def open_output(place: Output) -> Iterator[IO[bytes]]:
    """Open a path, whose file appears once it is complete; an open file is returned as it is."""
    if isinstance(place, str | os.PathLike):
        with write_atomically(place) as file:
            yield file
    else:
        yield place
