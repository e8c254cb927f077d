"""`wavefold explain`."""

import json

import pytest
from running import complaint, done_well

import wavefold as wf
from wavefold.cli.commands.explain import choose_exit_code


def test_a_conflict_is_explained_in_words_and_drawn(wavefold, tmp_path):
    pins = ("--pin", "0,0=lamp@90", "--pin", "1,0=wall")
    done = wavefold("explain", "pipes", "--size", "6x6", *pins, "-o", "why.png")
    assert done.returncode == 1
    assert "the pin 'lamp@90' at column 0, row 0" in done.stdout
    assert (tmp_path / "why.png").exists()
    done = wavefold("explain", "pipes", "--size", "6x6", *pins, "--json")
    data = json.loads(done.stdout)
    assert data["contradictory"]
    assert {each["kind"] for each in data["requirements"]} == {"pin"}
    assert sorted(data["cells"]) == [[0, 0], [1, 0]]
    assert "there is no contradiction" in done_well(wavefold("explain", "pipes", "--size", "6x6"))
    assert ".png or .svg" in complaint(wavefold("explain", "pipes", "-o", "why.gif"))


@pytest.mark.parametrize(
    ("contradictory", "proved", "code"),
    [(False, True, 0), (True, True, 1), (True, False, 1), (False, False, 3)],
)
def test_only_a_map_that_exists_is_a_success(contradictory, proved, code):
    assert choose_exit_code(wf.Explanation((), (), (), contradictory, proved, "")) == code
