"""Joins. Start with `overlap`, the default; the interface is in `patchwork.join`."""

from wavefold.patchwork.join import Join
from wavefold.patchwork.joins.fixed import Fixed
from wavefold.patchwork.joins.overlap import Editable, Overlap
from wavefold.patchwork.joins.seamless import Whole, Witness

__all__ = ["Editable", "Fixed", "Join", "Overlap", "Whole", "Witness"]
