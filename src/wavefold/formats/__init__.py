"""Files other programs write, read as tile sets."""

from wavefold.formats.mxgmn import read_mxgmn, subsets

__all__ = ["read_mxgmn", "subsets"]
