"""Maps and endless worlds over HTTP: `wavefold serve`, one process with one data folder.

Here live the web application, what it stores, and the pool of threads that solve; nothing about tiles or maps
is decided here: every answer has the bytes that the library gives. Start reading with `app.create_app`, then
`service.Service`, which holds the parts of one running server; `docs/design/service.md` is the map.
"""

from typing import TYPE_CHECKING, Any

from wavefold.service.settings import Limits, ServiceSettings

if TYPE_CHECKING:
    from wavefold.service.app import create_app

__all__ = ["Limits", "ServiceSettings", "create_app"]


def __getattr__(name: str) -> Any:
    """The application is imported when it is used: `wavefold keys` does without."""
    if name == "create_app":
        from wavefold.service.app import create_app

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
