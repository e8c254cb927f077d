"""Maps and endless worlds over HTTP: `wavefold serve`, one process with one data folder.

It contains the web application, its storage, and the pool of threads that solve. Tiles and maps are the task
of the library: every answer has the bytes that it returns. Start reading with `app.create_app`, then
`service.Service`, which holds the parts of one running server; `docs/design/service.md` describes them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wavefold_server.app import create_app
    from wavefold_server.settings import Limits, ServiceSettings

__all__ = ["Limits", "ServiceSettings", "create_app"]

_HOMES = {"Limits": "settings", "ServiceSettings": "settings", "create_app": "app"}


def __getattr__(name: str) -> Any:
    """Names are loaded when they are used, so that the help of commands stays quick."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
