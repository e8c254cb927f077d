"""Tile sets in wavefold's own format: TOML, with a sheet of pictures."""
