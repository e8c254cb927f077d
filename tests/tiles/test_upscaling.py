"""Pictures whose pixels are blocks."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.tiles.learning import learn
from wavefold.tiles.learning.samples import read_sample, sample_path, samples
from wavefold.tiles.learning.upscaling import find_blocks

CAVE = np.asarray(Image.open(sample_path("cave")).convert("RGB"))


def weighed(tiles):
    """What was learned, as far as it can be compared."""
    return list(zip(tiles.values, tiles.rules.weights.tolist(), strict=True))


def enlarge(pixels, scale):
    return pixels.repeat(scale, axis=0).repeat(scale, axis=1)


@pytest.mark.parametrize("scale", [2, 3, 8])
def test_the_scale_is_found_and_undone(scale):
    as_drawn = weighed(learn(CAVE))
    assert weighed(learn(enlarge(CAVE, scale), scale="auto")) == as_drawn
    assert weighed(learn(enlarge(CAVE, scale), scale=scale)) == as_drawn
    with pytest.warns(wf.TileSetWarning, match=f"blocks of {scale} x {scale}"):
        assert weighed(learn(enlarge(CAVE, scale))) != as_drawn


def test_blocks_need_not_begin_at_the_corner():
    assert find_blocks(read_sample(enlarge(CAVE, 5)[1:, 2:])) == (5, 3, 4)
    assert len(learn(enlarge(CAVE, 5)[1:, 2:], scale="auto")) == len(learn(CAVE))


def test_blocks_are_found_in_a_jpeg_file():
    file = BytesIO()
    Image.fromarray(enlarge(CAVE, 4)).save(file, "JPEG", quality=80)
    assert find_blocks(read_sample(Image.open(file))).scale == 4


@pytest.mark.parametrize("name", samples())
def test_what_is_drawn_pixel_by_pixel_is_not_upscaled(name):
    assert find_blocks(read_sample(name)) is None
    assert weighed(learn(sample_path(name), scale="auto")) == weighed(learn(sample_path(name)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0}, "scale must be a whole number from 1 to 64"),
        ({"scale": 40}, "scale=40 leaves nothing of a picture of 36 x 36"),
        ({"colours": "many"}, "colours must be"),
    ],
)
def test_other_scales_and_colours_are_refused(options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn(CAVE, **options)
    with pytest.raises(wf.TileSetError, match="are for pictures"):
        learn([[1, 2]], **options)
