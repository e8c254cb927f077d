"""A map as code: a Python program and a command that make the same map without a server."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from wavefold.config import Effective, build_expression
from wavefold.constraints import to_tuples
from wavefold.fields import Fields, Source
from wavefold.formats import find_exact_name
from wavefold.options import write_value as write_option_value
from wavefold.solver import Budget, count_sweeps, find_ladder
from wavefold.tiles import TileSet
from wavefold_server.code.models import CodeAnswer
from wavefold_server.code.python_text import (
    TileSource,
    write_call,
    write_grid,
    write_object,
    write_program,
    write_value,
)
from wavefold_server.live import logged_commands as logged
from wavefold_server.live.session import LiveSession
from wavefold_server.settings import Limits
from wavefold_server.solves.build import build_arguments, build_config
from wavefold_server.solves.models import SolveRequest

DOCUMENT, PICTURE = "map.wavefold", "map.png"
PROBLEM_PARTS = ("pins", "constraints", "own_constraints", "weights", "masks", "fields")
SOLVER_PARTS = ("order", "choice", "search")
RUN = "solver.run()"
Sources: TypeAlias = Mapping[str, Source]


def write_map(request: SolveRequest, tiles: TileSet, is_bundled: bool, limits: Limits) -> CodeAnswer:
    """The map of a request as code. What options cannot say, the command reads from the studio's document."""
    session = LiveSession(request, tiles, limits)
    source = TileSource.find(request.tileset, tiles, is_bundled)
    steps, parts = list_steps(session), build_parts(session, tiles)
    command = write_command(session, source.text, steps, parts)
    return CodeAnswer(
        python=write_python(session, source.text, steps, parts),
        command=command or f"wavefold generate {DOCUMENT} -o {PICTURE}",
        python_needs=source.file,
        command_needs=source.file if command else DOCUMENT,
    )


def build_parts(session: LiveSession, tiles: TileSet) -> dict[str, Any]:
    """Arguments of `wf.generate` that are not the default; locked cells are pins."""
    request, grid = session.request, session.problem.topology
    parts = build_arguments(request, tiles, grid)
    locked = {grid.coordinate(cell): find_exact_name(tiles.rules, each) for cell, each in request.locks}
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
            steps.solver.append(f"solver.{command.command}({where!r}, {write_value(to_tuples(tile))})")
        case logged.Undo(count=count):
            for _ in range(count):
                steps.edits.pop() if steps.edits else steps.solver.append("solver.undo()")
        case logged.Refine():
            if steps.edits and steps.edits[-1].is_refining:
                steps.edits.pop()
            steps.edits.append(EditLine(write_refining(session, command), True, command.sweeps is None))
        case logged.Paint() | logged.Regrow():
            cells = [find(session.find_cell(cell)) for cell in command.cells]
            parts = ["solution", write_value(cells)]
            if isinstance(command, logged.Paint):
                parts.append(write_value(to_tuples(command.tile)))  # a colour is a tuple; a list has names
            else:
                parts.append(f"seed={command.seed}")
            for name in ("keep", "drop"):
                if named := getattr(command, name, []):
                    parts.append(f"{name}={write_value([find(session.find_cell(cell)) for cell in named])}")
            steps.edits.append(EditLine(write_call(f"solution = wf.{command.command}", parts)))


def write_refining(session: LiveSession, command: logged.Refine) -> str:
    """A line that refines the map as the session does; "" if it does not."""
    opening = session.opening
    wanted = opening.sweeps if command.sweeps is None else command.sweeps
    sweeps, _ = count_sweeps(wanted, session.problem, opening.has_custom_order)
    most = Budget.of(opening.budget).decisions
    budget = "" if most is None else f", budget=max(0, {most} - solution.stats.decisions)"
    return f"solution = solution.refine({sweeps}, seed={session.solver.seed}{budget})" if sweeps else ""


# --- Python -----------------------------------------------------------------------------------------


def write_python(session: LiveSession, source: str, steps: Steps, parts: dict[str, Any]) -> str:
    """A program that makes the map and draws it."""
    request, lines = session.request, [f"tiles = wf.TileSet.load({write_value(source)})"]
    lines.append(f"grid = {write_grid(session.problem.topology)}")
    effective = Effective(build_config(request), {})
    if "fields" in parts or "masks" in parts:
        lines.append(f"fields = {write_value(effective.fields)}")
    lines += write_weights(request, effective.sources)
    written = write_parts(request, parts, effective.sources)
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
    return write_program([*lines, f'solution.save("{PICTURE}")'], parts.get("constraints", ()))


