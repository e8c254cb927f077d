"""What names in a configuration mean for the tiles and cells at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.config.field_sources import expression_of
from wavefold.config.solver_sections import HeuristicsSection
from wavefold.errors import ConfigError, suggest
from wavefold.fields import Fields
from wavefold.fields.masks import weight_factor
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import rules_of
from wavefold.fields.sources import Source
from wavefold.fields.user_functions import Values
from wavefold.solver import Heuristics
from wavefold.solver.search.auto_order import auto_order
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Topology

if TYPE_CHECKING:
    from wavefold.config.effective import Effective


def weights_of(
    effective: Effective, tiles: TileSet | Rules, topology: Topology
) -> NDArray[np.float64] | None:
    """[pattern], or [cell, pattern] if fields take part; None if everything is as the tiles have it."""
    everywhere, by_cell = effective.config.weights, effective.config.terrain.weights
    if not everywhere and not by_cell:
        return None
    rules = rules_of(tiles)
    row = rules.weights.copy()
    for tile, factor in everywhere.items():
        row[patterns(effective, rules, "weights", tile)] *= factor
    if not by_cell:
        return row
    weights = np.tile(row, (topology.cell_count, 1))
    for tile, expression in by_cell.items():
        path = ("terrain", "weights", tile)
        chosen = patterns(effective, rules, *path)
        values = values_of(effective, str(expression), topology, *path)
        with effective.at(*path):
            factors = weight_factor(values, Values(), topology.cell_count, topology.describe, tile)
        weights[:, chosen] *= factors[:, None]
    return weights


def masks_of(effective: Effective, tiles: TileSet | Rules, topology: Topology) -> NDArray[np.bool_] | None:
    """[cell, pattern]: where the limits of [terrain] and of the tiles hold; None if [terrain] has none."""
    limits = effective.config.terrain.limits
    if not limits:
        return None
    for tile in limits:
        patterns(effective, rules_of(tiles), "terrain", "limits", tile)
    return effective.fields.masks(tiles, topology, limits)


def driving(
    effective: Effective, tiles: TileSet | Rules, sources: Mapping[str, Any] | None = None
) -> Fields | None:
    """Fields that know what [terrain] and [weights] say of tiles, for worlds; None if nothing does.

    sources : instead of those in [fields]
    """
    rules, terrain = rules_of(tiles), effective.config.terrain
    fields = effective.fields if sources is None else Fields(**sources)
    for section, named in ((("terrain", "limits"), terrain.limits), (("weights",), effective.config.weights)):
        for tile in named:
            patterns(effective, rules, *section, tile)
    factors: dict[str, Any] = dict(effective.config.weights)
    made: dict[str, Source] = {}
    for tile, text in terrain.weights.items():
        path = ("terrain", "weights", tile)
        patterns(effective, rules, *path)
        with effective.at(*path):
            source = expression_of(f"({text}) * {float(factors.get(tile, 1.0))!r}", fields.sources)
        factors[tile] = name = f"weight of {tile}"
        made[name] = source
    if not fields.names and not factors:
        return None
    with effective.at("terrain", "limits"):
        return Fields(**fields.sources, **made).with_limits(terrain.limits).with_factors(factors)


def order_of(effective: Effective, tiles: TileSet | Rules, topology: Topology) -> str | Heuristics:
    """The order's name, or all heuristics if more than that is set."""
    section, rules = effective.config.heuristics, rules_of(tiles)
    given: dict[str, Any] = {
        name: value for name, value in section if value != HeuristicsSection.model_fields[name].default
    }
    order: str = given.pop("order", "auto")
    if not given:
        return order
    for tile in section.caps:
        with effective.at("heuristics", "caps"):
            if tile not in rules.tiles:
                raise ConfigError(f"caps name an unknown tile {tile!r}; {suggest(tile, rules.tiles)}")
    if section.influence is not None:
        given["influence"] = values_of(effective, section.influence, topology, "heuristics", "influence")
    return replace(Heuristics.of(auto_order(rules) if order == "auto" else order), **given)


def values_of(effective: Effective, text: str, topology: Topology, *path: str) -> NDArray[np.float64]:
    """[cell]: an expression of fields at every cell."""
    sources = effective.sources
    with effective.at(*path):
        return expression_of(text, sources).at(CellPositions(topology), path[-1])


def patterns(effective: Effective, rules: Rules, *path: str) -> NDArray[np.int64]:
    """The patterns of the tile that a path ends with."""
    with effective.at(*path):
        return rules.patterns(path[-1])
