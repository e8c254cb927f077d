"""Every bundled join keeps the contract, on squares and on hexagons."""

import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES, compiled_only
from wavefold.patchwork.joins import Editable, Fixed, Overlap, Whole, Witness
from wavefold.testing import JoinContract

pytestmark = compiled_only
JOINS = [Editable(), Fixed(), Overlap(), Whole(), Witness(chunk=24)]


class TestBundledJoins(JoinContract):
    @pytest.fixture(
        params=[Editable(), Fixed(), Overlap(), Whole(), Witness(chunk=24)], ids=lambda join: join.name
    )
    def join(self, request):
        return request.param

    @pytest.fixture(params=[PIPES, HEX_RIVERS], ids=["square", "hex"])
    def tiles(self, request):
        return request.param


class Stubborn(Overlap):
    """A join of a user's own."""

    name = "stubborn"


class TestOwnJoin(JoinContract):
    @pytest.fixture
    def join(self):
        return Stubborn(ring=2)

    @pytest.fixture
    def tiles(self):
        return wf.TileSet.load("pipes")
