"""Write the table of digests again: `python tests/guard/record.py`, only when maps are meant to change."""

import json
import sys
from pathlib import Path
from time import perf_counter

from cases import digests_of, make_scenes

TABLE = Path(__file__).with_name("digests.json")


def record(wanted=""):
    """{name: digest} of every scene whose name begins so; slow ones are named."""
    table = {}
    for name in sorted(make_scenes()):
        if name.startswith(wanted):
            started = perf_counter()
            table |= digests_of(name)
            if (seconds := perf_counter() - started) > 1:
                print(f"{name}: {seconds:.1f} s", file=sys.stderr)
    return table


def write(table, path):
    """One line for each."""
    path.write_text(json.dumps(table, indent=0, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    found = record()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE
    write(found, target)
    print(f"{len(found)} digests of {len(make_scenes())} scenes")
