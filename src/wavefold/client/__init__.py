"""A Python client for maps and endless worlds of a server: `Client("http://localhost:8317")`.

The client sends HTTP requests to `wavefold serve`. It imports neither the solver nor the server, and needs
httpx (`pip install 'wavefold[client]'`). Start with `client.Client`, then `transport`.
"""

from wavefold.client.client import Client
from wavefold.client.patchworks import RemotePatchwork
from wavefold.client.service_error import ConnectionFailed, ServiceError
from wavefold.client.solves import RemoteMap
from wavefold.client.tilesets import RemoteTileSet
from wavefold.client.worlds import RemoteChange, RemoteWorld

__all__ = [
    "Client",
    "ConnectionFailed",
    "RemoteChange",
    "RemoteMap",
    "RemotePatchwork",
    "RemoteTileSet",
    "RemoteWorld",
    "ServiceError",
]
