"""Contracts for plugins, written as tests: inherit a contract to run its whole suite on your plugin.

    from wavefold.testing import LatticeContract

    class TestTriangleGrid(LatticeContract):
        @pytest.fixture(params=[TriangleGrid(1, 1), TriangleGrid(6, 4, wraps=True)], ids=repr)
        def topology(self, request):
            return request.param

The docstring of each contract names the fixtures to provide. Call
`pytest.register_assert_rewrite("wavefold.testing")` in your conftest, before the import, to see the values of
failed assertions. This package does not import pytest.
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
