"""The contract of renderers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from wavefold.solver import Partial, Solution
from wavefold.testing.map_format import undecide_half

Renderer = Callable[..., Any]
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"tile_size": 4}, {"scale": 2}, {"layers": False})


class RendererContract:
    """Provide the fixtures `renderer` and `solution`, a small map that it can draw.

    class TestInk(RendererContract):
        @pytest.fixture
        def renderer(self):
            return my_package.draw_ink

        @pytest.fixture
        def solution(self):
            return wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(5, 4))
    """

    def test_a_map_becomes_a_picture(self, renderer: Renderer, solution: Solution) -> None:
        image = renderer(solution)
        assert isinstance(image, Image.Image)
        assert image.mode in ("RGB", "RGBA")
        assert min(image.size) > 0

    def test_the_same_map_gives_the_same_picture(self, renderer: Renderer, solution: Solution) -> None:
        assert renderer(solution).tobytes() == renderer(solution).tobytes()

    def test_options_of_other_renderers_are_accepted(self, renderer: Renderer, solution: Solution) -> None:
        for options in OPTIONS:
            assert isinstance(renderer(solution, **options), Image.Image), "take **options, and ignore some"

    def test_an_unfinished_map_is_drawn_too(self, renderer: Renderer, solution: Solution) -> None:
        partial: Partial = undecide_half(solution)
        assert isinstance(renderer(partial), Image.Image)
        assert isinstance(renderer(partial, show="entropy", conflicts=[0]), Image.Image)

    def test_the_map_stays_as_it_was(self, renderer: Renderer, solution: Solution) -> None:
        before = solution.patterns.copy()
        renderer(solution)
        assert np.array_equal(solution.patterns, before)
