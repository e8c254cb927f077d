"""Signatures are explicit, for editors; names and defaults are those that are declared."""

from inspect import Parameter, signature
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import wavefold as wf
from wavefold.config import load_config
from wavefold.options.groups import (
    LARGEST_CHUNK,
    SMALLEST_CHUNK,
    GenerateOptions,
    LearnOptions,
    PatchworkOptions,
    PictureOptions,
    WorldOptions,
)
from wavefold.options.option import list_options
from wavefold.render import draw

GENERATE = {"seed", "own_constraints", "constraints", "diagnostics", "propagation", "undo", "order"}
GENERATE |= {"choice", "search", "refine"}
SOLVER = {"seed", "propagation", "undo", "order", "choice", "search"}
WORLD = {"seed", "chunk", "refine", "radius", "half_width", "constraints", "network"}
CALLS = [
    (wf.generate, GenerateOptions, GENERATE),
    (wf.Solver, GenerateOptions, SOLVER),
    (wf.World, WorldOptions, WORLD),
    (wf.Patchwork, PatchworkOptions, {each.name for each in list_options(PatchworkOptions)}),
    (wf.learn, LearnOptions, {each.name for each in list_options(LearnOptions)}),
    (draw, PictureOptions, {each.name for each in list_options(PictureOptions)} - {"renderer"}),
]


@pytest.mark.parametrize(("call", "group", "names"), CALLS)
def test_arguments_have_the_names_and_defaults_that_are_declared(call, group, names):
    arguments = signature(call).parameters
    declared = {each.name: each for each in list_options(group)}
    assert names == arguments.keys() & declared.keys()
    for name in names - {"network"}:  # None in Python, an empty table in files
        assert arguments[name].default == declared[name].default, name
        assert arguments[name].default is not Parameter.empty


@pytest.mark.parametrize(("call", "group", "names"), CALLS[:4])
def test_arguments_list_the_names_that_are_declared(call, group, names):
    hints = get_type_hints(call.__init__ if isinstance(call, type) else call)
    declared = {each.name: each for each in list_options(group)}
    for name in names:
        listed = {
            value
            for part in get_args(hints[name]) or ()
            if get_origin(part) is Literal
            for value in get_args(part)
        }
        listed |= set(get_args(hints[name])) if get_origin(hints[name]) is Literal else set()
        assert listed == set(declared[name].names), name


@pytest.mark.parametrize(
    "group",
    [GenerateOptions, WorldOptions, PatchworkOptions, LearnOptions, PictureOptions, wf.Heuristics],
)
def test_every_name_is_in_the_help(group):
    for each in list_options(group):
        if each.option.plugins:
            assert all(f'`"{name}"`' in each.option.help for name in each.names), each.name


@pytest.mark.parametrize("chunk", [SMALLEST_CHUNK - 1, LARGEST_CHUNK + 1])
def test_chunks_have_the_same_bounds_in_files_and_in_python(chunk):
    message = f"chunk must be a whole number from 4 to 4,096, not {chunk}"
    with pytest.raises(wf.ConfigError, match=message):
        wf.World(wf.TileSet.load("pipes"), chunk=chunk)
    with pytest.raises(wf.ConfigError, match=message):
        load_config("", {}, {"world.chunk": chunk})
