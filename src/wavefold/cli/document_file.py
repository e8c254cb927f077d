"""`wavefold generate map.wavefold`: the map of a studio document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wavefold.cli.outputs import check_outputs, check_writing, list_written, print_result, write_map
from wavefold.cli.terminal import note, print_json, show_map
from wavefold.errors import ConfigError
from wavefold.plugins.registry import load_extension

ENDING = ".wavefold"


def generate_document(path: Path, flags: dict[str, Any], outputs: Sequence[Path], as_json: bool) -> None:
    """Make the map of a document, and write or show it."""
    for name, value in flags.items():
        if value is not None and not name.startswith("picture."):
            option = name.rpartition(".")[2].replace("_", "-")
            raise ConfigError(f"{path} defines its map: leave out --{option}")
    options = {name.removeprefix("picture."): each for name, each in flags.items() if each is not None}
    document = load_saved_map(path)
    for each in document.changes:
        note(f"{path}: {each}")
    check_outputs(outputs, 1)
    solution = document.make()
    check_writing(solution.problem, outputs, 1, options)
    for output in outputs:
        write_map(solution, output, solution.seed, options)
    if as_json:
        names = list(solution.problem.rules.names)
        print_json({"seed": solution.seed, "outputs": list_written(), "stats": solution.stats.to_dict(),
                    "names": names, "map": solution.array.tolist()})  # fmt: skip
        return
    if not outputs:
        show_map(solution)
    print_result(f"{document.tiles.name}, seed {solution.seed}: the map of {path}")


def load_saved_map(path: Path) -> Any:
    """The map of a document; raises if the server, which reads documents, is not installed."""
    return load_extension("wavefold.documents", "read", "studio")(path)


def is_document(name: str | None) -> bool:
    """Whether the name of a tile set is that of a document."""
    return name is not None and name.lower().endswith(ENDING)
