"""Sketches: a sample that is being drawn, and a map made of it, in one request. Nothing is stored.

`models` says what a request contains, `sketch` learns and solves, `routes` answers. Tile sets that are to be
kept are uploaded instead (`service.tilesets`). Start reading with `sketch`.
"""
