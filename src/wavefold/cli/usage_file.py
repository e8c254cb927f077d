"""The file of `--priors`: the number of cells of each tile in all maps so far, as a JSON object."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import wavefold as wf
from wavefold.errors import ConfigError, FormatError, suggest
from wavefold.storage.files import check_writable, read_limited, write_atomically

MOST_BYTES = 16 << 20


class UsageFile:
    """Counts that are read when a command starts, and written after each map."""

    def __init__(self, path: Path, tiles: wf.TileSet) -> None:
        check_writable(path)
        self.path = path
        self.counts = Counter(read_usage(path) if path.exists() else {})
        names = tiles.rules.tiles
        for name in self.counts:
            if name not in names:
                raise ConfigError(
                    f"--priors {str(path)!r} counts an unknown tile {name!r}; {suggest(name, names)}; "
                    "use a file for each tile set"
                )

    def add(self, solution: wf.Solution) -> None:
        """Add the tiles of a map, and save the counts."""
        self.counts.update(solution.usage())
        with write_atomically(self.path) as file:
            file.write(json.dumps(self.counts, indent=1, ensure_ascii=False).encode() + b"\n")


def read_usage(path: Path) -> dict[str, int]:
    """{tile: count} from a file."""
    from wavefold.solver.heuristics import MOST_PRIORS

    try:
        counts = json.loads(read_limited(path, MOST_BYTES, "it cannot be a file of --priors"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"--priors: {str(path)!r} is not valid JSON: {error}; name another file") from error
    is_usage = isinstance(counts, dict) and all(
        type(count) is int and 0 <= count <= MOST_PRIORS for count in counts.values()
    )
    if not is_usage:
        raise FormatError(
            f"--priors: {str(path)!r} does not hold counts of tiles, such as "
            '{"grass": 120, "house": 3}; name another file'
        )
    return dict(counts)
