"""Endless worlds over HTTP: created, read as chunks, map tiles and files, edited, and followed.

How a world is made and stored is in `wavefold.worlds`. Start with `routes`, then `worlds`.
"""
