"""Archives: every entry comes back, or the file is refused with a sentence."""

import random
import sqlite3
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

import wavefold as wf
from support import PIPES
from wavefold.storage import archive as archives
from wavefold.storage.archive import ENTRIES, FIELDS, HEADER, TILES, ArchiveKind, Section, checksum
from wavefold.worlds.store.database import ENTRY_TABLE

KIND = ArchiveKind("wavefold thing", (TILES, Section("data", ("data", "more"))), wf.FormatError)
PATH = Path("some.thing")
ENTRY = {"tiles.toml": b"tiles" * 20, "data": bytes(range(256)), "more": b""}


def pack(header=None, entries=ENTRY):
    return KIND.create(header or {"seed": 2**70, "name": "\u00e4"}, entries).pack()


def zipped(
    entries, comment=lambda name, content: checksum(ENTRIES, name, content), method=zipfile.ZIP_DEFLATED
):
    """A zip file of pairs, with comments that may be wrong."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.comment = comment(name, content)
            file.writestr(info, content, method)
    return data.getvalue()


def test_what_is_packed_comes_back():
    found = KIND.unpack(pack(), PATH)
    assert {name: found.entries[name] for name in ENTRY} == ENTRY
    assert (found.header["seed"], found.header["name"]) == (2**70, "\u00e4")
    assert (found.header["format"], found.header["sections"]) == ("wavefold thing", sorted(ENTRY))
    assert pack() == pack()


def test_no_byte_that_is_flipped_is_read_as_data():
    data, chance = pack(), random.Random(1)
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= chance.randrange(1, 256)
        try:
            found = KIND.unpack(bytes(damaged), PATH)
        except wf.FormatError:
            continue
        assert {name: found.entries[name] for name in ENTRY} == ENTRY


@pytest.mark.parametrize("lost", ["removed", "changed", "under another name"])
def test_an_entry_that_is_lost_is_named_unless_it_is_expendable(lost):
    entries = dict(KIND.create({}, ENTRY).entries)
    sums = {name: checksum(ENTRIES, name, content) for name, content in entries.items()}
    if lost == "removed":
        del entries["data"]
    else:
        entries["data"] = b"" if lost == "changed" else entries["tiles.toml"]
        sums["data"] = sums["data"] if lost == "changed" else sums["tiles.toml"]
    data = zipped(entries.items(), lambda name, _: sums[name])
    with pytest.raises(wf.FormatError, match=r"some\.thing is damaged: its 'data' is not .*; use a backup"):
        KIND.unpack(data, PATH)
    assert KIND.unpack(data, PATH, ("data",)).lost == ("data",)


def test_other_programs_formats_versions_and_sections_are_refused():
    for data, message in [
        (b"text", "is not a wavefold thing, or is damaged: file is not a zip file"),
        (zipped([]), "is not a wavefold thing: it has no header"),
        (pack({"format": "wavefold map"}), "is not a wavefold thing: another program made it"),
        (pack({"version": 9}), r"has format 9, .* reads format 1; .* which is newer"),
        (pack({"version": 0}), r"has format 0, .* which is older"),
        (pack({"wavefold": "9.9"}, {"fields": b""}), r"has a section 'fields', .* \(wavefold 9.9\)"),
        (zipped([(HEADER, b"[1]")]), "is not a valid wavefold thing"),
        (zipped([(HEADER, b"{" * 1000)]), "is not a valid wavefold thing"),
    ]:
        with pytest.raises(wf.FormatError, match=message):
            KIND.unpack(data, PATH)


def test_zip_files_that_cost_too_much_are_refused(monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 100_000)
    with pytest.raises(wf.FormatError, match="more than 100,000 bytes"):
        KIND.unpack(zipped([("data", bytes(100_001))]), PATH)
    with pytest.raises(wf.FormatError, match="too large"):
        KIND.unpack(bytes(100_001), PATH)
    with pytest.raises(wf.ConfigError, match="is too large"):
        pack(entries={"data": bytes(100_001)})
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = zipped([("data", b"1"), ("data", b"2")])
    with pytest.raises(wf.FormatError, match="two entries of one name"):
        KIND.unpack(twice, PATH)
    monkeypatch.setattr(archives, "MOST_ENTRIES", 3)
    with pytest.raises(wf.FormatError, match="too many entries"):
        KIND.unpack(pack(), PATH)


def test_no_more_is_unpacked_than_an_entry_declares():
    data = bytearray(zipped([("data", bytes(50_000_000))]))
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    with pytest.raises(wf.FormatError, match="it has no header"):
        KIND.unpack(bytes(data), PATH)
    lzma = zipped([(HEADER, b"{}")], method=zipfile.ZIP_LZMA)
    with pytest.raises(wf.FormatError, match="its 'header' is not what was written"):
        KIND.unpack(lzma, PATH)


def test_what_json_cannot_hold_is_refused_when_it_is_saved():
    with pytest.raises(wf.ConfigError, match=r"this wavefold thing cannot be saved: .*complex"):
        KIND.create({"seed": 1j}, {})


def test_content_of_another_version_is_refused_with_what_to_do():
    def check(version):
        KIND.unpack(pack({"content_version": version}), PATH).check_content(3, "Do that.")

    check(3)
    for version, message in [
        (2, "an older .* version 2, .* version 3, .*Do that"),
        (4, "a newer .* Install"),
    ]:
        with pytest.raises(wf.FormatError, match=message):
            check(version)


def test_a_section_owns_its_entries_and_those_with_its_prefix():
    assert FIELDS.owns("fields")
    assert FIELDS.owns("field altitude")
    assert not FIELDS.owns("tiles.toml")
    assert TILES.owns("tiles-flat.png")


def change_store(path, change):
    """What another program, or the disk, may do to a store."""
    connection = sqlite3.connect(path)
    with connection:
        change(connection)
    connection.close()


def test_a_store_with_an_unknown_section_does_not_open(tmp_path):
    path = tmp_path / "my.world"
    wf.World(PIPES, 3, 16).save(path)
    change_store(path, lambda connection: ENTRY_TABLE.insert(connection, [("plan", b"{}")]))
    with pytest.raises(wf.WorldError, match=r"has a section 'plan', which wavefold .* cannot read"):
        wf.World.open(path)
    with pytest.raises(wf.WorldError, match="has a section 'plan'"):
        wf.World(PIPES, 3, 16, store=path)


def test_a_row_that_a_store_has_lost_is_noticed(tmp_path):
    path = tmp_path / "my.world"
    wf.World(PIPES, 3, 16, fields=wf.Fields(wet=wf.Noise(0.1))).save(path)
    change_store(path, lambda connection: connection.execute("DELETE FROM entries WHERE name = 'fields'"))
    with pytest.raises(wf.WorldError, match="is damaged: its 'fields' is not what was written"):
        wf.World.open(path)
