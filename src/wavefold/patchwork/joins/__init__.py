"""Ways to join grids. The contract of all is in `patchwork.join`. Start with `overlap`, the usual one."""

from wavefold.patchwork.join import Join
from wavefold.patchwork.joins.fixed import Fixed
from wavefold.patchwork.joins.overlap import Editable, Overlap
from wavefold.patchwork.joins.seamless import Whole, Witness

__all__ = ["Editable", "Fixed", "Join", "Overlap", "Whole", "Witness"]
