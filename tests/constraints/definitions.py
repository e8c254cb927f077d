"""What each constraint means, written down once more: slowly, from the guide, and without the library."""

from functools import cache

import numpy as np

import wavefold as wf


class Sketch:
    """A small map [cell], with what definitions need: the tile of each cell, and which cells touch.

    ways : {pattern name: its nodes for `sides=`, each as the names of the sides on which it is joined}
    """

    def __init__(self, problem, patterns, ways=None):
        names = problem.rules.names
        self.problem, self.ways = problem, ways or {}
        self.names = [names[each] for each in patterns]
        self.tiles = [name.split("@")[0] for name in self.names]
        self.touching = neighbours_of(problem.topology)
        self.patterns = np.array(patterns)

    def cells_of(self, tiles):
        """The cells that have one of these tiles."""
        wanted = {tiles} if isinstance(tiles, str) else set(tiles)
        return [cell for cell, tile in enumerate(self.tiles) if tile in wanted]

    def steps_from(self, start):
        """{cell: steps along the topology}."""
        return spread(start, lambda cell: [other for _, other, _ in self.touching[cell]])


@cache
def neighbours_of(topology):
    """[cell] -> (direction, other cell, the direction that leads back), ..."""
    neighbour, opposite, _ = topology.graph()
    return [
        [(side, int(other), int(opposite[side])) for side, other in enumerate(row) if other >= 0]
        for row in neighbour.tolist()
    ]


def spread(start, list_next):
    """{place: steps from the start}, for all places that can be reached."""
    steps, line = {start: 0}, [start]
    for here in line:
        for other in list_next(here):
            if other not in steps:
                steps[other] = steps[here] + 1
                line.append(other)
    return steps


class Path:
    """The nodes of a path, and the edges between them."""

    def __init__(self, sketch, tiles, sides, inside=None):
        every = range(len(sketch.tiles))
        mine = set(every if tiles is None else sketch.cells_of(tiles))
        mine &= set(every if inside is None else inside)
        self.nodes = {}
        for cell in mine:
            if sides is None:
                self.nodes[cell, 0] = {side for side, _, _ in sketch.touching[cell]}
                continue
            words = sketch.problem.topology.directions
            for number, ways in enumerate(sketch.ways[sketch.names[cell]]):
                self.nodes[cell, number] = {words.index(way) for way in ways}
        self.edges = {
            frozenset([((cell, number), side), (there, back)])
            for (cell, number), shown in self.nodes.items()
            for side, other, back in sketch.touching[cell]
            for there in self.nodes_of(other)
            if side in shown and back in self.nodes[there]
        }

    def nodes_of(self, cell):
        return [node for node in self.nodes if node[0] == cell]

    def steps_from(self, node, without=None):
        """{node: steps}, not along one edge."""
        links = {each: [] for each in self.nodes}
        for edge in self.edges - {without}:
            one, other = ends_of(edge)
            links[one].append(other)
            links[other].append(one)
        return spread(node, links.__getitem__)

    def has_cycle_along(self, edge):
        """Whether the ends of an edge are joined without it."""
        one, other = ends_of(edge)
        return other in self.steps_from(one, edge)

    def pieces(self):
        left, found = set(self.nodes), []
        while left:
            found.append(set(self.steps_from(min(left))))
            left -= found[-1]
        return found


def ends_of(edge):
    """The two nodes of an edge, which are one if it leads around a torus of one cell."""
    (one, _), (other, _) = (*edge, *edge)[:2]
    return one, other


def cells_of_list(problem, cells):
    return [problem.cell(each) for each in cells]


def list_ends(sketch, end):
    """The cells of a start or goal, and the tiles that it names."""
    if isinstance(end, str):
        return sketch.cells_of(end), [end]
    cells = [end] if isinstance(end, tuple | int) else end
    return cells_of_list(sketch.problem, cells), []


def is_connected(sketch, rule):
    inside = None
    if rule.area is not None:
        x0, y0, width, height = rule.area
        rows = sketch.problem.topology.shape[1]
        inside = [(y0 + y) * rows + x0 + x for y in range(height) for x in range(width)]
    path = Path(sketch, rule.tiles, rule.sides, inside)
    if rule.joins is None:
        return len(path.pieces()) <= 1
    joins = cells_of_list(sketch.problem, rule.joins)
    if not all(path.nodes_of(cell) for cell in joins):
        return False
    wanted = [node for cell in joins for node in path.nodes_of(cell)]
    return all(set(wanted) <= set(path.steps_from(node)) for node in wanted)


def is_reached(sketch, rule):
    (starts, more), (goals, others) = list_ends(sketch, rule.start), list_ends(sketch, rule.goal)
    if not starts or not goals:
        return True
    tiles = None
    if rule.tiles is not None:
        tiles = [*([rule.tiles] if isinstance(rule.tiles, str) else rule.tiles), *more, *others]
    path = Path(sketch, tiles, rule.sides)
    if not all(path.nodes_of(cell) for cell in (*starts, *goals)):
        return False
    most = len(path.nodes) if rule.at_most is None else rule.at_most
    return all(
        path.steps_from(node).get(there, np.inf) <= most
        for start in starts
        for node in path.nodes_of(start)
        for goal in goals
        for there in path.nodes_of(goal)
    )


def has_loops_only(sketch, rule):
    path = Path(sketch, rule.tiles, rule.sides)
    ends = {node for edge in path.edges if path.has_cycle_along(edge) for node, _ in edge}
    return set(path.nodes) == ends


