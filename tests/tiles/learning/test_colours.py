"""Pictures with more colours than were meant."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.tiles.learning import learn
from wavefold.tiles.learning.colours import describe_colours, reduce_colours
from wavefold.tiles.learning.samples import find_sample_path, read_sample

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
    with pytest.warns(wf.TileSetWarning, match="it is antialiased: .* with colours=16"):
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
