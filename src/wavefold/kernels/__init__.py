"""Compiled loops over arrays. Nothing here knows about tiles, files or users.

`layout` names every array and its axes and imports only NumPy; all other modules import Numba, so
import them where the work starts, not at the top of anything the command line needs for its help.
"""
