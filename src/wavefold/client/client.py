"""`Client`: the connection to a server, with one attribute for each part of its API."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from wavefold.client.patchworks import Patchworks
from wavefold.client.service_error import ConnectionFailed
from wavefold.client.solves import ProgressFunction, RemoteMap, Solves
from wavefold.client.tilesets import AnyTileSet, TileSets
from wavefold.client.transport import Transport
from wavefold.client.worlds import Worlds

if TYPE_CHECKING:
    import httpx


class Client:
    """A wavefold server. Clients are thread-safe. Close a client, or use it in a `with` block.

    key : an API key, if the server requires one
    timeout : seconds to wait for a response; jobs may take longer
    patience : seconds for which repeatable requests are retried while the server is busy, or while a server
        that has responded before is unreachable, for example during a restart
    transport : an httpx transport, for proxies and tests
    """

    def __init__(
        self,
        address: str = "http://localhost:8317",
        key: str | None = None,
        *,
        timeout: float = 30.0,
        patience: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._transport = Transport(address, key, timeout, patience, transport)
        self.tilesets = TileSets(self._transport)
        self.solves = Solves(self._transport)
        self.worlds = Worlds(self._transport)
        self.patchworks = Patchworks(self._transport)

    def generate(
        self,
        tileset: AnyTileSet,
        size: tuple[int, ...] | None = None,
        seed: int = 0,
        *,
        progress: ProgressFunction | None = None,
        **options: Any,
    ) -> RemoteMap:
        """Request a map and wait until it is finished. Raises the errors of `wf.generate`.

        If waiting is interrupted, the job is cancelled. `progress` is called regularly with the work done
        and the total work, in cells. The other arguments are those of `client.solves.create`.
        """
        job = self.solves.create(tileset, size, seed, **options)
        try:
            return job.wait(progress)
        except ConnectionFailed:
            raise  # no server is left to cancel the job
        except BaseException:
            if not job.is_finished:
                job.cancel()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def __repr__(self) -> str:
        return f"Client({self._transport.address!r})"
