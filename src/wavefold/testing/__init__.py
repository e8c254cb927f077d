"""Contracts as tests, shipped with the library: inherit one and your plugin gets the whole suite.

    from wavefold.testing import LatticeContract

    class TestTriangleGrid(LatticeContract):
        @pytest.fixture(params=[TriangleGrid(1, 1), TriangleGrid(6, 4, wraps=True)], ids=repr)
        def topology(self, request):
            return request.param

Nothing here imports pytest or tests what plugins cannot change. Start with the docstring of the contract you
need: it names the fixtures to provide. Call `pytest.register_assert_rewrite("wavefold.testing")` in your
conftest, before the import, to see the values of a failed assertion.
"""

from wavefold.testing.constraint import ConstraintContract
from wavefold.testing.heuristic import ChoiceContract, HeuristicContract
from wavefold.testing.join import JoinContract
from wavefold.testing.map_format import MapFormatContract
from wavefold.testing.output import DiagnosticContract, RendererContract, TileSetContract
from wavefold.testing.topology import LatticeContract, TopologyContract

__all__ = [
    "ChoiceContract",
    "ConstraintContract",
    "DiagnosticContract",
    "HeuristicContract",
    "JoinContract",
    "LatticeContract",
    "MapFormatContract",
    "RendererContract",
    "TileSetContract",
    "TopologyContract",
]
