"""A diagnostic: at which cells searches came to dead ends."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold.storage.files import check_writable, write_atomically

KIND, CELL = 0, 1  # columns of a batch
CONTRADICTION = wf.EVENT_KINDS.index("contradiction")


def by_frequency(item: tuple[Any, int]) -> tuple[int, str]:
    """What sorts cells: the most frequent first."""
    return -item[1], str(item[0])


class Conflicts(wf.Diagnostic):
    """Counts the conflicts at each cell over all maps, "conflicts=FILE", as CSV."""

    def __init__(self, target: str = "") -> None:
        super().__init__(target)
        if not target:
            raise wf.ConfigError("the diagnostic 'conflicts' needs a file: conflicts=conflicts.csv")
        check_writable(target)
        self.paths = (Path(target),)
        self.counts: Counter[Any] = Counter()
        self.topology: wf.Topology | None = None

    def start(self, solver: wf.Solver) -> None:
        """Remember what the numbers of cells mean."""
        self.topology = solver.problem.topology

    def receive(self, batch: Any) -> None:
        """Count the conflicts in a batch."""
        assert self.topology is not None
        cells = batch[batch[:, KIND] == CONTRADICTION, CELL].tolist()
        self.counts.update(self.topology.coordinate(cell) for cell in cells if cell >= 0)

    def close(self) -> None:
        """Write the file, the most frequent first."""
        if self.topology is None:
            return
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["cell", "conflicts"])
        rows: list[tuple[Any, int]] = sorted(self.counts.items(), key=by_frequency)
        writer.writerows(rows)
        with write_atomically(self.target) as file:
            file.write(text.getvalue().encode())
