"""Deprecated: `wavefold.lint(tiles)` finds what `wavefold.tiles.doubts.doubts(tiles)` did."""

from wavefold.common.deprecation import module_aliases

__getattr__ = module_aliases(__name__, {"doubts": "wavefold.tiles.lint:lint"})
