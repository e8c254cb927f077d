"""Building and installing what is in this checkout, in folders and environments of their own."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command, **options):
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def build(target, folder, root=ROOT, **options):
    command = (sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder)
    run(*command, cwd=root, **options)
    (built,) = folder.iterdir()
    return built


def create_environment(folder, *requirements):
    """Python in an environment that has nothing but these packages and what they need."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if requirements:
        run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def clone_to(folder):
    """A copy of what is committed or about to be."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    for name in names:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder
