"""Zip archives of tile sets to read, whole and damaged."""

import zipfile
from io import BytesIO

import numpy as np

from wavefold.storage.png import encode_png

TOML = b"""format = 1
name = "path"
size = [8, 6]

[sheet]
file = "art/sheet.png"
size = [4, 4]

[tiles.lawn]
sockets = "grass"
at = [0, 0]

[tiles.path]
sockets = ["dirt", "grass", "dirt", "grass"]
symmetry = "I"
at = [1, 0]
"""
XML = b"""<set><tiles><tile name="a" symmetry="X"/><tile name="b" symmetry="I" weight="2"/></tiles>
<neighbors><neighbor left="a" right="a"/><neighbor left="b" right="a"/></neighbors></set>"""


def png(width, height, seed=0):
    """A picture of one colour."""
    return encode_png(np.full((height, width, 4), (seed, 100, 200, 255), np.uint8))


def noise(width, height):
    """A picture in which each pixel has another colour."""
    return encode_png(np.random.default_rng(0).integers(0, 255, (height, width, 3), np.uint8))


TOML_FILES = {"tiles.toml": TOML, "art/sheet.png": png(8, 4)}
XML_FILES = {"Path.xml": XML, "Path/a.png": png(4, 4), "Path/b.png": png(4, 4, 1)}


def zipped(files, method=zipfile.ZIP_DEFLATED):
    """A zip archive; files are {name or ZipInfo: content}, or pairs where a name is there twice."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, data)
    return content.getvalue()


def entry(name, **fields):
    """A `ZipInfo` with some of its fields set."""
    info = zipfile.ZipInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info
