"""Tile sets from a table of pairs."""

from hypothesis import given
from hypothesis import strategies as st

from strategies import table_tiles

lattices = st.sampled_from(["square", "hex", "cube"])


@given(lattices.flatmap(table_tiles))
def test_a_table_comes_back_as_it_was_given(tiles):
    assert (tiles.rules.allowed == tiles.table).all()
    for direction in range(len(tiles.table)):
        for pattern in range(len(tiles)):
            assert (tiles.rules.allows(direction, pattern) == tiles.table[direction, pattern]).all()
