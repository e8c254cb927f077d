"""Overlapping models of DeBroglie: maps are the pictures whose windows are in the sample, edges included."""

from itertools import combinations, product

import numpy as np
import pytest
from debroglie_files import PIXELS, load, write_pictures
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image

import wavefold as wf

SKY, EARTH, WALL = (120, 180, 230), (185, 122, 87), (60, 60, 60)


def name(colour):
    return f"#{bytes(colour).hex()}"


def write_sample(folder, pixels):
    """A sample, and a configuration of windows of it, on a map that is not much larger."""
    Image.fromarray(pixels).save(folder / "sample.png")
    height, width = pixels.shape[:2]
    model = {"type": "overlapping", "n": 3}
    return {"src": "sample.png", "dest": "x.png", "width": width + 4, "height": height + 3, "model": model}


def windows(pixels, n):
    """The windows of a picture, each as bytes."""
    found = sliding_window_view(pixels, (n, n, pixels.shape[2]))
    return {each.tobytes() for each in found.reshape(-1, n * n * pixels.shape[2])}


def draw(config, sample, seeds=range(3)):
    """The pixels of some maps, whose windows are all in the sample."""
    for seed in seeds:
        solution = wf.generate(config.tiles, config.topology, seed, **config.parts())
        assert not wf.check(config.problem(), solution)
        pixels = np.asarray(solution.image().convert("RGB"))
        assert windows(pixels, config.tiles.n) <= windows(sample, config.tiles.n)
        yield pixels


