"""Running the command in an empty folder."""

import pytest
from running import run_here


@pytest.fixture
def wavefold(tmp_path):
    """Run the command in an empty folder: wavefold("generate", "pipes", WAVEFOLD_WORLD_SEED="9")."""

    def run(*arguments, **environment):
        return run_here(arguments, tmp_path, environment)

    return run
