"""PNG files have the pixels that were given, whatever reads them."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from wavefold.storage.png import BAND, FAST_PNG, SMALL, drop_opaque, encode_png

RANDOM = np.random.default_rng(2)


@pytest.mark.parametrize("level", [FAST_PNG, SMALL])
@pytest.mark.parametrize("rows", [1, BAND, BAND + 1, 3 * BAND - 1])
@pytest.mark.parametrize("channels", [3, 4])
def test_files_have_the_pixels(channels, rows, level):
    pixels = RANDOM.integers(0, 256, (rows, 37, channels)).astype(np.uint8)
    image = Image.open(BytesIO(encode_png(pixels, level)))
    assert np.array_equal(np.asarray(image), pixels)


def test_only_pictures_that_are_opaque_everywhere_lose_a_channel():
    pixels = np.full((4, 5, 4), 255, np.uint8)
    assert drop_opaque(pixels).shape == (4, 5, 3)
    pixels[3, 4, 3] = 254
    assert drop_opaque(pixels) is pixels


def test_files_of_maps_are_smaller_than_with_filters():
    tiles = RANDOM.integers(0, 256, (5, 16, 16, 3)).astype(np.uint8)
    pixels = tiles[RANDOM.integers(0, 5, (12, 12))].swapaxes(1, 2).reshape(192, 192, 3)
    filtered = BytesIO()
    Image.fromarray(pixels).save(filtered, "PNG")
    assert len(encode_png(pixels)) < len(filtered.getvalue())