def write_parts(request: SolveRequest, parts: dict[str, Any], sources: Sources) -> dict[str, str]:
    """Arguments of `wf.generate`; those that are arrays are made of fields by the code."""
    code = {"weights": "weights", "fields": "fields"}
    code["masks"] = f"fields.masks(tiles, grid, {write_value(request.terrain.limits)})"
    if request.heuristics.influence is not None:
        influence = write_cells(request.heuristics.influence, sources)
        code["order"] = write_object(parts["order"], influence=influence)
    return {name: code.get(name) or write_value(each) for name, each in parts.items()}


def write_weights(request: SolveRequest, sources: Sources) -> list[str]:
    """Lines that make `weights`, of each pattern, and if fields are involved of each cell; none without."""
    by_cell = request.terrain.weights
    if not request.weights and not by_cell:
        return []
    lines = ["weights = tiles.rules.weights.copy()"]
    for tile, factor in request.weights.items():
        lines.append(f"weights[tiles.rules.patterns({write_value(tile)})] *= {factor!r}")
    lines += ["weights = np.tile(weights, (grid.cell_count, 1))"] if by_cell else []
    for tile, text in by_cell.items():
        factors = write_cells(str(text), sources)
        lines.append(f"weights[:, tiles.rules.patterns({write_value(tile)})] *= {factors}[:, None]")
    return lines


def write_cells(expression: str, sources: Sources) -> str:
    """The values of an expression of fields at all cells of `grid`."""
    return f'{write_value(Fields(value=build_expression(expression, sources)))}.at(grid)["value"]'


# --- a command --------------------------------------------------------------------------------------


def write_command(session: LiveSession, source: str, steps: Steps, parts: dict[str, Any]) -> str | None:
    """A command that makes the map; None if its options cannot say all of it."""
    request, body = session.request, session.request.topology
    edits = [each for each in steps.edits[steps.is_refined :] if each.line]
    size, constraints = write_size(session), write_constraints(request.constraints)
    if edits or not steps.is_plain or request.weights or request.shares:
        return None
    if size is None or constraints is None:
        return None
    heuristics = request.heuristics.model_dump(exclude_defaults=True)
    search = request.search.ladder
    is_named = parts.get("search", "auto") in ("auto", find_ladder(search), search)
    has_fields = {"fields", "masks"} & set(parts) or request.terrain.weights
    if not set(heuristics) <= {"order", "choice"} or not is_named or body.mask is not None or has_fields:
        return None
    words = ["wavefold", "generate", source, *size, "--seed", str(request.seed)]
    words += ["--wrap"] if body.wraps is True else []
    for name, value in heuristics.items():
        words += [f"--{name}", str(value)]
    words += ["--search", search] if search != "auto" else []
    words += write_refine(request.refine if steps.is_refined else False)
    words += [] if request.own_constraints else ["--no-own-constraints"]
    limits = request.budget.model_dump(exclude_none=True)
    if limits:
        units = {"ms": "ms", "decisions": "", "backtracks": " backtracks"}
        words += ["--budget", ", ".join(f"{value:g}{units[name]}" for name, value in limits.items())]
    for cell, tile in parts.get("pins", {}).items():
        if not isinstance(tile, str):
            return None
        words += ["--pin", f"{','.join(map(str, cell))}={tile}"]
    return shlex.join([*words, *constraints, "-o", PICTURE])


def write_refine(refine: Any) -> list[str]:
    """The option for sweeps; none if it is as usual."""
    return [] if refine == "auto" else ["--refine", "off" if refine is False else str(refine)]


def write_constraints(tables: Iterable[dict[str, Any]]) -> list[str] | None:
    """The options for constraints; None if they cannot say one of the values."""
    words = []
    for table in tables:
        pairs = [table["kind"]]
        for key in (each for each in table if each != "kind"):
            value = write_option_value(table[key])
            if value is None:
                return None
            pairs.append(f"{key}={value}")
        words += ["--constraint", shlex.join(pairs)]
    return words


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
