"""Build all distributions on one machine: `make wheels`.

Kernels are compiled once, then optimised and linked for each platform.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from wavefold.kernels.compile.targets import TARGETS

ROOT = Path(__file__).parent.parent
LIBRARIES = ROOT / "build" / "kernels"  # where hatch_build.py looks for them
BUNDLE = ROOT / "server/src/wavefold_server/studio/pages/three.bundle.js"  # not in git


def main() -> None:
    """Write the source distribution, wheels of all platforms and wavefold.wasm into the given folder."""
    if not BUNDLE.exists():
        raise SystemExit(f"{BUNDLE.relative_to(ROOT)} is missing: run `make bundles` first, which needs npm")
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    named = [option for name in TARGETS for option in ("--target", name)]
    run("wavefold.kernels.compile", str(LIBRARIES), *named)
    run("hatchling", "build", "--target", "sdist", "--directory", str(folder))
    run("hatchling", "build", "--directory", str(folder), cwd=ROOT / "server")
    for name, target in TARGETS.items():
        if target.wheel:
            run("hatchling", "build", "--target", "wheel", "--directory", str(folder), WAVEFOLD_TARGET=name)
        else:
            (library,) = (LIBRARIES / name).glob(f"*{target.ending}")
            shutil.copyfile(library, folder / f"wavefold{target.ending}")


def run(module: str, *arguments: str, cwd: Path = ROOT, **variables: str) -> None:
    """Run a module of this Python in a project of the repository."""
    subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=cwd, env=os.environ | variables, check=True
    )


if __name__ == "__main__":
    main()
