"""Names of a package that are imported when they are first used: importing the package stays quick."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def import_on_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package.

    homes : {module of the package: the names that it has, separated by spaces}
    """
    home_of = {name: f"{package}.{home}" for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
