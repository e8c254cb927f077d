"""Tile sets and maps of Tiled, read from XML or JSON."""
