"""Sections of saved files: what is not known is refused by name."""

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES
from wavefold.patchwork.files import digest_document
from wavefold.storage.sections import (
    FIELDS,
    JOINS,
    MOST_LISTS,
    MOST_NESTED,
    RESERVED,
    TILES,
    Section,
    check_sections,
    checksum,
    measure_json,
    parse_limited_json,
)


def test_a_section_owns_its_entries_and_those_with_its_prefix():
    assert FIELDS.owns("fields")
    assert FIELDS.owns("field altitude")
    assert not FIELDS.owns("tiles.toml")
    assert TILES.owns("tiles-flat.png")


def test_names_for_what_comes_next_belong_to_no_section_yet():
    assert not any(section.owns(name) for section in (TILES, FIELDS, JOINS) for name in RESERVED)


def test_an_unknown_section_is_refused_with_its_name_and_the_version_that_wrote_it():
    known = [Section("header", ("world",)), TILES]
    check_sections(["world", "tiles.png"], known, "my.world", wf.WorldError)
    with pytest.raises(wf.WorldError, match=r"my.world has a section 'refine', .* \(wavefold 9.9\)"):
        check_sections(["world", "refine"], known, "my.world", wf.WorldError, "9.9")


@pytest.mark.parametrize("name", RESERVED)
def test_a_store_with_an_unknown_section_does_not_open(tmp_path, name):
    path = tmp_path / "my.world"
    wf.World(PIPES, 3, 16).save(path)
    with sqlite3.connect(path) as connection:
        row = (name, b"{}", checksum("part", name, b"{}"))
        connection.execute("INSERT INTO parts VALUES (?, ?, ?)", row)
    connection.close()
    with pytest.raises(wf.WorldError, match=f"has a section '{name}', which wavefold .* cannot read"):
        wf.World.open(path)
    with pytest.raises(wf.WorldError, match=f"has a section '{name}'"):
        wf.World(PIPES, 3, 16, store=path)


def test_a_patchwork_with_an_unknown_section_does_not_load(tmp_path):
    path = tmp_path / "map.json"
    wf.Patchwork(PIPES, 2).save(path)
    data = json.loads(path.read_text())
    del data["checksum"]
    data["constraints"] = []
    path.write_text(json.dumps(data | {"checksum": digest_document(data)}))
    with pytest.raises(wf.FormatError, match=r"has a section 'constraints', which wavefold .* cannot read"):
        wf.Patchwork.load(path)


# --- jSON and arrays that anyone may have made ----------------------------------------------------


VALUES = st.recursive(
    st.none() | st.text('ab[]{}"\\ü', max_size=6) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('[{"\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def measure_value(value):
    """(lists and objects, depth) of a value, the plain way."""
    if not isinstance(value, list | dict):
        return 0, 0
    inner = [measure_value(each) for each in (value.values() if isinstance(value, dict) else value)]
    return 1 + sum(count for count, _ in inner), 1 + max((depth for _, depth in inner), default=0)


@given(VALUES, st.booleans())
def test_lists_and_depth_are_counted_outside_of_text(value, escaped):
    data = json.dumps(value, ensure_ascii=escaped).encode()
    assert measure_json(data) == measure_value(value)
    assert parse_limited_json(data) == value


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 980, 100_000])
def test_deep_nesting_is_refused(depth):
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_limited_json(b"[" * depth + b"]" * depth)


def test_many_brackets_are_refused_before_they_become_lists():
    with pytest.raises(ValueError, match="objects and lists; at most"):
        parse_limited_json(b"[" + b"[]," * MOST_LISTS + b"[]]")


def test_infinite_numbers_are_read_only_where_they_are_written():
    assert parse_limited_json(b"[-Infinity]", infinite=True) == [float("-inf")]
    with pytest.raises(ValueError, match="Infinity is not a number"):
        parse_limited_json(b"[Infinity]")
