"""Ways to join grids: one each, with the same contract."""

from wavefold.patchwork.joins.base import Join
from wavefold.patchwork.joins.editable import Editable
from wavefold.patchwork.joins.fixed import Fixed
from wavefold.patchwork.joins.overlap import Overlap
from wavefold.patchwork.joins.whole import Whole
from wavefold.patchwork.joins.witness import Witness

__all__ = ["Editable", "Fixed", "Join", "Overlap", "Whole", "Witness"]
