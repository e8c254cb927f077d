"""Deprecated: `boundaries` and `seams` are `wf.boundaries` and `wf.seams`."""

from wavefold.common.deprecation import module_aliases

__getattr__ = module_aliases(
    "wavefold.world.boundaries", {"boundaries": "wavefold:boundaries", "seams": "wavefold:seams"}
)
