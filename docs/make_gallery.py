"""Makes the gallery: docs/gallery.md and the pictures beside it. Run by `make gallery`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image

import wavefold as wf
from wavefold.tiles.learning.samples import describe_sample, find_sample_path

DOCS = Path(__file__).parent
FOLDER = DOCS / "gallery"
GRIDS = {
    "square": wf.SquareGrid(40, 24),
    "hex": wf.HexGrid(radius=8),
    "cube": wf.CubeGrid(12, 12, 12),
}
SAMPLE_SCALE = 6
JOINS = {
    "overlap": "One ring of the neighbours is solved again along with each grid: yellow dots.",
    "editable": "The same, but existing tiles are kept wherever possible.",
    "fixed": "Neighbours are read-only; where nothing fits, a few cells are replaced or dropped.",
    "whole": "All nineteen grids in one solve.",
    "witness": "Cut from an endless world.",
}


class Picture(NamedTuple):
    """One picture of the page."""

    title: str
    file: str
    caption: str
    command: str


def draw_sets() -> Iterator[Picture]:
    """A map of each bundled set."""
    for name in wf.tilesets():
        tiles = wf.TileSet.load(name)
        wf.generate(tiles, GRIDS[tiles.topology], seed=7).save(FOLDER / f"{name}.png")
        size = {"square": "--size 40x24", "hex": "--radius 8", "cube": "--size 12x12x12"}[tiles.topology]
        command = f"wavefold generate {name} {size} --seed 7 -o {name}.png"
        yield Picture(name, f"{name}.png", tiles.description, command)


def draw_refining() -> Iterator[Picture]:
    """A map of each set before and after refining, and one while it settles."""
    for name in wf.tilesets():
        tiles = wf.TileSet.load(name)
        if tiles.topology == "cube":
            continue
        grid = wf.SquareGrid(36, 30) if tiles.topology == "square" else wf.HexGrid(radius=7)
        maps = [wf.generate(tiles, grid, seed=5, refine=refine) for refine in (False, "auto")]
        file = f"refined-{name}.png"
        paste_beside([each.image(tile_size=14) for each in maps]).save(FOLDER / file, optimize=True)
        command = f"wavefold generate {name} --seed 5 --refine off, and without --refine off"
        yield Picture(name, file, "Solved, and refined.", command)
    terrain = wf.TileSet.load("terrain")
    solver = wf.Solver(wf.Problem(terrain, wf.SquareGrid(36, 24)), seed=11)
    recording = wf.Recording(solver, frames=80)
    solver.run().refine(60, seed=11, listener=recording.record_sweep)
    recording.animation().save(FOLDER / "settling.gif", tile_size=10)
    command = "wavefold generate terrain --size 36x24 --seed 11 --refine 60 -o settling.gif"
    yield Picture("Settling", "settling.gif", "A map is solved, then settles sweep by sweep.", command)
    draw_settling(terrain)


def draw_settling(tiles: wf.TileSet) -> None:
    """The picture of the guide: one map after some numbers of sweeps."""
    plain = wf.generate(tiles, wf.SquareGrid(48, 48), seed=4, refine=False)
    maps = [plain.refine(sweeps, seed=4) for sweeps in (0, 2, 10, 60)]
    strip = paste_beside([each.image(tile_size=6) for each in maps])
    strip.save(DOCS / "images" / "refining.png", optimize=True)


def paste_beside(pictures: list[Image.Image], gap: int = 12) -> Image.Image:
    """Pictures in one row."""
    width = sum(each.width for each in pictures) + gap * (len(pictures) - 1)
    row = Image.new("RGBA", (width, max(each.height for each in pictures)))
    left = 0
    for each in pictures:
        row.paste(each, (left, 0))
        left += each.width + gap
    return row


def draw_samples() -> Iterator[Picture]:
    """A map learned from each bundled sample, beside the sample itself."""
    for name in wf.samples():
        tiles = wf.learn(name)
        grid = wf.SquareGrid(64, 40)
        masks = None if tiles.ground_pattern is None else tiles.ground_masks(grid)
        learned = wf.generate(tiles, grid, seed=3, masks=masks).image(tile_size=SAMPLE_SCALE)
        with Image.open(find_sample_path(name)) as sample:
            large = sample.convert("RGBA").resize(
                (sample.width * SAMPLE_SCALE, sample.height * SAMPLE_SCALE), Image.Resampling.NEAREST
            )
        pair = paste_beside([large, learned], 2 * SAMPLE_SCALE)
        pair.save(FOLDER / f"learned-{name}.png", optimize=True)
        command = f"wavefold generate {name} --size 64x40 --seed 3 -o {name}.png"
        yield Picture(name, f"learned-{name}.png", describe_sample(name), command)


def draw_ways_to_look() -> Iterator[Picture]:
    """Heat maps, conflicts, animations, sheets."""
    tiles = wf.TileSet.load("terrain")
    problem = wf.Problem(tiles, wf.SquareGrid(28, 18))
    solver = wf.Solver(problem, seed=7)
    for _ in range(160):
        solver.step()
    solver.partial().save(FOLDER / "entropy.png", show="entropy", tile_size=20)
    yield Picture(
        "Half-way",
        "entropy.png",
        "Undecided cells, coloured by their entropy.",
        'partial.image(show="entropy")',
    )
    wf.animate(problem, seed=7, frames=60).save(FOLDER / "solve.gif")
    command = "wavefold generate terrain -o map.gif"
    yield Picture("A solve", "solve.gif", "From the first decision to the last.", command)
    knots = wf.TileSet.load("knots")
    maps = [wf.generate(knots, wf.SquareGrid(12, 8), seed=seed) for seed in range(6)]
    wf.contact_sheet(maps, tile_size=16).save(FOLDER / "sheet.png", optimize=True)
    command = "wavefold generate knots --maps 6 -o map.png"
    yield Picture("Six seeds", "sheet.png", "Several maps on one sheet.", command)
    fields = wf.Fields(**wf.preset("terrain", seed=3))
    wf.generate(tiles, wf.SquareGrid(150, 90), seed=7, fields=fields).image(tile_size=6).save(
        FOLDER / "altitude.png", optimize=True
    )
    yield Picture(
        "By altitude", "altitude.png", "Noise gives each cell an altitude, and tiles have limits.",
        "wf.generate(terrain, grid, fields=fields)",
    )  # fmt: skip
    world = wf.World(wf.TileSet.load("medieval"), seed=7, chunk=32)
    world.image(-20, -20, 50, 40, tile_size=10).save(FOLDER / "world.png", optimize=True)
    yield Picture("Endless", "world.png", "Part of a world without a seam.", "world.image(-20, -20, 50, 40)")
    roads = wf.RoadNetwork(sides=("gg+", "tt+", "ww+"), ends="house")
    world = wf.World(wf.TileSet.load("meadow"), seed=11, network=roads)
    world.image(0, 0, 80, 56, tile_size=12).save(FOLDER / "roads.png", optimize=True)
    yield Picture(
        "One network", "roads.png", "Roads that join every town of an endless world.",
        "wf.World(meadow, network=roads).image(0, 0, 80, 56)",
    )  # fmt: skip


def draw_patchworks() -> Iterator[Picture]:
    """The same seed by each join; a map that follows fields; a map of squares."""
    tiles, seed = wf.TileSet.load("medieval"), 351921
    build = f"wavefold patchwork build --marks --seed {seed}"
    for join, caption in JOINS.items():
        map = wf.Patchwork(tiles, seed=seed, join=join)
        map.populate_all(wf.build_order("hex", 19))
        yield save_patchwork(map, join, caption, f"{build} --join {join} -o map.png")
    map = wf.Patchwork(tiles, seed=seed, fields=wf.Fields(**wf.preset("hex", seed)))
    map.populate_all(wf.build_order("hex", 19))
    caption = "Driven by fields: noise decides where the sea is and where the land is high."
    yield save_patchwork(map, "driven", caption, f"{build} --driven -o map.png")
    map = wf.Patchwork(wf.TileSet.load("castle"), 6, 81, "fixed")
    report = map.populate_all(wf.build_order("square", 9))
    caption = (
        f"Squares with read-only neighbours: {report.changed} cells changed, {report.dropped} dropped; "
        f"sides that do not fit: {report.mismatches_from_dropped}."
    )
    command = "wavefold patchwork build castle --marks --radius 6 --seed 81 --join fixed --grids 9 -o map.png"
    yield save_patchwork(map, "castle", caption, command)


def save_patchwork(map: wf.Patchwork, name: str, caption: str, command: str) -> Picture:
    """One map. Few colours make a small file."""
    size = 9 if map.tiles.topology == "hex" else 12
    image = map.image(tile_size=size, outlines=True, marks=True, legend=True)
    file = f"patchwork-{name}.png"
    image.quantize(160, method=Image.Quantize.FASTOCTREE).save(FOLDER / file, optimize=True)
    return Picture(name, file, caption, command)


def format_page(parts: dict[str, list[Picture]]) -> str:
    """The page in Markdown."""
    lines = ["# Gallery", "", "`make gallery` makes these pictures.", ""]
    for title, pictures in parts.items():
        lines += [f"## {title}", ""]
        for picture in pictures:
            lines += [
                f"### {picture.title}", "", picture.caption, "",
                f"![{picture.title}](gallery/{picture.file})", "", f"`{picture.command}`", "",
            ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Make everything again."""
    FOLDER.mkdir(exist_ok=True)
    parts = {
        "Bundled tile sets": list(draw_sets()),
        "Before and after refining": list(draw_refining()),
        "Learned from a picture": list(draw_samples()),
        "Patchworks": list(draw_patchworks()),
        "Ways to look": list(draw_ways_to_look()),
    }
    (DOCS / "gallery.md").write_text(format_page(parts), "utf-8")
    print(f"{sum(map(len, parts.values()))} pictures in {DOCS / 'gallery.md'}")


if __name__ == "__main__":
    main()
