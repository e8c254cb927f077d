"""Old names that go on working, with a DeprecationWarning that names the new one."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def warn_renamed(old: str, new: str, depth: int = 3) -> None:
    """Warn the caller `depth` frames up that `old` is now called `new`."""
    warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=depth)


def renamed_attribute(old: str, new: str) -> property:
    """A read-only property that answers for `old` with the value of `new`.

    >>> class Report:
    ...     found = 3
    ...     seen = renamed_attribute("seen", "found")
    """

    def read(self: Any) -> Any:
        warn_renamed(f"{type(self).__name__}.{old}", f"{type(self).__name__}.{new}")
        return getattr(self, new)

    return property(read, doc=f"Deprecated name of `{new}`.")


def with_old_keys(data: Mapping[str, Any], old: Mapping[str, str]) -> dict[str, Any]:
    """A document for JSON that has its values under their {old: new} keys, too.

    A file or a printed document cannot warn, so both are there until the old ones are removed.
    """
    return {**data, **{before: data[now] for before, now in old.items()}}


# {module that is gone: {name in it: "new.module:name"}}
OLD_MODULES = {
    "wavefold.formats.maps": {
        "DrawnMap": "wavefold:LoadedMap",
        "SharedTiles": "wavefold.formats:SharedTiles",
        "read_map": "wavefold:read_map",
        "write_tiled_tiles": "wavefold:write_tiled_tiles",
    },
    "wavefold.tiles.doubts": {"doubts": "wavefold:lint"},
    "wavefold.world.arrays": {"write_zarr": "wavefold:write_zarr"},
    "wavefold.world.boundaries": {"boundaries": "wavefold:boundaries", "seams": "wavefold:seams"},
}


class OldModules(MetaPathFinder, Loader):
    """Finds the modules in `OLD_MODULES`, which have no file any more; using their names warns."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in OLD_MODULES else None

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__ = module_aliases(module.__name__, OLD_MODULES[module.__name__])  # type: ignore[method-assign]


def module_aliases(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose names {old: "new.module:name"} live elsewhere by now."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, attribute = homes[name].partition(":")
        warn_renamed(f"{module}.{name}", f"{home}.{attribute}")
        return getattr(import_module(home), attribute)

    return find


sys.meta_path.append(OldModules())  # last: modules that exist are found as ever
