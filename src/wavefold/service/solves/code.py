"""A map as code: a Python program and a command that make the same map without a server."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NamedTuple

import wavefold
from wavefold.formats.loaded import exact_name
from wavefold.service.live import logged_commands as logged
from wavefold.service.live.session import LiveSession
from wavefold.service.settings import Limits
from wavefold.service.solves.build import build_arguments
from wavefold.service.solves.models import CodeAnswer, SolveRequest
from wavefold.solver import Budget
from wavefold.solver.refining.refine import count_sweeps
from wavefold.solver.search.ladder import SEARCHES
from wavefold.tiles import TileSet
from wavefold.topology import Topology

DOCUMENT, PICTURE = "map.wavefold", "map.png"
PROBLEM_PARTS = ("pins", "constraints", "own_constraints", "weights")
SOLVER_PARTS = ("order", "choice", "search")
LONGEST_LINE = 100
RUN = "solver.run()"


def write_code(request: SolveRequest, tiles: TileSet, is_bundled: bool, limits: Limits) -> CodeAnswer:
    """The map of a request as code. What only a studio's document can say is read from one."""
    session = LiveSession(request, tiles, limits)
    by_document = f"wavefold generate {DOCUMENT} -o {PICTURE}"
    if request.fields.tables or request.fields.preset or request.terrain.weights or request.terrain.limits:
        python = f"import subprocess\n\nsubprocess.run({by_document.split()!r}, check=True)\n"
        return CodeAnswer(python=python, command=by_document, python_needs=DOCUMENT, command_needs=DOCUMENT)
    source = request.tileset if is_bundled else f"{name_file(tiles.name)}.zip"
    steps, parts = list_steps(session), build_parts(session, tiles)
    command = write_command(session, steps, parts) if is_bundled else None
    return CodeAnswer(
        python=write_python(session, source, steps, parts),
        command=command or by_document,
        python_needs=None if is_bundled else source,
        command_needs=None if command else DOCUMENT,
    )