def has_no_loop(sketch, rule):
    path = Path(sketch, rule.tiles, rule.sides)
    return not any(path.has_cycle_along(edge) for edge in path.edges)


def is_border_right(sketch, rule):
    words = sketch.problem.topology.directions
    missing = [set(words) - {words[side] for side, _, _ in row} for row in sketch.touching]
    if rule.side == "corners":  # of squares
        edge = [len(each) == 2 and each not in ({"north", "south"}, {"east", "west"}) for each in missing]
    else:
        edge = [bool(each) if rule.side == "all" else rule.side in each for each in missing]
    return all(
        (tile == rule.tile) != rule.ban for tile, is_edge in zip(sketch.tiles, edge, strict=True) if is_edge
    )


def is_area_right(sketch, rule):
    inside = np.asarray(rule.area).reshape(-1)
    return all(
        (tile == rule.tile) != rule.ban for tile, here in zip(sketch.tiles, inside, strict=True) if here
    )


def is_count_right(sketch, rule):
    found = len(sketch.cells_of(rule.tile))
    return rule.at_least <= found <= (np.inf if rule.at_most is None else rule.at_most)


def is_apart(sketch, rule):
    first, second = (rule.tile, rule.tile) if isinstance(rule, wf.Separation) else (rule.first, rule.second)
    near = [
        sketch.steps_from(one).get(other, np.inf) < rule.distance
        for one in sketch.cells_of(first)
        for other in sketch.cells_of(second)
        if one != other
    ]
    return not any(near)


def ways_ahead(sketch, side):
    return {cell: other for cell, row in enumerate(sketch.touching) for way, other, _ in row if way == side}


def is_row_shorter(places, ahead, most):
    """Whether at most so many places follow each other; a ring is as long as it has places."""
    for start in places:
        length, here = 1, ahead(start)
        while here in places and here != start:
            length, here = length + 1, ahead(here)
        if length > most:
            return False
    return True


def are_runs_short(sketch, rule):
    mine = set(sketch.cells_of(rule.tile))
    sides = range(len(sketch.problem.topology.directions))
    return all(is_row_shorter(mine, ways_ahead(sketch, side).get, rule.at_most) for side in sides)


def are_lines_apart(sketch, rule):
    mine, (_, opposite, _) = set(sketch.cells_of(rule.tile)), sketch.problem.topology.graph()
    for side in range(len(opposite)):
        ahead = ways_ahead(sketch, side)
        for across in set(range(len(opposite))) - {side, int(opposite[side])}:
            beside = ways_ahead(sketch, across)
            pairs = {cell for cell in mine if beside.get(cell) in mine}
            if not is_row_shorter(pairs, ahead.get, rule.at_most):
                return False
    return True


def are_rooms_right(sketch, rule):
    mine = set(sketch.cells_of(rule.tile))
    for cell in mine:
        room = spread(cell, lambda here: [other for _, other, _ in sketch.touching[here] if other in mine])
        if not rule.smallest <= len(room) <= (np.inf if rule.largest is None else rule.largest):
            return False
    return True


def is_mirrored(sketch, rule):  # tiles that look the same in a mirror
    array = sketch.patterns.reshape(sketch.problem.topology.shape)
    return bool((array == (array[:, ::-1] if rule.axis == "vertical" else array[::-1])).all())


def is_turned(sketch, rule):  # tiles that look the same however they are turned
    array = sketch.patterns.reshape(sketch.problem.topology.shape)
    return bool((array == np.rot90(array, 4 // rule.order)).all())


def is_flat_enough(sketch, rule):
    mine, height = set(sketch.cells_of(rule.tile)), np.asarray(rule.field).reshape(-1)
    return all(
        abs(int(height[cell]) - int(height[other])) <= rule.at_most
        for cell in mine
        for _, other, _ in sketch.touching[cell]
        if other in mine
    )


def runs_downhill(sketch, rule):
    """From each cell of the river, water that leaves at its lowest sides finds a way that never rises."""
    patterns = {each.name: each for each in sketch.problem.tiles.patterns}
    river = sketch.cells_of(rule.tile)
    shown = {
        cell: {side: h for side, (s, h) in enumerate(zip(p.sockets, p.heights, strict=True)) if s == "r"}
        for cell in river
        for p in [patterns[sketch.names[cell]]]
    }

    def list_below(cell):
        lowest = min(shown[cell].values())
        return [other for side, other, _ in sketch.touching[cell] if shown[cell].get(side) == lowest]

    def is_end(cell):
        lowest = {side for side, height in shown[cell].items() if height == min(shown[cell].values())}
        return len(shown[cell]) == 1 or bool(lowest - {side for side, _, _ in sketch.touching[cell]})

    return all(any(map(is_end, spread(cell, list_below))) for cell in river)


DEFINITIONS = {
    wf.Connected: is_connected,
    wf.Reach: is_reached,
    wf.Loop: has_loops_only,
    wf.Acyclic: has_no_loop,
    wf.Border: is_border_right,
    wf.Area: is_area_right,
    wf.Count: is_count_right,
    wf.Separation: is_apart,
    wf.PairSeparation: is_apart,
    wf.MaxRun: are_runs_short,
    wf.Parallel: are_lines_apart,
    wf.Room: are_rooms_right,
    wf.Mirror: is_mirrored,
    wf.Rotational: is_turned,
    wf.Slope: is_flat_enough,
    wf.Downhill: runs_downhill,
}


def holds(rule, sketch):
    """Whether a map is as the constraint says."""
    return DEFINITIONS[type(rule)](sketch, rule)
