"""Parts found by name, built-in or from other packages: their kinds and where each part is.

Start with `registry`; `kinds` defines what a part of each kind is, and `map_formats` what a file format is.
"""

from wavefold.plugins.kinds import KINDS
from wavefold.plugins.map_formats import MapFormat, check_writing, endings_with, format_of
from wavefold.plugins.registry import available, find, find_plugin, find_plugins, is_offered, load_all

__all__ = [
    "KINDS",
    "MapFormat",
    "available",
    "check_writing",
    "endings_with",
    "find",
    "find_plugin",
    "find_plugins",
    "format_of",
    "is_offered",
    "load_all",
]
