"""What the guard reads of wavefold's answers, by name. If a name changes, this is the one place to adapt.

Digests are of values, not of names: an attribute or a key that is called otherwise from now on goes into
`NAMES_NOW`, and every digest stays as it is.
"""

import json
from hashlib import blake2b

import numpy as np

# {what it was called when the digests were made: what it is called now}
NAMES_NOW = {
    "kept": "unchanged",
    "renewed": "solved",
    "small_windows": "blocks",
    "small_windows_kept": "blocks_unchanged",
    "swept": "solved_in_blocks",
    "wishes": "requirements",
    "wishes_asked": "soft_masks_asked",
    "wishes_met": "soft_masks_met",
}

SOLVE = ("decisions", "contradictions", "backtracks", "jumps", "repairs", "restarts", "max_depth", "order")
STAGES = ("corner", "edge", "joint", "interior")
STAGE = ("renewed", "swept", "kept", "small_windows", "small_windows_kept")
WISHES = ("wishes_asked", "wishes_met")
GRID = ("fixed", "attempts", "backtracks", "unfixed", "replaced", "changed", "dropped", "repaired", "widened")
PATCHWORK = ("cells", "changed_cells", "rebuilt", "mismatches_from_dropped")
CORNER = ("sides", "combinations", "impossible", "fragile")
AUDIT = {  # key: None for a plain value, or the keys inside it that count; neither times nor sentences do
    "name": None,
    "topology": None,
    "deep": None,
    "tiles": None,
    "patterns": None,
    "side_kinds": None,
    "impossible_pairs": None,
    "fragile_pairs": None,
    "pair_combinations": None,
    "impossible_triples": None,
    "fragile_triples": None,
    "triple_combinations": None,
    "impossible_triples_without": None,
    "sides": ("side", "kind", "patterns", "tiles", "verdict"),
    "pairs": CORNER,
    "triples": CORNER,
    "sub_complete": ("holds", "corner", "start", "failing", "arising"),
    "never_appear": ("pattern", "tile", "whole_tile", "at_rim"),
    "certificate": ("verdict", "size", "base", "mixing", "sizes_tried"),
    "correlation": None,
    "correlation_length": None,
    "reach": None,
    "trials": ("side", "order", "runs", "plain", "full", "contradictions"),
    "advice": ("order", "search", "window", "chunk"),
    "suggestions": ("sockets", "rises", "fills", "failing_before", "failing_after"),
    "failures": ("maps", "contradictions", "at_impossible_corners"),
}


# --- by name ------------------------------------------------------------------------------------


def read(thing, name):
    """An attribute of an answer, or a value of a document, by the name it had when digests were made."""
    now = NAMES_NOW.get(name, name)
    return thing[now] if isinstance(thing, dict) else getattr(thing, now)


def read_all(thing, names):
    """Several of them, under their old names."""
    return {name: read(thing, name) for name in names}


def read_solve(stats):
    """What a solve took, as it is on every machine."""
    rungs = list(read(stats, "rungs"))
    return read_all(stats, SOLVE) | {"rungs": rungs, "shortlists": read(stats, "shortlists")}


def read_map(solution):
    """A finished map: its patterns, and what it took."""
    return [read(solution, "patterns"), read_solve(read(solution, "stats"))]


def read_partial(solver):
    """A solver in the middle of its work: what every cell may be, and what was done so far."""
    status, possible = read(solver, "status"), solver.partial().possible
    return [possible, status, read_solve(read(solver, "stats"))]


def read_world_report(report):
    """How the windows of a world were made."""
    stages = {stage: read_all(read(report, stage), STAGE) for stage in STAGES}
    return stages | read_all(report, (*WISHES, "windows", "kept"))


def read_edit(edit):
    """What an edit asked for, and what settled it."""
    wanted = [[*cell, name] for cell, name in read(edit, "wanted").items()]
    settled = [[*cell, pattern] for cell, pattern in read(edit, "settled").items()]
    return [wanted, sorted(settled), read(edit, "reach")]


def read_patchwork(patchwork):
    """A patchwork: patterns by cell, what changed, and what every grid took."""
    patterns = sorted([*cell, pattern] for cell, pattern in read(patchwork, "patterns").items())
    cells = {name: [list(cell) for cell in read(patchwork, name)] for name in ("grids", "changed", "dropped")}
    report = read(patchwork, "report")
    grids = [
        read_all(grid, (*GRID, *WISHES, "join")) | {"key": list(read(grid, "key"))}
        for grid in read(report, "grids")
    ]
    return [np.array(patterns), cells, read_all(report, (*GRID, *WISHES, *PATCHWORK)), grids]


def read_repair(mended):
    """A mended map, and which cells changed or were broken."""
    changed, broken = list(read(mended, "changed")), list(read(mended, "broken"))
    return [read(read(mended, "solution"), "patterns"), changed, broken]


def read_explanation(explanation):
    """Which wishes contradict each other; in what words does not matter."""
    wishes = [[read(wish, "kind"), int(read(wish, "cell"))] for wish in read(explanation, "wishes")]
    cells = [int(cell) for cell in read(explanation, "cells")]
    return [wishes, cells, read(explanation, "contradictory"), read(explanation, "proved")]


def read_audit(audit):
    """What an audit found, but for times and sentences."""
    document = audit.to_dict()
    found = {}
    for key, inside in AUDIT.items():
        value = read(document, key)
        if inside is None or value is None:
            found[key] = value
        elif isinstance(value, dict):
            found[key] = read_all(value, inside)
        else:
            found[key] = [read_all(each, inside) for each in value]
    return [found]


def read_rules(rules):
    """What may touch what, and how heavy it is."""
    relations = range(len(read(rules, "relations")))
    allowed = [
        np.packbits([rules.allows(each, pattern) for pattern in range(len(rules))]) for each in relations
    ]
    names, weights = list(read(rules, "names")), np.asarray(read(rules, "weights")).tolist()
    return [names, weights, *allowed]


def read_events(events):
    """What a listener was told."""
    return [
        [read(event, "kind"), read(event, "cell"), list(read(event, "patterns")), read(event, "decision")]
        for event in events
    ]


# --- digests ------------------------------------------------------------------------------------


def digest(parts):
    """A short name for arrays and plain data."""
    whole = blake2b(digest_size=12)
    for part in parts:
        octets = bytes_of(part)
        whole.update(len(octets).to_bytes(8, "little"))
        whole.update(octets)
    return whole.hexdigest()


def bytes_of(part):
    """The same bytes on every machine: whole numbers of 32 bits, other numbers rounded, JSON for the rest."""
    if not isinstance(part, np.ndarray):
        return json.dumps(plain(part), sort_keys=True, separators=(",", ":")).encode()
    shape = np.array(part.shape, "<i4").tobytes()
    if part.dtype.kind == "f":
        return shape + np.round(part, 9).astype("<f8").tobytes()
    small = np.ascontiguousarray(part, "<i4")
    if not np.array_equal(small, part):
        raise ValueError("an array of the guard holds numbers that need more than 32 bits")
    return shape + small.tobytes()


def plain(value):
    """Only what JSON knows, and numbers without their last digits."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return round(float(value), 9)
    return value if value is None else str(value)
