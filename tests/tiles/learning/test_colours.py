"""Pictures with more colours than were meant."""

from io import BytesIO
from itertools import product

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.tiles.learning import learn
from wavefold.tiles.learning.colours import describe_colours, find_blocks, reduce_colours
from wavefold.tiles.learning.samples import find_sample_path, read_sample, samples

DRAWN = np.asarray(Image.open(find_sample_path("islands")).convert("RGB"))


def weighed(tiles):
    """What was learned, as far as it can be compared."""
    return list(zip(tiles.values, tiles.rules.weights.tolist(), strict=True))


def noisy(amount=3):
    noise = np.random.default_rng(1).integers(-amount, amount + 1, DRAWN.shape)
    return np.clip(DRAWN + noise, 0, 255).astype(np.uint8)


def test_noise_is_undone():
    assert describe_colours([read_sample(DRAWN)]) is None
    sample = read_sample(noisy())
    assert "noise of a JPEG file; reduce them with colours=" in str(describe_colours([sample]))
    [found] = reduce_colours([sample], 6)
    drawn = read_sample(DRAWN).numbers
    pairs = set(zip(found.numbers.ravel().tolist(), drawn.ravel().tolist(), strict=True))
    assert len(found.values) == len(pairs) == 6  # each colour is one that was drawn


def test_a_soft_edge_is_told_from_noise():
    large = Image.fromarray(DRAWN).resize((400, 400), 0).resize((150, 150), Image.Resampling.LANCZOS)
    with pytest.warns(wf.TileSetWarning, match="it is antialiased, .* with colours=16"):
        before = learn(large, symmetry=1)
    assert len(learn(large, symmetry=1, colours=6)) * 3 < len(before)
    assert len(set(learn(large, colours=6).values)) == 6


@pytest.mark.parametrize("quality", [60, 75, 90])
@pytest.mark.parametrize("scale", [4, 8])
def test_the_noise_of_a_jpeg_file_is_not_taken_for_antialiasing(tmp_path, scale, quality):
    large = Image.fromarray(DRAWN).resize((48 * scale, 48 * scale), 0)
    large.save(tmp_path / "art.jpg", quality=quality)
    Image.open(tmp_path / "art.jpg").save(tmp_path / "art.png")
    for name in ("art.jpg", "art.png"):
        assert "JPEG" in str(describe_colours([read_sample(tmp_path / name)]))


def test_few_colours_stay_as_they_are():
    assert weighed(learn(DRAWN, colours=16)) == weighed(learn(DRAWN))
    file = BytesIO()
    Image.fromarray(DRAWN).convert("RGBA").save(file, "PNG")
    assert len(set(learn(Image.open(file), colours=2).values)) == 2


# --- pictures whose pixels are blocks -------------------------------------------------------------


CAVE = np.asarray(Image.open(find_sample_path("cave")).convert("RGB"))


def enlarge(pixels, scale):
    return pixels.repeat(scale, axis=0).repeat(scale, axis=1)


@pytest.mark.parametrize("scale", [2, 3, 8])
def test_the_scale_is_found_and_undone(scale):
    as_drawn = weighed(learn(CAVE))
    assert weighed(learn(enlarge(CAVE, scale), scale="auto")) == as_drawn
    assert weighed(learn(enlarge(CAVE, scale), scale=scale)) == as_drawn
    with pytest.warns(wf.TileSetWarning, match=f"blocks of {scale} x {scale}"):
        assert weighed(learn(enlarge(CAVE, scale))) != as_drawn


def test_certain_upscaling_of_files_is_undone_unless_a_scale_is_given(tmp_path, recwarn):
    Image.fromarray(enlarge(CAVE, 3)).save(tmp_path / "big.png")
    Image.fromarray(CAVE).save(tmp_path / "small.png")
    assert weighed(learn(tmp_path / "big.png")) == weighed(learn(CAVE))
    assert learn([tmp_path / "small.png", str(tmp_path / "big.png")]).scales == (1, 3)
    assert learn(tmp_path / "big.png", scale=1).scales == (1,)
    assert not recwarn.list
    Image.fromarray(enlarge(CAVE, 4)).save(tmp_path / "big.jpg", quality=90)
    with pytest.warns(wf.TileSetWarning, match="blocks of 4 x 4"):
        assert learn(tmp_path / "big.jpg", colours=8).scales == (1,)


def test_blocks_need_not_begin_at_the_corner():
    assert find_blocks(read_sample(enlarge(CAVE, 5)[1:, 2:])) == (5, 3, 4)
    assert len(learn(enlarge(CAVE, 5)[1:, 2:], scale="auto")) == len(learn(CAVE))


def test_blocks_are_found_in_a_jpeg_file():
    file = BytesIO()
    Image.fromarray(enlarge(CAVE, 4)).save(file, "JPEG", quality=80)
    assert find_blocks(read_sample(Image.open(file))).scale == 4


def test_the_largest_blocks_are_found_in_a_noisy_jpeg_file(tmp_path):
    """Blocks of 4 are blocks of 2, where even more of the noise lies between them."""
    rng = np.random.default_rng(3)
    colours = np.array([(60, 60, 90), (80, 120, 70), (90, 130, 80), (200, 190, 150)], np.uint8)
    for scale, quality in product((4, 8, 16), (60, 75, 90)):
        art = enlarge(colours[rng.integers(0, 4, (24, 24)).repeat(2, axis=1)[:, :24]], scale)
        Image.fromarray(art).save(tmp_path / "art.jpg", quality=quality)
        assert find_blocks(read_sample(tmp_path / "art.jpg")).scale == scale


@pytest.mark.parametrize("contrast", [12, 60])
def test_thin_lines_on_large_blocks_are_not_upscaled(contrast):
    rng = np.random.default_rng(0)
    for _ in range(20):
        grey = enlarge(rng.integers(0, 2, (10, 10)) * 120 + 60, 3)
        grey[rng.integers(0, 30, 4)] += contrast
        picture = np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)
        assert find_blocks(read_sample(picture)) is None


def test_a_learned_set_says_which_scales_were_undone():
    assert learn(enlarge(CAVE, 3), scale="auto").scales == (3,)
    assert learn([CAVE, enlarge(CAVE, 2)], scale="auto").scales == (1, 2)
    assert learn(CAVE).scales == (1,)


@pytest.mark.parametrize("name", samples())
def test_what_is_drawn_pixel_by_pixel_is_not_upscaled(name):
    assert find_blocks(read_sample(name)) is None
    assert weighed(learn(find_sample_path(name), scale="auto")) == weighed(learn(find_sample_path(name)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0}, "scale must be a whole number from 1 to 64"),
        ({"scale": 40}, "a scale of 40 is too large for a picture of 36 x 36"),
        ({"colours": "many"}, "colours must be"),
    ],
)
def test_other_scales_and_colours_are_refused(options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn(CAVE, **options)
    with pytest.raises(wf.TileSetError, match=r"needs a picture"):
        learn([[1, 2]], **options)
