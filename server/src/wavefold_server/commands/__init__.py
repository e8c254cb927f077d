"""The commands `serve`, `studio` and `keys`, which the library finds by entry points."""
