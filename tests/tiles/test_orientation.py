"""Turning and mirroring: letters, words, lists, and the laws they obey."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold.tiles import Orientation, get_ring
from wavefold.tiles.orientation import LETTER_MOVES, parse_symmetry

rings = st.sampled_from([get_ring(kind) for kind in ("square", "hex", "cube")])
orientations = st.builds(Orientation, st.integers(0, 3), st.booleans())
COUNTS = {"X": (1, 1), "I": (2, 3), "\\": (2, 3), "L": (4, 6), "T": (4, 6), "F": (8, 12)}


@given(rings, orientations, orientations, st.integers(0, 3))
def test_one_after_another_moves_sides_as_both_do(ring, first, second, side):
    both = second.after(first, ring.sides)
    assert ring.move_side(side, both) == ring.move_side(ring.move_side(side, first), second)


@given(orientations, orientations)
def test_pictures_move_as_sides_do(first, second):
    def placed(pixels, orientation):
        return np.rot90(pixels[:, ::-1] if orientation.mirrored else pixels, -orientation.turn)

    picture = np.arange(9).reshape(3, 3)
    assert (placed(placed(picture, first), second) == placed(picture, second.after(first, 4))).all()
    middles = ((0, 1), (1, 2), (2, 1), (1, 0))  # of the sides, clockwise from north
    for side, middle in enumerate(middles):
        assert placed(picture, first)[middles[get_ring("square").move_side(side, first)]] == picture[middle]


@pytest.mark.parametrize("letter", list(LETTER_MOVES))
def test_a_letter_tells_how_many_look_different(letter):
    square, hexagon = (parse_symmetry(letter, get_ring(kind), "") for kind in ("square", "hex"))
    assert (len(square.variants), len(hexagon.variants)) == COUNTS[letter]
    assert len(square.variant_of) == 8
    assert len(hexagon.variant_of) == 12


@pytest.mark.parametrize("letter", list(LETTER_MOVES))
@given(rings, orientations, orientations)
def test_what_looks_alike_looks_alike_however_it_is_turned(letter, ring, here, move):
    symmetry = parse_symmetry(letter, ring, "")
    alike = symmetry.variants[symmetry.variant_of[here]]
    assert (
        symmetry.variant_of[move.after(here, ring.sides)]
        == symmetry.variant_of[move.after(alike, ring.sides)]
    )


def test_letters_look_like_themselves():
    """What is open in a letter as drawn (N E S W) is open in every orientation that counts as the same."""
    drawn = {"X": "++++", "I": "+-+-", "L": "++--", "T": "-+++", "F": "abcd", "\\": "++++"}
    for letter, sockets in drawn.items():
        symmetry = parse_symmetry(letter, get_ring("square"), "")

        def placed(orientation, sockets=sockets):
            words = (get_ring("square").spell(orientation),)
            return wf.TileSet([wf.Tile("t", (*sockets,), symmetry=words)]).patterns[0].sockets

        for orientation, variant in symmetry.variant_of.items():
            assert placed(orientation) == placed(symmetry.variants[variant])


def test_orientations_are_read_in_every_spelling():
    ring = get_ring("hex")
    assert ring.parse("120") == ring.parse(120) == ring.parse("r2") == Orientation(2)
    assert ring.parse("m") == ring.parse("m0") == Orientation(0, True)
    assert ring.parse("m60") == ring.parse("mr1") == Orientation(1, True)
    assert [ring.parse(word) for word in ("90", "360", "r6", "", "x", True, None, 1.5)] == [None] * 8


def test_a_pattern_can_be_named_by_anything_that_looks_like_it():
    tiles = wf.TileSet([wf.Tile("road", (*"+-+-",), symmetry="I"), wf.Tile("dot", (*"----",), symmetry="X")])
    assert [pattern.name for pattern in tiles.patterns] == ["road", "road@270", "dot"]
    assert tiles.rules.patterns("road@90").tolist() == [1]
    assert tiles.rules.patterns("road@m180").tolist() == [0]
    assert tiles.rules.patterns("dot@m270").tolist() == [2]
    with pytest.raises(wf.TileSetError, match="there is no tile 'road@45'"):
        tiles.rules.patterns("road@45")
