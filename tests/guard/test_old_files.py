"""Files that were written before are read as they were, and go on as they would have."""

import json
from pathlib import Path

import pytest
from cases import PLAIN, digests_of, make_scenes, names_in

from wavefold.kernels.units import COMPILED

TABLE = json.loads(Path(__file__).with_name("digests.json").read_text("utf-8"))
SCENES = [name for name in make_scenes() if name.startswith("file, ")]


@pytest.mark.parametrize("name", SCENES)
def test_a_file_holds_what_it_held(name):
    if not COMPILED and name not in PLAIN:
        pytest.skip("needs compiled kernels: too large for plain Python")
    assert digests_of(name) == names_in(TABLE, name)
