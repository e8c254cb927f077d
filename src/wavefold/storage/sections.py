"""The sections of saved worlds and patchworks: their names, and which entries belong to each.

An entry is a row of the table `parts` in a world's store, or a key of a patchwork's JSON document. A reader
lists the sections it can read. A file with any other section is refused with its name, because without that
section it would be a different world.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wavefold._version import __version__
from wavefold.errors import WavefoldError

FORMAT_VERSION = 1  # of stores and of patchwork files; a new section does not change it


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a saved world or patchwork.

    entries : the names of its entries
    prefix : entries that begin with this belong to it, too: one for each of several items
    """

    name: str
    entries: tuple[str, ...]
    prefix: str | None = None

    def owns(self, entry: str) -> bool:
        """Whether an entry belongs to this section."""
        return entry in self.entries or (self.prefix is not None and entry.startswith(self.prefix))


# Text, sheet, flat sheet, pictures of objects.
TILES = Section("tiles", ("tiles.toml", "tiles.png", "tiles-flat.png", "tiles-objects.png"))
FIELDS = Section("fields", ("fields", "meaning of fields"), prefix="field ")
EDITS = Section("edits", ("log",))  # the edits themselves are in a table of their own
JOINS = Section("joins", ("join", "retries", "presets"))
REFINE = Section("refine", ("refine", "activities"))
# Names reserved for future contents of worlds and patchworks; nothing reads them yet.
RESERVED = ("constraints", "plan")


def check_sections(
    entries: Iterable[str],
    known: Iterable[Section],
    path: object,
    error: type[WavefoldError],
    writer: object = None,
) -> None:
    """Raise `error` if an entry belongs to none of the known sections.

    writer : the version of wavefold that wrote the file, if it is known
    """
    sections = tuple(known)
    unknown = sorted(entry for entry in entries if not any(section.owns(entry) for section in sections))
    if unknown:
        by = f"wavefold {writer}" if writer else "a newer wavefold"
        raise error(
            f"{path} has a section {unknown[0]!r}, which wavefold {__version__} cannot read; open it with "
            f"the version that wrote it ({by})"
        )