@pytest.fixture
def garden():
    """Earth in the last row alone, with flowers above it: nothing can be learned about what is below."""
    pixels = np.full((9, 12, 3), SKY, np.uint8)
    pixels[-1] = EARTH
    for column in (2, 7):
        pixels[3 + column // 7 : -1, column] = (40, 140, 40)
        pixels[3 + column // 7, column] = (230, 200, 40)
    return pixels


@pytest.mark.parametrize("symmetry", [1, 2])
def test_a_ground_that_is_only_in_the_last_row_of_the_sample_fills_the_last_row(tmp_path, garden, symmetry):
    document = write_sample(tmp_path, garden) | {"ground": name(EARTH), "symmetry": symmetry}
    for pixels in draw(load(tmp_path, document), np.concatenate([garden, garden[:, ::-1]], axis=1)[:, :12]):
        assert (pixels[-1] == EARTH).all()
        assert not (pixels[:-1] == EARTH).all(axis=2).any()


def test_a_border_that_is_as_wide_as_that_of_the_sample_is_drawn_on_all_sides(tmp_path):
    room = np.full((7, 8, 3), SKY, np.uint8)
    room[[0, -1]], room[:, [0, -1]] = WALL, WALL
    document = write_sample(tmp_path, room)
    for pixels in draw(
        load(tmp_path, document | {"constraints": [{"type": "border", "tile": name(WALL)}]}), room
    ):
        assert (pixels[[0, -1]] == WALL).all()
        assert (pixels[:, [0, -1]] == WALL).all()
        assert (pixels[1:-1, 1:-1] == SKY).all()


def test_a_fixed_tile_may_be_a_colour_of_the_last_pixel_alone(tmp_path, garden):
    garden[-1, -1] = WALL
    document = write_sample(tmp_path, garden)
    corner = {"type": "fixedTile", "tile": name(WALL), "point": {"x": 15, "y": 11}}
    for pixels in draw(load(tmp_path, document | {"constraints": [corner]}), garden):
        assert (pixels[-1, -1] == WALL).all()
    elsewhere = corner | {"point": {"x": 15, "y": 10}}
    with pytest.raises(wf.Contradiction):
        next(draw(load(tmp_path, document | {"constraints": [elsewhere]}), garden))
    pins = {(15, 11): (*WALL, 255)}  # such a tile can be pinned without a constraint in the file, too
    config = load(tmp_path, document)
    assert wf.generate(config.tiles, config.topology, pins=pins).values[-1][-1] == pins[15, 11]


@pytest.mark.parametrize(
    ("n", "colours", "rows", "columns", "seed"), [(2, 3, 3, 3, 1), (3, 2, 3, 4, 2), (3, 2, 4, 3, 5)]
)
def test_two_colours_can_stand_together_if_they_do_in_a_picture_of_such_windows(
    tmp_path, n, colours, rows, columns, seed
):
    drawn = np.random.default_rng(seed).integers(0, colours, (5, 6))
    sample = (drawn[..., None] * [70, 50, 30]).astype(np.uint8)
    document = write_sample(tmp_path, sample) | {"width": columns, "height": rows}
    document |= {"model": {"type": "overlapping", "n": n}}
    least = {"type": "count", "tile": name(sample[0, 0]), "count": 0}  # always holds
    config = load(tmp_path, document | {"constraints": [least]})
    pictures = np.array(list(product(range(colours), repeat=rows * columns))).reshape(-1, rows, columns)
    powers = colours ** np.arange(n * n).reshape(n, n)
    seen = (sliding_window_view(drawn, (n, n)) * powers).sum(axis=(2, 3))
    codes = (sliding_window_view(pictures, (n, n), axis=(1, 2)) * powers).sum(axis=(3, 4))
    pictures = pictures[np.isin(codes, seen).all(axis=(1, 2))]
    answers = set()
    for cells in combinations(np.ndindex(rows, columns), 2):
        for wanted in product(range(colours), repeat=2):
            expected = any(
                all(each[cell] == value for cell, value in zip(cells, wanted, strict=True))
                for each in pictures
            )
            pins = {
                (x, y): (*(np.array([70, 50, 30]) * value).tolist(), 255)
                for (y, x), value in zip(cells, wanted, strict=True)
            }
            try:
                solution = wf.generate(
                    config.tiles,
                    config.topology,
                    3,
                    refine=False,
                    pins=pins,
                    constraints=config.parts()["constraints"],
                )
            except wf.Contradiction:
                assert not expected
            else:
                found = np.array(solution.values.tolist())[..., 0] // 70
                assert expected
                assert (found == pictures).all(axis=(1, 2)).any()
            answers.add(expected)
    assert answers == {True, False}


def test_windows_are_cut_only_where_something_is_asked_of_a_map_that_they_could_not_give(tmp_path, garden):
    document = write_sample(tmp_path, garden)
    learned = wf.learn(garden, 3, 1, False)
    plain = load(tmp_path, document | {"periodicInput": True}).tiles
    assert len(plain) == len(wf.learn(garden, 3, 1, True))
    cut = load(tmp_path, document).tiles  # earth would be missing
    assert cut.rules.names[: len(learned)] == learned.rules.names
    assert len(cut) > len(learned)
    whole = cut.without_patterns(range(len(learned), len(cut)))
    assert (whole.rules.allowed == learned.rules.allowed).all()
    assert whole.rules.weights.tolist() == learned.rules.weights.tolist()
    assert [value[:3] for value in whole.values] == list(learned.values)
    assert cut.rules.weights[len(learned) :].sum() < 0.01 * learned.rules.weights.sum()  # maps look as before


def test_the_sample_itself_is_faithful_to_it_although_the_set_has_cut_windows(tmp_path, garden):
    tiles = load(tmp_path, write_sample(tmp_path, garden) | {"ground": name(EARTH)}).tiles
    array = tiles.occurrences.maps[0].astype(np.int64)
    problem = wf.Problem(tiles, wf.SquareGrid(*array.shape[::-1]))
    found = wf.measure(wf.Solution(problem, array.reshape(-1), wf.Statistics())).faithfulness
    assert found.pairs.distance == 0
    assert found.tiles.distance < 0.01


def test_cut_windows_are_what_lies_below_and_to_the_right_with_factors_for_what_is_left(tmp_path):
    sample = np.array([[SKY, WALL], [EARTH, (9, 9, 9)]], np.uint8)
    document = write_sample(tmp_path, sample) | {"model": {"type": "overlapping", "n": 2}}
    plain = load(tmp_path, document).tiles  # three colours would be missing
    halved = {"value": name(WALL), "multiplyFrequency": "50%"}
    tiles = load(tmp_path, document | {"tiles": [halved]}).tiles
    assert [value[:3] for value in tiles.values] == [SKY, EARTH, WALL, (9, 9, 9)]
    factors = dict(zip(tiles.values, tiles.rules.weights / plain.rules.weights, strict=True))
    assert factors == {(*SKY, 255): 0.5, (*WALL, 255): 0.5, (*EARTH, 255): 1, (9, 9, 9, 255): 1}
    solution = wf.generate(tiles, wf.SquareGrid(2, 2), refine=False)
    assert (np.asarray(solution.image().convert("RGB")) == sample).all()


def test_tables_of_names_are_cut_too(tmp_path):
    (tmp_path / "sample.csv").write_text("sky,sky,sky,sky\nsky,tree,sky,sky\nearth,earth,earth,earth\n")
    document = {"src": "sample.csv", "dest": "x.csv", "model": {"type": "overlapping"}, "ground": "earth"}
    config = load(tmp_path, document | {"width": 9, "height": 5})
    values = wf.generate(config.tiles, config.topology, 2, **config.parts()).values
    assert set(values[-1]) == {"earth"}
    assert set(values[:-1].ravel()) <= {"sky", "tree"}


def test_contradictions_name_colours_and_areas_as_the_configuration_does(tmp_path):
    write_pictures(tmp_path)
    border = {"type": "border", "tile": "#c8b478", "sides": "xmin"}
    learned = PIXELS | {"model": {"type": "overlapping", "n": 2}}
    for document in (PIXELS, learned):
        config = load(tmp_path, document | {"ground": "#0d2572", "constraints": [border]})
        with pytest.raises(wf.Contradiction) as found:
            wf.generate(config.tiles, config.topology, **config.parts())
        assert "'#0d2572' must be everywhere in the area of 'ground'" in str(found.value)
        assert "'#c8b478' must be everywhere in the area of constraints[0]" in str(found.value)
    count = {"type": "count", "tiles": ["#0d2572", "#c8b478"], "comparison": "exactly", "count": 3}
    fixed = {"type": "fixedTile", "tile": "#c8b478", "point": {"x": 2, "y": 7}}
    constraints = [fixed, count, border | {"ban": True}]
    config = load(tmp_path, learned | {"ground": "#0d2572", "constraints": constraints})
    messages = [each.message() for each in config.parts()["constraints"]]
    assert messages[1:] == [
        "'#0d2572' must not be outside the area of 'ground'",
        "['#0d2572', '#c8b478'] must appear exactly 3 times",
        "'#c8b478' must not be in the area of constraints[2]",
    ]
    assert config.parts()["pins"] == {(2, 7): (200, 180, 120, 255)}  # a value of the tile set
    with pytest.raises(wf.Contradiction, match="the pin '#c8b478' at column 2, row 7"):
        wf.generate(config.tiles, config.topology, **config.parts())
