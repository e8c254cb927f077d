"""What other engines take, as public figures to hold ours against."""

from __future__ import annotations

SOURCE = (
    "successful solves by public engines in their own default order, processor time, "
    "measured November 2026 on one core of a 2-core machine (noise about 30 %)"
)
SIDES = (48, 128, 256)

# Engine -> milliseconds for maps of 48x48, 128x128 and 256x256; None where it never succeeded.
MILLISECONDS: dict[str, dict[str, tuple[float | None, float | None, float | None]]] = {
    "Skyline": {
        "fast-wfc (C++)": (21, 265, 1850),
        "gridbugs/wfc (Rust)": (43, 400, 1990),
        "mxgmn (C#)": (88, 782, 6860),
        "DeBroglie (C#)": (57, 547, 2440),
    },
    "Flowers": {
        "fast-wfc (C++)": (13, 154, 1190),
        "gridbugs/wfc (Rust)": (29, 224, 1100),
        "mxgmn (C#)": (35, 467, None),
        "DeBroglie (C#)": (88, 242, 1030),
    },
    "City": {
        "fast-wfc (C++)": (4.5, 59, 735),
        "gridbugs/wfc (Rust)": (11.5, 80, 283),
        "mxgmn (C#)": (18, 202, 1580),
        "DeBroglie (C#)": (19, 134, 586),
    },
}


def fastest_peer(sample: str, side: int) -> tuple[str, float] | None:
    """The engine that was fastest on this sample at this size, and its milliseconds."""
    if sample not in MILLISECONDS or side not in SIDES:
        return None
    column = SIDES.index(side)
    times = {engine: row[column] for engine, row in MILLISECONDS[sample].items()}
    known = {engine: ms for engine, ms in times.items() if ms is not None}
    engine = min(known, key=lambda each: known[each])
    return engine, known[engine]
