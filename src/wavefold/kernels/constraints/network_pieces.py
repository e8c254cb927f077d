"""Pieces of a network that were cut off by the last changes.

When a node loses a side, the network may become disconnected. Searches from both ends of the lost side
advance in turn. They stop when they meet, or when one piece is complete. So the cost depends on the size of
the smaller piece, not on the size of the map.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import empty_cell
from wavefold.kernels.constraints.network_nodes import (
    FORCED,
    LABEL,
    NEEDED,
    NEXT,
    PARENT,
    SUBTREE,
    WALK,
    WAY_BACK,
    divide,
    find_root,
    is_joining,
    restrict_node,
)
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave

# Rows of Wave.node, with other names in this module.
LISTED = NEXT  # [position] nodes that lost sides
LOST = FORCED  # [node] the sides that the node lost
PENDING = SUBTREE  # [label] number of nodes in the queue
INSIDE = WAY_BACK  # [label] number of required nodes
SPREAD = WALK  # [position] the queue: nodes in the order in which they were found


def close_pieces(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, listed: int) -> bool:
    """Check the pieces around nodes that lost sides. Return False if a required node is cut off from another.

    Pieces without required nodes are removed. The nodes are sorted, so that the result does not depend on the
    order of the changes.
    """
    row = rules.propagator[propagator, c.ROW]
    if not is_joining(wave, row):
        return True
    sort_listed(wave, listed)
    labels = add_sources(wave, rules, graph, row, listed)
    found, closed = spread_pieces(wave, rules, graph, row, labels)
    fits = closed == 0 or remove_closed(wave, rules, propagator, found)
    for position in range(found):
        wave.node[LABEL, wave.node[SPREAD, position]] = 0
    return fits


def remove_closed(wave: Wave, rules: RuleTable, propagator: int, found: int) -> bool:
    """Remove closed pieces without required nodes. Return False if one has some but not all such nodes."""
    row = rules.propagator[propagator, c.ROW]
    for position in range(found):
        node = np.int64(wave.node[SPREAD, position])
        label = find_root(wave, np.int64(wave.node[LABEL, node]))
        if wave.node[PENDING, label] != 0:
            continue
        inside = wave.node[INSIDE, label]
        if inside == 0 and rules.propagator[propagator, c.GOAL] == c.CONNECTED:
            if not restrict_node(wave, rules, propagator, node, 0):
                return False
        elif inside != 0 and inside != wave.needed[row, NEEDED]:
            empty_cell(wave, rules, node // rules.path_mask.shape[1])
            return False
        elif inside != 0:
            wave.state[c.NETWORKS_DUE] = wave.state[c.DECISIONS]  # the other pieces are cut off
    return True


def sort_listed(wave: Wave, listed: int) -> None:
    """Sort the listed nodes by insertion; there are few."""
    for position in range(1, listed):
        node, at = wave.node[LISTED, position], position
        while at > 0 and wave.node[LISTED, at - 1] > node:
            wave.node[LISTED, at] = wave.node[LISTED, at - 1]
            at -= 1
        wave.node[LISTED, at] = node


def add_sources(wave: Wave, rules: RuleTable, graph: KernelGraph, row: int, listed: int) -> int:
    """Label each node that lost sides, and the nodes across these sides. Return the last label."""
    nodes, labels = rules.path_mask.shape[1], 0
    for position in range(listed):
        node = np.int64(wave.node[LISTED, position])
        labels = add_source(wave, row, node, labels)
        for direction in range(graph.neighbour.shape[1]):
            if (wave.node[LOST, node] >> direction) & 1 == 0:
                continue
            other = np.int64(graph.neighbour[divide(node, nodes), direction])
            if other != c.NOWHERE:
                for index in range(nodes):
                    labels = add_source(wave, row, other * nodes + index, labels)
    return labels


def add_source(wave: Wave, row: int, node: int, labels: int) -> int:
    """Give a node the next label if it is possible and has none. Return the last label."""
    if wave.joined[row, node] == 0 or wave.node[LABEL, node] != 0:
        return labels
    wave.node[SPREAD, labels] = node
    labels += 1
    wave.node[LABEL, node] = wave.node[PARENT, labels] = labels
    wave.node[PENDING, labels] = 1
    wave.node[INSIDE, labels] = wave.required[row, node] != 0
    return labels


def spread_pieces(wave: Wave, rules: RuleTable, graph: KernelGraph, row: int, labels: int) -> tuple[int, int]:
    """Search from all sources in turn until at most one piece is not closed.

    A piece is closed when its queue is empty. Return the number of nodes found, and of closed pieces.
    """
    node, nodes = wave.node, rules.path_mask.shape[1]
    position, found, active, closed = 0, labels, labels, 0
    while active > 1 and position < found:
        here = np.int64(node[SPREAD, position])
        position += 1
        label, sides = find_root(wave, np.int64(node[LABEL, here])), wave.joined[row, here]
        for direction in range(rules.path_mask.shape[2] - 1):
            if (sides >> direction) & 1 == 0 or active == 1:
                continue
            neighbour = np.int64(graph.neighbour[divide(here, nodes), direction])
            if neighbour == c.NOWHERE:
                continue
            for other in range(neighbour * nodes, neighbour * nodes + nodes):
                if (wave.joined[row, other] >> graph.opposite[direction]) & 1 == 0:
                    continue
                if node[LABEL, other] == 0:
                    node[LABEL, other] = label
                    node[PENDING, label] += 1
                    node[INSIDE, label] += wave.required[row, other] != 0
                    node[SPREAD, found] = other
                    found += 1
                elif node[LABEL, other] != label:
                    active -= merge_labels(wave, label, np.int64(node[LABEL, other]))
        node[PENDING, label] -= 1
        if node[PENDING, label] == 0 and active > 1:
            active -= 1
            closed += 1
    wave.state[c.WORK_LEFT] -= found
    return found, closed


def merge_labels(wave: Wave, label: int, other: int) -> int:
    """Merge the piece of `other` into the piece of `label`, a root. Return 0 if they are the same, else 1."""
    met = find_root(wave, other)
    if met == label:
        return 0
    wave.node[PARENT, met] = label
    wave.node[PENDING, label] += wave.node[PENDING, met]
    wave.node[INSIDE, label] += wave.node[INSIDE, met]
    return 1
