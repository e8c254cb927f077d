"""Running the command in an empty folder."""

import os
import subprocess

import pytest
from running import COMMAND


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
