"""Tile sets of a server: listed, uploaded, learned from and audited as in the library."""

import shutil

import httpx
import pytest

import wavefold as wf
from wavefold.client import ServiceError
from wavefold.client.service_error import ConnectionFailed
from wavefold.client.tilesets import TileSets, pack_folder
from wavefold.client.transport import Transport

STRIPES = b"""format = 1
[tiles.dark]
sockets = { north = "a", east = "b", south = "a", west = "b" }
[tiles.light]
sockets = { north = "a", east = "b", south = "a", west = "b" }
"""


@pytest.fixture
def folder(tmp_path):
    """A tile set with a sheet of pictures, as the library saves it, and something else."""
    wf.TileSet.load("pipes").save(tmp_path / "mine.toml")
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path


def test_the_bundled_tile_sets_are_listed(client):
    assert [each.id for each in client.tilesets.list() if each.origin == "bundled"] == wf.tilesets()


def test_a_tile_set_has_the_patterns_of_the_library(client):
    found, expected = client.tilesets.get("castle"), wf.TileSet.load("castle")
    assert found.patterns == list(expected.rules.names)
    assert found.tiles == [tile.name for tile in expected.tiles]
    assert (found.topology, found.worlds) == ("square", True)


def test_a_description_without_pictures_can_be_uploaded_used_and_deleted(client):
    mine = client.tilesets.upload(STRIPES, name="stripes")
    assert (mine.name, mine.pattern_count) == ("stripes", 2)
    solved = client.generate(mine, (6, 4), refine=False)
    assert solved.status == "solved"
    assert client.tilesets.upload(STRIPES, name="stripes") == mine
    with pytest.raises(ServiceError, match=f"is needed by the solve '{solved.id}'"):
        client.tilesets.delete(mine)
    solved.delete()
    client.tilesets.delete(mine)
    with pytest.raises(ServiceError) as caught:
        client.tilesets.get(mine)
    assert caught.value.status == 404


def test_a_folder_is_packed_with_its_pictures_and_nothing_else(client, folder):
    assert b"secret" not in pack_folder(folder)
    mine = client.tilesets.upload(folder)
    assert mine.document["digest"] == wf.TileSet.load("pipes").rules.digest
    assert mine.pattern_count == len(wf.TileSet.load("pipes"))


def test_an_archive_is_sent_as_it_is(client, folder):
    (folder / "secret.txt").unlink()
    archive = shutil.make_archive(str(folder.with_name("mine")), "zip", folder)
    assert client.tilesets.upload(archive).name == "pipes"


def test_a_picture_is_learned_as_in_the_library(client, tmp_path):
    path = tmp_path / "sample.png"
    solution = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(8, 8), seed=1, refine=False)
    solution.image(tile_size=1).convert("RGB").save(path)
    mine = client.tilesets.learn(path, n=2, symmetry=1, name="mine")
    expected = wf.learn(path, n=2, symmetry=1)
    assert (mine.origin, mine.name) == ("learned", "mine")
    assert mine.document["digest"] == expected.rules.digest


def test_an_audit_says_what_the_library_says(client):
    mine = client.tilesets.upload(STRIPES)
    report, expected = client.tilesets.audit(mine), wf.audit(wf.TileSet.load("pipes")).to_dict()
    assert report.keys() == expected.keys()
    assert client.tilesets.audit("pipes")["certificate"] == expected["certificate"]


def test_files_that_cannot_be_read_are_format_errors(client, tmp_path):
    with pytest.raises(wf.FormatError, match="cannot read"):
        client.tilesets.upload(tmp_path / "nothing.zip")
    with pytest.raises(wf.FormatError):
        client.tilesets.upload(b"[tiles")


def test_an_audit_is_not_waited_for_forever():
    def answer(request):
        raise httpx.ReadTimeout("", request=request)

    transport = Transport("http://maps.example", transport=httpx.MockTransport(answer))
    with pytest.raises(ConnectionFailed, match="within 1800 s"):
        TileSets(transport).audit("pipes")
