"""What to run if the compiled library cannot be used. Commands work from any folder."""

from __future__ import annotations

import shlex
import sys

from wavefold.kernels.host.sources import CHECKOUT, IS_CHECKOUT

WITHOUT = "or set WAVEFOLD_KERNELS=python to run without it, slowly"


def show_command(command: list[str]) -> str:
    """A command, quoted for a shell."""
    if sys.platform == "win32":
        from subprocess import list2cmdline  # imported late: importing wavefold stays quick

        return list2cmdline(command)
    return shlex.join(command)


def pip_install(*arguments: str) -> str:
    """The command that installs something for this interpreter."""
    return show_command([sys.executable or "python", "-m", "pip", "install", *arguments])


def describe_remedy() -> str:
    """How to get a usable library, and how to run without one."""
    if IS_CHECKOUT:
        return f"build it again: {pip_install('--editable', str(CHECKOUT))}, {WITHOUT}"
    return f"reinstall wavefold: {pip_install('--force-reinstall', '--no-deps', 'wavefold')}, {WITHOUT}"
