"""Fields as a value: names, equality, digests, pictures."""

import pickle

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.fields import Fields, Noise
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid


def slope(x, y):
    return x + y


ARRAY = np.arange(6.0).reshape(2, 3)
PICTURE = Image.fromarray(np.arange(6, dtype=np.uint8).reshape(2, 3))
MANY = [
    Fields(a=Noise(0.1)),
    Fields(a=Noise(0.1, seed=1)),
    Fields(b=Noise(0.1)),
    Fields(a=Noise(0.1) + Noise(0.2)),
    Fields(a=0.1),
    Fields(a=ARRAY),
    Fields(a=ARRAY.ravel()),
    Fields(a=ARRAY / 255.0),
    Fields(a=PICTURE),
    Fields(a=Noise(0.1), b=ARRAY),
    Fields(),
]


def test_fields_are_in_the_order_given():
    assert Fields(b=1, a=2).names == ("b", "a")
    assert list(Fields(b=1, a=2).at(SquareGrid(1, 1))) == ["b", "a"]


def test_values_are_read_only_numbers_one_per_cell():
    for fields in MANY:
        for values in fields.at(SquareGrid(3, 2)).values():
            assert values.dtype == np.float64
            assert values.shape == (6,)
            assert not values.flags.writeable


def test_fields_cannot_be_changed():
    fields = Fields(a=1)
    with pytest.raises(AttributeError):
        fields.sources = {}
    with pytest.raises(TypeError):
        fields.sources["b"] = 1


def test_an_unknown_field_is_explained():
    fields = Fields(altitude=1)
    for ask in (
        lambda: fields.at(SquareGrid(1, 1))["altitud"],
        lambda: fields.sample("altitud", 0, 0),
        lambda: fields.image(SquareGrid(1, 1), "altitud"),
    ):
        with pytest.raises(ConfigError, match="there is no field 'altitud'; did you mean 'altitude'"):
            ask()


def test_equal_fields_are_equal_and_have_equal_digests():
    one = Fields(a=Noise(0.1, seed=3) * 2, b=ARRAY, c=PICTURE)
    other = Fields(c=PICTURE.copy(), b=ARRAY.astype(np.int8).tolist(), a=Noise(0.1, seed=3) * 2.0)
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert Fields(a=slope) == Fields(a=slope)
    assert Fields(a=slope) != Fields(a=lambda x, y: x + y)
    assert Fields(a=[0.0]) == Fields(a=[-0.0])


def test_different_fields_are_different():
    assert len({fields.digest for fields in MANY}) == len(MANY)
    assert len(set(MANY)) == len(MANY)


def test_digests_are_the_same_on_every_machine():
    fields = Fields(a=(0.75 * Noise(0.0045) + 0.25 * Noise(0.1, octaves=3)).clamp(0, 1), b=ARRAY, c=PICTURE)
    assert fields.digest == "7e6ffa1479c726637e91c15362e98fd3"


def test_a_function_has_no_digest():
    with pytest.raises(ConfigError, match="field 'b' is a function, which has no digest"):
        _ = Fields(a=1, b=slope).digest


def test_fields_can_be_sent_to_another_process():
    for fields in [*MANY, Fields(a=slope)]:
        again = pickle.loads(pickle.dumps(fields))
        assert again == fields
        assert again.names == fields.names
    values = pickle.loads(pickle.dumps(MANY[0].at(SquareGrid(2, 2))))
    assert values["a"].shape == (4,)


def test_fields_print_what_they_are_made_of():
    fields = Fields(a=Noise(0.02, octaves=4, seed=7), b=ARRAY, c=PICTURE, d=slope, e=0.5)
    assert repr(fields) == (
        "Fields(a=Noise(0.02, octaves=4, seed=7), b=<array 2 x 3>, c=<picture of 3 x 2 pixels>, "
        "d=<function slope>, e=0.5)"
    )


def test_a_field_can_be_looked_at():
    picture = Fields(a=ARRAY).image(SquareGrid(3, 2), "a")
    assert np.asarray(picture).tolist() == [[0, 51, 102], [153, 204, 255]]
    assert Fields(a=Noise(0.1)).image(HexGrid(3), "a").size == (7, 7)
    assert Fields(a=Noise(0.1)).image(CubeGrid(5, 3, 2), "a").size == (5, 6)
    assert np.asarray(Fields(a=7).image(SquareGrid(2, 1), "a")).tolist() == [[0, 0]]
    with pytest.raises(ConfigError, match="no rows and columns"):
        Fields(a=[1, 2]).image(Graph([(1, 2)]), "a")


@pytest.mark.parametrize("origin", [3, (1,), (1, 2, 3), (1.5, 2), "ab"])
def test_the_origin_is_a_cell(origin):
    with pytest.raises(ConfigError, match="origin must be a cell of the world"):
        Fields(a=1).at(SquareGrid(2, 2), origin)


def test_a_graph_cannot_be_a_part_of_a_world():
    with pytest.raises(ConfigError, match="origin must be a cell of the world"):
        Fields(a=[1, 2]).at(Graph([(1, 2)]), (0, 0))


def test_the_topology_must_be_a_topology():
    with pytest.raises(ConfigError, match="topology must be a grid"):
        Fields(a=1).at((3, 4))
