"""Tile sets learned from a sample: overlapping patterns of a picture, or adjacencies of a drawn map.

Reading pictures and files is up to the callers and `formats`. Start with `learn`; the result is a
`LearnedTileSet`.
"""