def name_file(name: str) -> str:
    """A name for a file, from that of a tile set."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "tiles"


def build_parts(session: LiveSession, tiles: TileSet) -> dict[str, Any]:
    """Arguments of `wf.generate` that are not the default; locked cells are pins."""
    request, grid = session.request, session.problem.topology
    parts = build_arguments(request, tiles, grid)
    locked = {grid.coordinate(cell): exact_name(tiles.rules, each) for cell, each in request.locks}
    parts["pins"] = parts.get("pins", {}) | locked
    plain: dict[str, Any] = {"pins": {}, "order": "auto", "choice": None, "search": "auto", "constraints": ()}
    return {name: each for name, each in parts.items() if name not in plain or each != plain[name]}


# --- what a log does --------------------------------------------------------------------------------


class EditLine(NamedTuple):
    """A change of the finished map, as a line of Python; whether it refines, and as `generate` does."""

    line: str
    is_refining: bool = False
    is_usual: bool = False


class Steps(NamedTuple):
    """What a log does to the solver, as lines of Python, and then to its map."""

    solver: list[str]
    edits: list[EditLine]

    @property
    def is_plain(self) -> bool:
        """Whether all that is done to the solver is to run it, as `wf.generate` does."""
        return self.solver == [RUN]

    @property
    def is_refined(self) -> bool:
        """Whether refining comes first, as `wf.generate` does it."""
        return bool(self.edits) and self.edits[0].is_usual


def list_steps(session: LiveSession) -> Steps:
    """The log of a session; a map that is not finished is solved to its end and refined."""
    steps = Steps([], [])
    for command in session.log.entries:
        add_step(steps, session, command)
    if session.solver.status != "solved":
        add_step(steps, session, logged.Run(show="end"))
        add_step(steps, session, logged.Refine())
    return steps


def add_step(steps: Steps, session: LiveSession, command: Any) -> None:
    """Add what a command does; locks only count with another seed."""
    find = session.problem.topology.coordinate
    match command:
        case logged.Step(count=count):
            steps.solver.extend([f"for _ in range({count}):", "    solver.step()"])
        case logged.Run(until="end"):
            steps.solver.append(RUN)
        case logged.Run(until=until):
            steps.solver.extend(["with suppress(wf.OutOfBudget):", f"    solver.run({until})"])
        case logged.PinCell(cell=cell, tile=tile) | logged.BanTile(cell=cell, tile=tile):
            where = find(session.find_cell(cell))
            steps.solver.append(f"solver.{command.command}({where!r}, {write_value(tile)})")
        case logged.Undo(count=count):
            for _ in range(count):
                steps.edits.pop() if steps.edits else steps.solver.append("solver.undo()")
        case logged.Refine():
            if steps.edits and steps.edits[-1].is_refining:
                steps.edits.pop()
            steps.edits.append(EditLine(write_refining(session, command), True, command.sweeps is None))
        case logged.Paint() | logged.Regrow():
            cells = [find(session.find_cell(cell)) for cell in command.cells]
            last = write_value(command.tile) if isinstance(command, logged.Paint) else f"seed={command.seed}"
            parts = ["solution", write_value(cells), last]
            steps.edits.append(EditLine(write_call(f"solution = wf.{command.command}", parts)))


def write_refining(session: LiveSession, command: logged.Refine) -> str:
    """A line that refines the map as the session does; "" if it does not."""
    opening = session.opening
    wanted = opening.sweeps if command.sweeps is None else command.sweeps
    sweeps, _ = count_sweeps(wanted, session.problem, opening.is_steered)
    most = Budget.of(opening.budget).decisions
    budget = "" if most is None else f", budget=max(0, {most} - solution.stats.decisions)"
    return f"solution = solution.refine({sweeps}, seed={session.solver.seed}{budget})" if sweeps else ""


# --- Python -----------------------------------------------------------------------------------------


def write_python(session: LiveSession, source: str, steps: Steps, parts: dict[str, Any]) -> str:
    """A program that makes the map and draws it."""
    request, lines = session.request, [f"tiles = wf.TileSet.load({write_value(source)})"]
    lines.append(f"grid = {write_grid(session.problem.topology)}")
    if request.weights:
        lines.append("weights = tiles.rules.weights.copy()")
        lines += [f"weights[tiles.rules.patterns({write_value(tile)})] *= {factor!r}"
                  for tile, factor in request.weights.items()]  # fmt: skip
    written = {name: "weights" if name == "weights" else write_value(each) for name, each in parts.items()}
    about = [f"{name}={written[name]}" for name in PROBLEM_PARTS if name in written]
    how = [f"seed={request.seed}", *(f"{name}={written[name]}" for name in SOLVER_PARTS if name in written)]
    edits = steps.edits
    if steps.is_plain:
        refine = request.refine if steps.is_refined else False
        how += [f"refine={refine!r}"] if refine != "auto" else []
        how += [f"budget={written['budget']}"] if "budget" in written else []
        lines.append(write_call("solution = wf.generate", ["tiles", "grid", *how, *about]))
        edits = edits[steps.is_refined :]
    else:
        lines.append(write_call("problem = wf.Problem", ["tiles", "grid", *about]))
        lines.append(write_call("solver = wf.Solver", ["problem", *how]))
        lines += [*steps.solver, "solution = solver.solution()"]
    lines += [each.line for each in edits if each.line]
    text = "\n".join([*lines, f'solution.save("{PICTURE}")', ""])
    head = ["from contextlib import suppress", ""] if "suppress(" in text else []
    foreign = {type(each).__module__ for each in parts.get("constraints", ()) if not is_ours(each)}
    head += [*(f"import {each}" for each in sorted(foreign)), "import wavefold as wf", "", text]
    return "\n".join(head)


def write_call(start: str, parts: Iterable[str]) -> str:
    """A call, on one line or, if that is too long, with a line for each argument."""
    given = list(parts)
    line = f"{start}({', '.join(given)})"
    if len(line) <= LONGEST_LINE:
        return line
    return "\n".join([f"{start}(", *(f"    {each}," for each in given), ")"])


def write_value(value: Any) -> str:
    """Plain data, and objects of the library with what is not the default, as Python."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        pairs = (f"{write_value(key)}: {write_value(each)}" for key, each in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(write_value, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if not is_dataclass(value):
        return repr(value)
    given = {each.name: getattr(value, each.name) for each in fields(value) if is_given(each, value)}
    home = "wf" if is_ours(value) else type(value).__module__
    return f"{home}.{type(value).__name__}({', '.join(f'{k}={write_value(v)}' for k, v in given.items())})"


