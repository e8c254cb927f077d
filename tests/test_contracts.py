"""The contracts for plugins hold for our own parts, and find what is wrong with others."""

import pytest
from PIL import Image

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.plugins.registry import BUILT_IN, find
from wavefold.testing import ChoiceContract, DiagnosticContract, RendererContract, TileSetContract


@compiled_only
class TestBundledSets(TileSetContract):
    @pytest.fixture(params=[name for name in BUILT_IN["tileset"] if name != "medieval"])  # saving takes long
    def load(self, request):
        return find("tileset", request.param)


class TestRenderers(RendererContract):
    @pytest.fixture(params=BUILT_IN["renderer"])
    def renderer(self, request):
        return find("renderer", request.param)

    @pytest.fixture
    def solution(self):
        return wf.generate(PIPES, wf.SquareGrid(5, 4))


class TestChoices(ChoiceContract):
    @pytest.fixture(params=[*BUILT_IN["choice"], lambda cell, pattern, weight: 1 + weight // 2])
    def choice(self, request):
        return request.param


def test_the_contract_finds_a_tile_set_that_is_another_every_time():
    numbers = iter(range(9))
    with pytest.raises(AssertionError):
        TileSetContract().test_it_is_the_same_every_time(
            lambda: wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile(f"b{next(numbers)}", ("x",) * 4)])
        )


def test_the_contract_finds_a_tile_set_that_fills_no_map():
    with pytest.raises(wf.Contradiction):
        TileSetContract().test_small_maps_can_be_made_and_are_valid(
            lambda: wf.TileSet([wf.Tile("a", ("x", "y", "z", "w"))])
        )


def test_the_contract_finds_a_renderer_that_takes_no_options():
    solution = wf.generate(PIPES, wf.SquareGrid(2, 2))
    with pytest.raises(TypeError):
        RendererContract().test_options_of_other_renderers_are_accepted(
            lambda map: Image.new("RGBA", (1, 1)), solution
        )


def test_the_contract_finds_a_diagnostic_that_raises():
    class Picky(wf.Diagnostic):
        def finish(self, result):
            assert isinstance(result, wf.Solution)

    with pytest.raises(wf.PluginWarning):
        DiagnosticContract().test_maps_that_fail_are_received_without_an_error(Picky)
