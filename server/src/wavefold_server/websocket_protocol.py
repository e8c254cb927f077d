"""WebSockets as the web server speaks them, less what a hostile client could do with that."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

INVALID = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Closes a connection whose handshake is not valid.

    The web server would leave it open until the client closes it, so anybody could use up all connections; it
    would also fail to stop, since it cannot close such a connection in good order.
    """

    def data_received(self, data: bytes) -> None:
        """Bytes arrived."""
        try:
            super().data_received(data)
        except Exception:
            return self.transport.abort()
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.close_sent = True
            self.transport.write(INVALID)
            self.transport.close()

    def shutdown(self) -> None:
        """The server stops."""
        try:
            super().shutdown()
        except Exception:
            self.transport.abort()

    async def send(self, message: Any) -> None:
        """A message of the application. A refused handshake is complete: no error is logged."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True
