"""Configurations of DeBroglie, a wave function collapse for C#: JSON with samples, rules and constraints.

Configurations are read, not written. Tiles, size and constraints become a problem; unsupported fields are
reported by name. Start with `read`.
"""

from wavefold.formats.debroglie.read import DeBroglieConfig, read_debroglie

__all__ = ["DeBroglieConfig", "read_debroglie"]
