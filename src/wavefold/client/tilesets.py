"""The tile sets of a server."""

from __future__ import annotations

from wavefold.client.transport import Transport


class TileSets:
    """Bundled tile sets, and those that were uploaded: `client.tilesets`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> list[str]:
        """The names that requests may use."""
        return [each["id"] for each in self._transport.get_json("/tilesets")["tilesets"]]
