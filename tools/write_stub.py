"""Write `src/wavefold/__init__.pyi`, the public names as editors and type checkers read them.

    python tools/write_stub.py

The names are listed in `src/wavefold/__init__.py`; a test fails if the stub does not agree with it.
"""

from pathlib import Path

import wavefold

STUB = Path(__file__).parents[1] / "src/wavefold/__init__.pyi"
HEAD = """# Written by tools/write_stub.py from the list of names in __init__.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any

"""
INTERNAL = (
    "def import_on_use(package: str, names: Mapping[str, Iterable[str]]) -> Callable[[str], Any]: ...\n"
)


def describe_stub() -> str:
    """The text of the stub: an import for each module, and `__all__`, sorted like ruff sorts them."""
    modules = wavefold._NAMES | {"wavefold._version": ("CONTENT_VERSION", "__version__")}
    imports = (
        f"from {module} import (\n" + "".join(f"    {name},\n" for name in sorted(names, key=rank)) + ")\n"
        for module, names in sorted(modules.items())
    )
    listed = "".join(f'    "{name}",\n' for name in sorted(wavefold.__all__, key=rank))
    return HEAD + "".join(imports) + f"\n{INTERNAL}\n__all__ = [\n{listed}]\n"


def rank(name: str) -> tuple[int, str]:
    """Constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


if __name__ == "__main__":
    STUB.write_text(describe_stub(), encoding="utf-8")
