"""Height maps: pictures read as numbers from 0 (black) to 1 (white)."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError

MOST_PIXELS = 8192 * 8192
SIXTEEN_BIT_MODES = {"I;16", "I;16L", "I;16B", "I;16N", "I"}
COLOUR_MODES = {"LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV"}


def is_picture(given: object) -> bool:
    """Whether this is a Pillow image; without Pillow loaded there can be none."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(given, pillow.Image)


def read_picture(given: Any, what: str) -> NDArray[np.float64]:
    """[row, column] of grey values; whatever is wrong with a file is said with its path."""
    if is_picture(given):
        return from_image(given, f"{what}: the picture")
    from PIL import Image, UnidentifiedImageError

    path = os.fspath(given)
    name = f"{what}: {path}"
    try:
        with Image.open(path) as image:
            return from_image(image, name)
    except FormatError:
        raise
    except FileNotFoundError:
        raise FormatError(f"{name}: there is no such file; expected a picture, as a PNG") from None
    except UnidentifiedImageError:
        raise FormatError(
            f"{name} is not a picture, or of a kind that cannot be read; save it as PNG"
        ) from None
    except Exception as error:  # Pillow's readers raise whatever a damaged file leads them to
        raise FormatError(f"{name} cannot be read as a picture: {error}") from error


def from_image(image: Any, name: str) -> NDArray[np.float64]:
    """The size is checked before a pixel is decoded: a small file may claim a huge picture."""
    width, height = image.size
    if width < 1 or height < 1 or width * height > MOST_PIXELS:
        raise FormatError(f"{name} has {width:,} x {height:,} pixels; at least one, at most {MOST_PIXELS:,}")
    try:
        return grey_values(image, name)
    except FormatError:
        raise
    except Exception as error:  # as above
        raise FormatError(f"{name} is damaged: {error}") from error


def grey_values(image: Any, name: str) -> NDArray[np.float64]:
    """Whole numbers, divided once. Colours count by their luminance; transparency does not count."""
    if image.mode == "1":
        return np.asarray(image.convert("L")) / 255.0
    if image.mode == "L":
        return np.asarray(image) / 255.0
    if image.mode in SIXTEEN_BIT_MODES:
        pixels = np.asarray(image).astype(np.int64)
        if pixels.min() < 0 or pixels.max() > 65535:
            raise FormatError(f"{name} has values outside 0 to 65535; save it with 16 bits per pixel")
        return pixels / 65535.0
    if image.mode not in COLOUR_MODES:
        raise FormatError(f"{name} has pixels of kind {image.mode!r}; save it with 8 or 16 bits, in grey")
    red, green, blue = np.moveaxis(np.asarray(image.convert("RGB")).astype(np.int64), 2, 0)
    luminance: NDArray[np.int64] = 299 * red + 587 * green + 114 * blue
    return luminance / 255000.0  # greys come out as they would alone
