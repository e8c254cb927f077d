"""Running the command in an empty folder."""

import pytest
from running import run_here

from wavefold.kernels.jit import COMPILED


def pytest_collection_modifyitems(items):
    """Commands and pages are for users, whose kernels are compiled; without, they take minutes."""
    for item in items:
        if not COMPILED and item.path.parent.name == "cli":
            item.add_marker(pytest.mark.skip(reason="commands run compiled"))


@pytest.fixture
def wavefold(tmp_path):
    """Run the command in an empty folder: wavefold("generate", "pipes", WAVEFOLD_WORLD_SEED="9")."""

    def run(*arguments, **environment):
        return run_here(arguments, tmp_path, environment)

    return run
