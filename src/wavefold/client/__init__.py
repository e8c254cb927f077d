"""Maps and endless worlds from a server, for programs in Python: `Client("http://localhost:8317")`.

It speaks HTTP to `wavefold serve`, solves nothing, and imports nothing of the server.
Needs httpx (`pip install 'wavefold[client]'`). Start reading with `client.Client`, then `transport`.
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
