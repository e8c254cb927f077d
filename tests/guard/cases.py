"""Everything the guard holds fast: scenes by name, each with one digest or several.

Scenes are made with public names of wavefold alone, and read through `reading`.
"""

from functools import cache

from reading import digest

import wavefold as wf

SCENES = {}  # {name: function that makes what is digested}
PLAIN = set()  # names of those so small that they are made without compiled kernels, too


def scene(name, plain=False):
    """Enter a function under this name. It gives parts to digest, or {what: parts} for several digests."""

    def entered(make):
        if name in SCENES:
            raise ValueError(f"there are two scenes called {name!r}")
        SCENES[name] = make
        if plain:
            PLAIN.add(name)
        return make

    return entered


def digests_of(name):
    """{name: digest} of one scene."""
    made = SCENES[name]()
    if isinstance(made, dict):
        return {f"{name}: {what}": digest(parts) for what, parts in made.items()}
    return {name: digest(made)}


def names_in(table, name):
    """The part of the table that belongs to a scene."""
    return {each: value for each, value in table.items() if each == name or each.startswith(f"{name}: ")}


@cache
def load_tiles(name):
    """A bundled tile set, loaded once."""
    return wf.TileSet.load(name)


@cache
def learn_sample(name):
    """A bundled sample, learned once in its own way."""
    return wf.learn(name)


def grid_for(tiles, side=24):
    """A map of about this many cells across."""
    if tiles.topology == "hex":
        return wf.HexGrid(side // 3)
    return (
        wf.CubeGrid(side // 3, side // 3, side // 4)
        if tiles.topology == "cube"
        else wf.SquareGrid(side, side)
    )


def land_fields(seed):
    """Altitude, for terrain."""
    layers = [wf.Noise(scale, seed=3 * seed + layer) for layer, scale in enumerate((0.0045, 0.02, 0.1), 1)]
    altitude = 0.75 * layers[0] + 0.35 * layers[1] + 0.25 * layers[2]
    return wf.Fields(altitude=altitude.clamp(0, 1))


def hex_fields(seed):
    """Water and elevation, for medieval tiles."""
    return wf.Fields(
        water=wf.Noise(0.02, seed=seed), elevation=wf.Noise(0.03, seed=seed, offset=(1000.0, 1000.0))
    )


# Tiles of the guard's own, so small that plain Python makes maps of them.
LINES = {
    " ": "----",
    "h": "-o-o",
    "v": "o-o-",
    "a": "-oo-",
    "b": "--oo",
    "c": "oo--",
    "d": "o--o",
    "x": "oooo",
}
OUTLINES = wf.TileSet(
    [wf.Tile(name, tuple(sides), 4.0 if name == " " else 1.0) for name, sides in LINES.items()], name="lines"
)
STUBBORN = wf.TileSet(
    [wf.Tile(sides, tuple(sides), symmetry="turned") for sides in ("abca", "bcaa", "bccc", "daac")]
)
RIVERS = wf.TileSet(
    [
        wf.Tile("land", ("l",) * 6, 3.0),
        wf.Tile("spring", tuple("wlllll"), symmetry="turned"),
        wf.Tile("river", tuple("wllwll"), 2.0, symmetry=(0, 60, 120)),
        wf.Tile("bend", tuple("wlwlll"), symmetry="turned"),
    ],
    "hex",
)
TOWERS = wf.TileSet(
    [
        wf.Tile("air", tuple("......"), 3.0),
        wf.Tile("wall", tuple("----#.")),
        wf.Tile("roof", tuple(".....#")),
        wf.Tile("room", tuple("-.-.##"), symmetry=(0, 90)),
        wf.Tile("ground", tuple("-----.")),
    ],
    "cube",
)


def make_scenes():
    """Fill `SCENES`: the modules enter theirs when they are first imported."""
    import audit_cases  # noqa: F401
    import configuration_cases  # noqa: F401
    import map_cases  # noqa: F401
    import patchwork_cases  # noqa: F401
    import world_cases  # noqa: F401

    return SCENES
