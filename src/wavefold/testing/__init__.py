"""Contracts as tests, shipped with the library: inherit one and your plugin gets the whole suite.

    from wavefold.testing import TopologyContract

    class TestOctagonGrid(TopologyContract):
        @pytest.fixture(params=[OctagonGrid(1), OctagonGrid(5)], ids=repr)
        def topology(self, request):
            return request.param

Nothing here imports pytest or tests what plugins cannot change. Start with the docstring of the contract you
need: it names the fixtures to provide. Call `pytest.register_assert_rewrite("wavefold.testing")` in your
conftest, before the import, to see the values of a failed assertion.
"""

from wavefold.testing.constraint import ConstraintContract
from wavefold.testing.heuristic import HeuristicContract
from wavefold.testing.join import JoinContract
from wavefold.testing.map_format import MapFormatContract
from wavefold.testing.topology import TopologyContract

__all__ = ["ConstraintContract", "HeuristicContract", "JoinContract", "MapFormatContract", "TopologyContract"]
