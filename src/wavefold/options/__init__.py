"""Options and parameters as users write them: read, checked, and described in messages."""

from wavefold import import_on_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wavefold.options.groups import MOST_SWEEPS, GenerateOptions, PatchworkOptions, WorldOptions
    from wavefold.options.option import find_option
    from wavefold.options.text import write_value
    from wavefold.options.values import LimitError, parse_colour, shorten

_NAMES = {  # module -> its names
    "wavefold.options.groups": ("MOST_SWEEPS", "GenerateOptions", "PatchworkOptions", "WorldOptions"),
    "wavefold.options.option": ("find_option",),
    "wavefold.options.text": ("write_value",),
    "wavefold.options.values": ("LimitError", "parse_colour", "shorten"),
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
    __getattr__ = import_on_use(__name__, _NAMES)
