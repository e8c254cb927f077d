"""Ways to join grids. Their interface is in `patchwork.join`. Start with `overlap`, the default."""

from wavefold.patchwork.join import Join
from wavefold.patchwork.joins.fixed import Fixed
from wavefold.patchwork.joins.overlap import Editable, Overlap
from wavefold.patchwork.joins.seamless import Whole, Witness

__all__ = ["Editable", "Fixed", "Join", "Overlap", "Whole", "Witness"]
