"""Run the fast tests with the lowest versions that pyproject.toml allows: `make test-lowest`.

All extras are installed together, each dependency in its lowest version, into an environment of its own. What
builds the library has bounds of its own. Further arguments are those of pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "lowest"
FOLDERS = (".", "server")
TOOLS = {"dev", "docs"}  # extras without which the tests run
BOUND = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)")


def main() -> None:
    """Create the environment again, and run the tests in it."""
    projects = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"] for folder in FOLDERS
    ]
    venv.create(FOLDER, clear=True, with_pip=True)
    python = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
    pins = FOLDER / "lowest.txt"
    pins.write_text("\n".join(list_lowest(projects)), "utf-8")
    named = [
        f"./{folder}[{','.join(sorted(project['optional-dependencies'].keys() - TOOLS))}]"
        for folder, project in zip(FOLDERS, projects, strict=True)
    ]
    run(python, "pip", "install", "--quiet", "uv")  # pip tries one version of all the others after another
    run(python, "uv", "pip", "install", "--python", str(python), "--constraint", str(pins), *named)
    run(python, "pytest", "-m", "not slow and not studio", *sys.argv[1:])


def list_lowest(projects: list[dict[str, dict[str, list[str]]]]) -> Iterator[str]:
    """Each dependency in its lowest version, as a constraint of pip."""
    lists = []
    for project in projects:
        extras = project["optional-dependencies"]
        lists += [project["dependencies"], *(extras[name] for name in sorted(extras.keys() - TOOLS))]
    for requirement in sorted({each for listed in lists for each in listed}):
        if requirement.startswith("wavefold"):  # ourselves
            continue
        bound = BOUND.fullmatch(requirement)
        if bound is None:
            raise SystemExit(
                f"pyproject.toml: write {requirement!r} with its lowest version alone: name>=1.2"
            )
        yield f"{bound['name']}=={bound['version']}"


def run(python: Path, module: str, *arguments: str) -> None:
    """Run a module at the root of the repository; if it fails, so does this script."""
    done = subprocess.run([str(python), "-m", module, *arguments], cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
