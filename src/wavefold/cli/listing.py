"""`wavefold tilesets`: what can be used by name."""

from __future__ import annotations

import json
from inspect import getdoc
from typing import Any

import typer

from wavefold.plugins import available, find

__all__ = ["list_tilesets"]


def list_tilesets(as_json: bool) -> None:
    """One line each, or JSON."""
    entries = [describe(name) for name in available("tileset")]
    if as_json:
        typer.echo(json.dumps(entries, ensure_ascii=False))
        return
    width = max((len(entry["name"]) for entry in entries), default=0)
    for entry in entries:
        size = f"{entry['tiles']:>4} tiles, {entry['patterns']:>4} patterns, {entry['topology']}"
        typer.echo(f"{entry['name']:<{width}}  {size}  {entry['description']}")


def describe(name: str) -> dict[str, Any]:
    """Plain data about one tile set."""
    make = find("tileset", name)
    tiles = make()
    return {
        "name": name,
        "topology": tiles.topology,
        "tiles": len(tiles.tiles),
        "patterns": len(tiles.patterns),
        "description": (getdoc(make) or "").partition("\n")[0],
    }
