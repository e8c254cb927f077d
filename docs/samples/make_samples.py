"""Make the sample projects in this folder: the same map of meadow for LDtk and for Godot.

Run it from the root of the repository: python docs/samples/make_samples.py
"""

from pathlib import Path

import wavefold as wf

FOLDER = Path(__file__).parent


def main(folder: Path = FOLDER) -> None:
    """Write the projects to a folder."""
    meadow = wf.generate(wf.TileSet.load("meadow"), wf.SquareGrid(32, 20), seed=5)
    for name in ("ldtk/meadow.ldtk", "godot/meadow.tscn"):
        (folder / name).parent.mkdir(exist_ok=True)
        meadow.save(folder / name)


if __name__ == "__main__":
    main()
