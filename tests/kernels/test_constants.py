"""Numbers that kernels and Python share."""

import ast
from collections import Counter
from pathlib import Path

from wavefold.kernels import constants


def test_no_name_stands_for_two_numbers():
    tree = ast.parse(Path(constants.__file__).read_text("utf-8"))
    assigned = [
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    assert [name for name, times in Counter(assigned).items() if times > 1] == []
