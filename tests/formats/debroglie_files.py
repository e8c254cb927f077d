"""Configurations of DeBroglie to read: four tiles with pictures, and a sample whose pixels are tiles."""

import json

import numpy as np
from PIL import Image

import wavefold as wf

SAND, WATER = (200, 180, 120), (13, 37, 114)


def write_pictures(folder):
    """The sample and the pictures of tiles."""
    pixels = np.full((6, 7, 3), SAND, np.uint8)
    pixels[2], pixels[2:, 4] = WATER, WATER
    Image.fromarray(pixels).save(folder / "sample.png")
    for name in ("blank", "line", "corner", "tee"):
        Image.fromarray(picture(name)).save(folder / f"{name}.png")


def picture(name):
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[..., 3] = 255
    if name in ("line", "tee"):
        pixels[3:5, :, 0] = 255
    if name == "corner":
        pixels[3:5, 4:, 0] = pixels[:4, 3:5, 0] = 255
    if name == "tee":
        pixels[4:, 3:5, 0] = 255
    return pixels


TILES = [
    {"src": "blank.png", "value": "blank", "tileSymmetry": "X"},
    {"src": "line.png", "value": "line", "tileSymmetry": "I"},
    {"src": "corner.png", "value": "corner", "tileSymmetry": "L"},
    {"src": "tee.png", "value": "tee", "tileSymmetry": "T", "multiplyFrequency": "10%"},
]
PIPES = {
    "srcType": "bitmapSet",
    "dest": "out/pipes.png",
    "width": 7,
    "height": 6,
    "symmetry": 8,
    "rotationTreatment": "generated",
    "autoAdjacency": True,
    "tiles": TILES,
}
PIXELS = {"src": "sample.png", "dest": "out.png", "width": 9, "height": 8}


def load(folder, document):
    path = folder / "config.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return wf.read_debroglie(path)


def pairs(tiles, direction="east"):
    """The names of patterns that may touch, in one direction."""
    rules = tiles.rules
    side = tiles.directions.index(direction)
    return {(rules.names[a], rules.names[b]) for a, b in np.argwhere(rules.allowed[side]).tolist()}