def is_ours(value: Any) -> bool:
    """Whether the class of a value is in `wavefold` by its name; those of plugins are not."""
    return getattr(wavefold, type(value).__name__, None) is type(value)


def is_given(field: Any, owner: Any) -> bool:
    """Whether the value of a field is not its default."""
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return bool(default is MISSING or getattr(owner, field.name) != default)


def write_grid(grid: Topology) -> str:
    """A grid as Python; its mask, which a representation only counts, whole."""
    mask = getattr(grid, "mask", None)
    if mask is None:
        return f"wf.{grid!r}"
    return re.sub(r"<[^>]*>", lambda _: repr(mask.array.tolist()), f"wf.{grid!r}")


# --- a command --------------------------------------------------------------------------------------


def write_command(session: LiveSession, steps: Steps, parts: dict[str, Any]) -> str | None:
    """A command that makes the map; None if its options cannot say all of it."""
    request, body = session.request, session.request.topology
    edits = [each for each in steps.edits[steps.is_refined :] if each.line]
    size = write_size(session)
    if edits or size is None or not steps.is_plain or request.weights or request.shares:
        return None
    heuristics = request.heuristics.model_dump(exclude_defaults=True)
    search = request.search.ladder
    is_named = parts.get("search", "auto") in ("auto", SEARCHES.get(search), search)
    if not set(heuristics) <= {"order", "choice"} or not is_named or body.mask is not None:
        return None
    words = ["wavefold", "generate", request.tileset, *size, "--seed", str(request.seed)]
    words += ["--wrap"] if body.wraps is True else []
    for name, value in heuristics.items():
        words += [f"--{name}", str(value)]
    words += ["--search", search] if search != "auto" else []
    refine = request.refine if steps.is_refined else False
    words += ["--refine", "off" if refine is False else str(refine)] if refine != "auto" else []
    words += [] if request.own_constraints else ["--no-own-constraints"]
    limits = request.budget.model_dump(exclude_none=True)
    if limits:
        units = {"ms": "ms", "decisions": "", "backtracks": " backtracks"}
        words += ["--budget", ", ".join(f"{value:g}{units[name]}" for name, value in limits.items())]
    for cell, tile in parts.get("pins", {}).items():
        if not isinstance(tile, str):
            return None
        words += ["--pin", f"{','.join(map(str, cell))}={tile}"]
    for table in request.constraints:
        pairs = [f"{key}={write_option(value)}" for key, value in table.items() if key != "kind"]
        words += ["--constraint", shlex.join([table["kind"], *pairs])]
    return shlex.join([*words, "-o", PICTURE])


def write_option(value: Any) -> str:
    """A value as options take it: as in TOML, or bare text."""
    return value if isinstance(value, str) else json.dumps(value)


def write_size(session: LiveSession) -> list[str] | None:
    """The options for the grid; None if there are none for it."""
    body, grid = session.request.topology, session.problem.topology
    does_wrap = any(body.wraps) if isinstance(body.wraps, tuple) else body.wraps
    if isinstance(body.wraps, tuple) or body.layout != "pointy" or (body.form == "rhombus" and not does_wrap):
        return None
    if body.form == "rectangle" and does_wrap:
        return None
    if body.radius is not None:
        return ["--radius", str(body.radius)]
    if body.width is not None and body.height is not None:
        sides = [body.width, body.height, *([body.depth] if body.depth else [])]
        return ["--size", "x".join(map(str, sides))]
    return ["--size", "x".join(map(str, reversed(grid.shape or ())))] if grid.kind != "hex" else []
