"""Propagation: patterns that no neighbour allows are removed, until nothing changes. One file per method."""
