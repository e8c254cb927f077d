"""Pools: groups of patterns that are counted together, because they are equally hard to place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import count_set_bits
from wavefold.solver.refine.chain import Chain
from wavefold.tiles import TileSet


def pool_groups(chain: Chain, group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """[group] -> pool: groups whose patterns fit in the same places, soft pairs included, share a pool."""
    rules = chain.rules
    columns = [rules.class_of, rules.kind[None]]
    columns += [rules.pair_row, rules.pair_log] if rules.pair_log.size else []
    _, alike = np.unique(np.concatenate(columns), axis=1, return_inverse=True)
    return pool_alike(alike.reshape(-1), group_of)


def pool_alike(alike: NDArray[np.int64], group_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """[group] -> pool: groups with the same numbers of patterns of each sort, `alike` [pattern]."""
    pools: dict[bytes, int] = {}
    pool_of = np.zeros(int(group_of.max()) + 1, np.int64)
    for group in range(pool_of.size):
        sorts = np.sort(alike[group_of == group]).tobytes()
        pool_of[group] = pools.setdefault(sorts, len(pools))
    return pool_of


def pool_stored(tiles: TileSet, stored: NDArray[np.int64]) -> NDArray[np.int64]:
    """[tile] -> pool: tiles with one stored activity, because they are alike when a map is turned.

    Finding turned tiles takes long (`find_turned_tiles`), so they are derived from the activities. Different
    tiles may share an activity by accident; these differ in weights or in numbers of neighbours.
    """
    sorts = pool_alike(sort_patterns(tiles), tiles.rules.tile_of)
    return np.unique(np.stack([sorts, stored]), axis=1, return_inverse=True)[1].reshape(-1)


def sort_patterns(tiles: TileSet) -> NDArray[np.int64]:
    """[pattern] a number; the same for patterns that become one another when a map is turned."""
    rules = tiles.rules
    near = np.stack([count_set_bits(each.rows)[each.class_of] for each in rules.relations])  # [side, pattern]
    if rules.soft is not None:
        _, row = np.unique(np.sort(rules.soft.factors, axis=1), axis=0, return_inverse=True)
        near = near * (row.size + 1) + np.append(row, -1)[rules.soft.row_of] + 1
    columns = [rules.weights, tiles.asked_weights, rules.kinds >= 0, *np.sort(near, axis=0)]
    return np.unique(np.stack(columns), axis=1, return_inverse=True)[1].reshape(-1)


def join_pools(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """[tile] -> pool: tiles that share a pool in either way, directly or through other tiles, share one."""
    joined = one.copy()
    for pool in np.unique(other):
        members = joined[other == pool]
        joined[np.isin(joined, members)] = members.min()
    return np.unique(joined, return_inverse=True)[1].reshape(-1)
