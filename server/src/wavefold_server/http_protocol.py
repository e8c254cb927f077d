"""HTTP on one connection: what cannot be parsed is answered with a problem document, as everything else."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from wavefold_server.problems import MEDIA_TYPE, Problem


class HttpProtocol(H11Protocol):
    """The web server's own, named here so that no other is chosen: it bounds the length of headers."""

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, and hang up."""
        problem = Problem(400, "this is not a valid HTTP/1.1 request", error="InvalidRequest",
                          advice="Send a request line and headers as RFC 9112 describes them.")  # fmt: skip
        body = bytes(problem.response().body)
        headers = [("Content-Type", MEDIA_TYPE), ("Content-Length", str(len(body))), ("Connection", "close")]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
