"""Options and parameters as users write them: read, checked, and described in messages."""

from wavefold._lazy import import_on_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wavefold.options.groups import MOST_SWEEPS, GenerateOptions, PatchworkOptions, WorldOptions
    from wavefold.options.option import find_option
    from wavefold.options.text import write_value
    from wavefold.options.values import LimitError, parse_colour, shorten

_HOMES = {
    "groups": "MOST_SWEEPS GenerateOptions PatchworkOptions WorldOptions",
    "option": "find_option",
    "text": "write_value",
    "values": "LimitError parse_colour shorten",
}

__all__ = [
    "MOST_SWEEPS",
    "GenerateOptions",
    "LimitError",
    "PatchworkOptions",
    "WorldOptions",
    "find_option",
    "parse_colour",
    "shorten",
    "write_value",
]

if not TYPE_CHECKING:  # with it, type checkers would believe any name
    __getattr__ = import_on_use(__name__, _HOMES)
