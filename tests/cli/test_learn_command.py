"""`wavefold learn`."""

import json

from running import complaint, done_well

import wavefold as wf


def test_a_learned_set_is_written_and_used(wavefold, tmp_path):
    assert "patterns learned from kilim" in done_well(
        wavefold("learn", "kilim", "--n", 2, "-o", "kilim.toml")
    )
    done_well(wavefold("generate", "kilim.toml", "--size", "8x8", "-o", "map.png"))
    data = json.loads(done_well(wavefold("learn", "kilim", "--adjacency", "--json")))
    assert data["n"] == 1
    assert data["patterns"] == len(wf.learn_adjacency("kilim"))
    assert "a tile set ends in .toml" in complaint(wavefold("learn", "kilim", "-o", "kilim.png"))
    assert "--n is for windows" in complaint(wavefold("learn", "kilim", "--adjacency", "--n", 3))


def test_a_map_drawn_in_tiled_is_learned_and_written(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "6x6", "-o", "m.tmx"))
    done = wavefold("learn", "m.tmx", "--adjacency", "-o", "x.toml")
    done_well(done)
    assert "not their pictures" in done.stderr
    done_well(wavefold("generate", "x.toml", "--size", "4x4"))
