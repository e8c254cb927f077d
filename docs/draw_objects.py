"""Draw the pictures of docs/guide/objects.md: `python docs/draw_objects.py`."""

from pathlib import Path

from PIL import Image

import wavefold as wf

FOLDER = Path(__file__).parent / "images"
GAP = 12


def paste_beside(pictures: list[Image.Image]) -> Image.Image:
    """Pictures of one height from left to right, on white."""
    width = sum(each.width + GAP for each in pictures) - GAP
    page = Image.new("RGB", (width, pictures[0].height), "white")
    left = 0
    for each in pictures:
        page.paste(each, (left, 0), each)
        left += each.width + GAP
    return page


def draw_sets() -> None:
    """Objects of two bundled sets."""
    meadow = wf.generate(wf.TileSet.load("meadow"), wf.SquareGrid(26, 18), seed=9).image(scale=2)
    castle = wf.generate(wf.TileSet.load("castle"), wf.SquareGrid(18, 12), seed=7).image(tile_size=48)
    paste_beside([meadow, castle]).save(FOLDER / "objects.png", optimize=True)


def draw_apart() -> None:
    """The same density, nearer and farther apart."""
    meadow, pictures = wf.TileSet.load("meadow"), []
    sheep = meadow.objects[0].picture
    for apart in (1, 2, 4):
        flock = wf.MapObject("sheep", "grass", density=0.3, apart=apart, picture=sheep, jitter=0.2)
        solution = wf.generate(meadow.with_objects([flock]), wf.SquareGrid(18, 14), seed=9)
        pictures.append(solution.image(scale=2))
    paste_beside(pictures).save(FOLDER / "objects-apart.png", optimize=True)


if __name__ == "__main__":
    draw_sets()
    draw_apart()
