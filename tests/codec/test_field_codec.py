"""Fields in files: the same again, and nothing that a file should not do."""

import json

import pytest

import wavefold as wf
from wavefold.codec.fields import DEEPEST, decode_expression, encode_expression
from wavefold.fields import Noise


def test_an_expression_comes_back():
    expression = (Noise(0.05, seed=3) * 2 - 1).clamp(-0.5, 0.5)
    encoded = json.loads(json.dumps(encode_expression("height", expression, DEEPEST)))
    assert decode_expression(encoded) == expression


@pytest.mark.parametrize("depth", [DEEPEST + 1, 100_000])
def test_what_is_nested_too_deeply_is_refused(depth):
    data = ["number", 1.0]
    for _ in range(depth):
        data = ["abs", data]
    with pytest.raises(wf.WorldError, match="nested too deeply"):
        decode_expression(data)
