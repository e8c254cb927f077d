"""Maps, worlds, patchworks, repairs, audits and explanations are what they were, to the last cell."""

import json
from pathlib import Path

import pytest
from cases import PLAIN, digests_of, make_scenes, names_in

import wavefold as wf
from wasm_kernels import IN_WASM
from wavefold.kernels.units import COMPILED

TABLE = json.loads(Path(__file__).with_name("digests.json").read_text("utf-8"))
SCENES = list(make_scenes())


@pytest.mark.parametrize("name", SCENES)
def test_nothing_has_changed(name):
    if name not in PLAIN and (not COMPILED or (IN_WASM and not name.startswith("map, "))):
        pytest.skip("needs compiled kernels: takes too long otherwise")
    if IN_WASM and name.endswith("own functions"):
        with pytest.raises(wf.ConfigError, match="cannot call functions"):
            digests_of(name)
        return
    assert digests_of(name) == names_in(TABLE, name)


def test_every_digest_belongs_to_a_scene():
    known = {digest for name in make_scenes() for digest in names_in(TABLE, name)}
    assert known == set(TABLE)
