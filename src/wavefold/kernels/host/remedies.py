"""Advice for errors: commands that give a usable library, from any folder."""

from __future__ import annotations

import shlex
import sys

from wavefold.kernels.host.sources import CHECKOUT, IS_CHECKOUT

PYTHON_ADVICE = "or set WAVEFOLD_KERNELS=python to run without it, slowly"


def show_command(command: list[str]) -> str:
    """Quote a command for a shell."""
    if sys.platform == "win32":
        from subprocess import list2cmdline  # imported late, to keep the import of wavefold fast

        return list2cmdline(command)
    return shlex.join(command)


def pip_install(*arguments: str) -> str:
    """Return the pip command that installs into this interpreter's environment."""
    return show_command([sys.executable or "python", "-m", "pip", "install", *arguments])


def describe_remedy() -> str:
    """Describe how to get a usable library, or run without one."""
    if IS_CHECKOUT:
        return f"build it again: {pip_install('--editable', str(CHECKOUT))}, {PYTHON_ADVICE}"
    return f"reinstall wavefold: {pip_install('--force-reinstall', '--no-deps', 'wavefold')}, {PYTHON_ADVICE}"
