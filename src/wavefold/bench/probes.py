"""What is measured in a process of its own. Each probe prints its numbers as one line of JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter, process_time


def large_map(folder: str | None, side: int, order: str) -> None:
    """The time to make one large map, and the most memory this process ever held."""
    from wavefold.api import generate
    from wavefold.bench.data import usual_tiles
    from wavefold.topology import SquareGrid

    tiles = usual_tiles(Path(folder) if folder else None)[1]
    generate(tiles, SquareGrid(8, 8), order=order)  # loads compiled kernels
    started = process_time()
    generate(tiles, SquareGrid(side, side), seed=1, order=order)
    seconds = process_time() - started
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def first_map() -> None:
    """The time from `import wavefold` to a first small map, as somebody in front of it would count."""
    started = perf_counter()
    import wavefold

    tiles = wavefold.TileSet.load("pipes")
    wavefold.generate(tiles, wavefold.SquareGrid(16, 16), seed=1)
    print(json.dumps({"seconds": perf_counter() - started}))


def peak_megabytes() -> float:
    """The largest resident size of this process; not a number where the system does not tell."""
    try:
        import resource
    except ImportError:
        return float("nan")
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
