"""Drafts: tile sets that are being made, and what they do, in one request each. Nothing is stored.

`models` says what a request contains, `drafts` compiles and solves, `routes` answers. Tile sets that are to
be kept are uploaded instead (`service.tilesets`). Start reading with `drafts`.
"""
