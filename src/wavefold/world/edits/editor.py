"""Make, undo and replay edits of one world: solve what users ask for, and enter it into the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import fold_seed, mix
from wavefold.errors import ConfigError, Contradiction, WavefoldError, WorldError
from wavefold.world.edits.edit import Edit, Wanted
from wavefold.world.edits.log import EditLog
from wavefold.world.edits.solve import FARTHEST_REACH, REACH, is_final, solve_edit
from wavefold.world.region import RegionReader


class Editor:
    """The edits of one world. One thread edits at a time; any may read meanwhile.

    seed : of the world; an edit depends on it, on the edits before it, and on nothing else
    """

    def __init__(self, reader: RegionReader, seed: int, log: EditLog) -> None:
        self.reader, self.log = reader, log
        self._seed = fold_seed(seed)

    def edit(self, wanted: Wanted, reach: int) -> Edit:
        """Solve an edit and add it to the log; if that fails, nothing changes."""
        with self.log.writing:
            edit = self._solve(self.log, wanted, reach)
            self.log.add(edit)
        return edit

    def pin(self, wanted: Wanted) -> None:
        """Make the first edit, which cannot be undone. Cells farther away change only if they must."""
        first: WavefoldError | None = None
        for reach in (REACH, 2 * REACH, FARTHEST_REACH):
            try:
                self.log.add(self._solve(self.log, wanted, reach))
            except (Contradiction, WorldError) as error:
                first = first or error
                if is_final(error):
                    break
            except ConfigError:  # too many cells within this reach
                if first is None:
                    raise
                break
            else:
                self.log.pinned = 1
                return
        raise WorldError(f"the pins cannot be met: {first}") from first

    def replay(self, edits: Iterable[Any]) -> None:
        """Make the edits of another log, each solved again: all of them or none."""
        try:
            entries = list(edits)
        except TypeError:
            raise ConfigError(f"edits must be a list, as world.edits gives, not {edits!r:.80}") from None
        with self.log.writing:
            trial = self.log.copy()
            for number, entry in enumerate(entries, start=1):
                edit = entry if isinstance(entry, Edit) else Edit.from_dict(entry)
                try:
                    trial.add(self._solve(trial, edit.wanted, edit.reach))
                except WavefoldError as error:
                    raise WorldError(
                        f"edit number {number} of the log cannot be made here: {error}"
                    ) from error
            self.log.replace(trial.edits, trial.applied)

    def _solve(self, log: EditLog, wanted: Wanted, reach: int) -> Edit:
        """The edit that gives these tiles, after those of a log."""

        def region(x: int, y: int, width: int, height: int) -> NDArray[np.int32]:
            return self.reader.read(log.overlay, x, y, width, height)

        generator = self.reader.generator
        masks = None if generator.targets is None else generator.targets.masks
        seed = mix(self._seed, log.applied)
        changes = solve_edit(
            generator.rules, region, wanted, log.requested.within, reach=reach, seed=seed, fields=masks
        )
        return Edit(wanted, changes, reach)
