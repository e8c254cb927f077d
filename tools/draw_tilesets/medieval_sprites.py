"""Small pictures for "medieval", in letters: one for each pixel, a colour for each letter."""

from __future__ import annotations

import numpy as np

from draw_tilesets.pixels import Colour, Picture

SHADE = 0.74  # what a shadow leaves of the light
PALETTE: dict[str, Colour] = {
    "k": (62, 46, 48), "t": (96, 66, 46), "x": (164, 120, 78), "X": (128, 90, 60),  # outlines, wood
    "r": (142, 56, 52), "R": (184, 80, 62), "P": (216, 114, 84),  # roofs
    "b": (62, 80, 122), "B": (86, 110, 156), "p": (124, 150, 190),  # slate
    "w": (238, 226, 196), "W": (200, 184, 154), "d": (92, 58, 42), "o": (78, 88, 112), "y": (252, 216, 116),
    "s": (172, 168, 162), "S": (206, 202, 194), "q": (122, 118, 120), "f": (206, 62, 58),
    "g": (32, 76, 56), "h": (46, 102, 62), "i": (74, 136, 70), "j": (122, 174, 88),  # leaves
    "n": (26, 66, 60), "m": (40, 92, 72), "l": (78, 130, 90),  # needles
    "u": (244, 246, 248), "v": (204, 214, 226), "c": (150, 132, 112), "C": (116, 98, 88),  # snow, rock
    "e": (232, 196, 96), "E": (204, 162, 72), "a": (236, 240, 232),  # straw, sail
}  # fmt: skip

LETTERS = {
    "tree": """
        ..hhh..
        .hiiih.
        hijjiih
        hijiiihg
        ghiiihhg.
        .ghhhhgzz
        ..ggggzz.
        ....tzz..""",
    "bush": """
        .hih..
        hijihg
        ghihggz
        .gggzz.""",
    "fir": """
        ...l....
        ..llm...
        ..lmn...
        .llmnn..
        ..lmn...
        .lllmnn.
        llmmmnnz
        ..mmnnzz
        ...tzzz.""",
    "rock": """
        ..SSs...
        .SSssqq.
        SSsssqqz
        .qqqqqzz""",
    "cottage": """
        ...........X.
        ..PPPPPPPr.X.
        .PRRRRRRRRrX.
        PRRRRRRRRRRr.
        rrrrrrrrrrrr.
        .wwwwwwwWWW..
        .wowddwowWWzz
        .wwwddwwwWWzz
        ..zzzzzzzzzzz""",
    "hut": """
        ...eee....
        ..eeeEE...
        .eeeeeEE..
        eeeeeeEEE.
        .wwwwwWW..
        .wddwoWWzz
        .wddwwWWzz
        ..zzzzzzzz""",
    "church": """
        ...k.........
        ..kkk........
        ...k.........
        ..pBb........
        ..pBb........
        .pBBBb.......
        .pBBBb.......
        .wwwWWPPPPPr.
        .wyywWRRRRRRr
        .wwwWWRRRRRRr
        .wwwWWrrrrrrr
        .wowWWwowowWz
        .wddwWwwwwwWz
        .wddwWwwwwwWz
        ..zzzzzzzzzzz""",
    "castle": """
        ....ff.............
        ....f..........ff..
        ...k...........f...
        .S.S.S........k....
        .SSSSsq.....S.S.S..
        .SSssqq.....SSSssq.
        .SSossq.....SSosqq.
        .SSsssq.....SSssqq.
        .SSsssqS.S.SSSssqq.
        .SSsssqSSSSsSSssqqz
        .SSossqSSssssSosqqz
        .SSsssqSsddssSssqqz
        .SSsssqSddddsSssqqz
        .SSsssqsddddsSssqqz
        ..zzzzzzddddzzzzzzz""",
    "mill": """
        .k.......k...
        ..aa...aa....
        ..aaakaaa....
        ...aakaa.....
        ....PkRr.....
        ...aakaar....
        ..aaawaaa....
        ..aa.wWaa....
        .k..wwWW.k...
        ....wwwWW....
        ...wwwwWWWz..
        ...wddwwWWzz.
        ...wddwwWWzz.
        ....zzzzzzz..""",
    "lighthouse": """
        ...f...
        ..PRr..
        ..yyy..
        .kkkkk.
        ..wwW..
        ..ffr..
        ..wwW..
        ..wwW..
        .wwwWW.
        .ffffr.
        .wwwWW.
        .wdwWWz
        .wdwWWzz
        ..zzzzz""",
    "boat": """
        ...k.....
        ...ka....
        ...kaa...
        ...kaaa..
        ...kaaaa.
        ...k.....
        XxxxxxxxX
        .XxxxxxX.""",
    "stooks": """
        ..e....e...
        .eeE..eeE..
        .eEE..eEEz.
        ..zz.e.zz..
        ....eeE....
        ....eEEz...
        .....zz....""",
    "sign": """
        .xxxx.
        .XXXXx
        ..k...
        ..kz..
        ..kz..""",
    "peak": """
        .........u..........
        ........uuv.........
        .......uuuvv........
        ......uuuuvvv.......
        .....uuuuuvvvv..u...
        .....uuuucvvvCvuuv..
        ....cuucuccvCCCuuvv.
        ...ccuccuccCCvCuccvv
        ..cccccccccCCCCccCCC
        ..ccccccccCCCCCcccCCC
        .cccccccccCCCCcccCCCCz
        ccccccccccCCCCCccCCCzz
        .zzzzzzzzzzzzzzzzzzz..""",
}  # fmt: skip


def read(text: str) -> Picture:
    """uint8 [row, column, RGBA]; a shadow is black and half there."""
    rows = text.split()
    width = max(map(len, rows))
    sprite = np.zeros((len(rows), width, 4), np.uint8)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter == "z":
                sprite[y, x] = (0, 0, 0, 128)
            elif letter != ".":
                sprite[y, x] = (*PALETTE[letter], 255)
    return sprite


SPRITES: dict[str, Picture] = {name: read(text) for name, text in LETTERS.items()}


def lay(image: Picture, name: str, x: float, y: float) -> None:
    """Put a sprite on the ground, its foot this many pixels right and down of the middle of the image."""
    sprite = SPRITES[name]
    rows, columns = image.shape[:2]
    top = round(y + rows / 2) - sprite.shape[0]
    left = round(x + columns / 2 - sprite.shape[1] / 2)
    high, low = max(top, 0), min(top + sprite.shape[0], rows)
    west, east = max(left, 0), min(left + sprite.shape[1], columns)
    piece = sprite[high - top : low - top, west - left : east - left]
    under = image[high:low, west:east]
    solid, shadow = piece[..., 3] == 255, piece[..., 3] == 128
    under[solid] = piece[solid]
    under[shadow, :3] = under[shadow, :3] * SHADE
