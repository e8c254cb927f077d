"""Parts that are found by name, built-in or from other packages.

Start with `registry`. `kinds` defines the kinds of parts, and `map_formats` defines file formats.
"""

from wavefold.plugins.kinds import KINDS
from wavefold.plugins.map_formats import MapFormat, check_writing, find_saving_format, list_endings
from wavefold.plugins.registry import available, find, find_plugin, find_plugins, is_offered, load_all

__all__ = [
    "KINDS",
    "MapFormat",
    "available",
    "check_writing",
    "find",
    "find_plugin",
    "find_plugins",
    "find_saving_format",
    "is_offered",
    "list_endings",
    "load_all",
]
