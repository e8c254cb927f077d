"""Files that commands write: which formats there are, and one file or sheet for several maps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold.errors import ConfigError, suggest
from wavefold.plugins import available
from wavefold.render.save import check_place

__all__ = ["check_outputs", "is_animation", "named_for", "write"]

SEED = "{seed}"  # in a name: a file for each map
SHEETS = (".png",)  # several maps side by side


def check_outputs(paths: Sequence[Path], count: int = 1, animated: bool = True) -> None:
    """Raise, before any work, for an ending nobody writes or a place nobody can write to."""
    known = sorted({*available("writer"), *(available("animation_writer") if animated else ())})
    for path in paths:
        ending = path.suffix.lower()
        if ending not in known:
            hint = suggest(ending, known) if ending else f"known: {', '.join(known)}"
            raise ConfigError(f"cannot write {str(path)!r}: no format has this ending; {hint}")
        if count > 1 and SEED not in path.name and ending not in SHEETS:
            raise ConfigError(
                f"{str(path)!r} can hold one map, not {count}: write {path.stem}-{SEED}{path.suffix}, "
                "and each map has a file of its own"
            )
        check_place(path)


def is_animation(path: Path) -> bool:
    """Whether this shows the solve, not the map."""
    ending = path.suffix.lower()
    return ending in available("animation_writer") and ending not in available("writer")


def named_for(path: Path, seed: int) -> Path:
    """The file of one map."""
    return path.with_name(path.name.replace(SEED, str(seed)))


def write(maps: Sequence[wf.Solution], path: Path, options: dict[str, Any]) -> list[Path]:
    """One file with all maps, or one for each; the names of what was written."""
    if SEED in path.name or len(maps) == 1:
        written = []
        for solution in maps:
            name = named_for(path, solution.seed)
            solution.save(name, **(options if path.suffix.lower() in (".png", ".svg") else {}))
            written.append(name)
        return written
    from wavefold.render import contact_sheet
    from wavefold.render.save import write_image

    write_image(contact_sheet(maps, tile_size=options.get("tile_size")), path)
    return [path]
