"""Fields in files: the same again, and nothing that a file should not do."""

import json
from io import BytesIO

import numpy as np
import pytest

import wavefold as wf
from wavefold.fields import Noise
from wavefold.fields.expression import MOST_NESTED
from wavefold.formats.sections import decode_expression, decode_fields, encode_expression, encode_fields


def test_an_expression_comes_back():
    expression = (Noise(0.05, seed=3) * 2 - 1).clamp(-0.5, 0.5)
    encoded = json.loads(json.dumps(encode_expression("height", expression)))
    assert decode_expression(encoded) == expression


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 980, 100_000])
def test_what_is_nested_too_deeply_is_refused(depth):
    data = ["number", 1.0]
    for _ in range(depth):
        data = ["abs", data]
    with pytest.raises(wf.WorldError, match="nested too deeply"):
        decode_expression(data)


def test_the_deepest_expression_comes_back():
    expression = Noise(0.05)
    for _ in range(MOST_NESTED):
        expression = expression + 1
    fields = wf.Fields(height=expression)
    assert decode_fields(encode_fields(fields)).digest == fields.digest


def test_a_header_that_claims_more_than_there_is_is_refused_before_anything_is_allocated():
    entries = encode_fields(wf.Fields(height=np.zeros((3, 5))))
    content = BytesIO()
    np.lib.format.write_array_header_1_0(
        content, {"descr": "<f8", "fortran_order": False, "shape": (50_000, 50_000)}
    )
    with pytest.raises(wf.WorldError, match="array of a field is damaged"):
        decode_fields(entries | {"field height": content.getvalue() + bytes(120)})
