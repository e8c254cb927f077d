"""Running the command in an empty folder."""

import os
import subprocess

import pytest
from running import COMMAND

from wavefold.kernels.jit import COMPILED


def pytest_collection_modifyitems(items):
    """Commands and pages are for users, whose kernels are compiled; without, they take minutes."""
    for item in items:
        if not COMPILED and item.path.parent.name == "cli":
            item.add_marker(pytest.mark.skip(reason="commands run compiled"))


@pytest.fixture
def wavefold(tmp_path):
    """Run the command in an empty folder."""

    def run(*arguments, **environment):
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", **environment},
        )

    return run
