"""Run a server in this process until a signal ends it."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from time import monotonic
from types import FrameType
from typing import Any

import uvicorn

from wavefold import __version__
from wavefold.errors import ConfigError
from wavefold.solver import count_threads
from wavefold_server.app import create_app
from wavefold_server.http_protocol import HttpProtocol
from wavefold_server.logs import log, logging_to_stderr
from wavefold_server.memory import QuietTimes, release_memory
from wavefold_server.service import Service
from wavefold_server.settings import ServiceSettings, in_brackets, is_loopback
from wavefold_server.websocket_protocol import WebSocketProtocol

SIGNALS = (signal.SIGINT, signal.SIGTERM)
TICKS = 10  # of the web server, in a second
BACKLOG = 2_048  # connections that wait to be accepted
LAST_SECONDS = 1  # for streams that did not end in the time they had


def run_server(
    settings: ServiceSettings, started: Callable[[str], None] | None = None, log_requests: bool = True
) -> None:
    """Serve until SIGINT or SIGTERM. Raises ConfigError if that is not possible as it is set.

    started : called with the server's address as soon as it listens
    """
    count_threads()  # an error of its setting is due now, not in a request
    with (
        logging_to_stderr(settings.log_format, log_requests),
        closing(open_listener(settings)) as listener,
    ):
        gc.freeze()  # what stays for good need not be looked at in every collection of cycles
        server = ServiceServer(settings, started)
        server.run(sockets=[listener])
    if server.signal is not None and not server.has_served:
        signal.raise_signal(server.signal)  # as if it had come before the start


class ServiceServer(uvicorn.Server):
    """The web server: it announces itself, closes stale connections, and stops gracefully.

    After the first signal new work is refused and running requests may finish; a second one ends the process
    at once, which loses nothing: what was acknowledged is on the disk.
    """

    def __init__(
        self, settings: ServiceSettings, started: Callable[[str], None] | None = None, **options: Any
    ) -> None:
        self.settings, self._on_start, self.web_app = settings, started, create_app(settings)
        self.signal: int | None = None  # that arrived first
        self.has_served = False
        self._stop_at: float | None = None  # by the clock `monotonic`
        self._seen: dict[Any, tuple[object, float]] = {}  # connection: (what it was doing, since when)
        super().__init__(uvicorn.Config(
            self.web_app,
            settings.host,
            settings.port,
            lifespan="off",  # see `serve`: errors at the start are ours to report
            log_config=None,
            access_log=False,  # ours has request ids
            server_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_keep_alive=settings.limits.idle_seconds,  # type: ignore[arg-type]
            timeout_graceful_shutdown=LAST_SECONDS,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            ws_max_size=settings.limits.body_bytes,
            ws_per_message_deflate=False,  # it would be done in the event loop
            **options,
        ))  # fmt: skip

    @property
    def service(self) -> Service:
        """What runs inside."""
        service: Service = self.web_app.state.service
        return service

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the data folder, serve, and close it."""
        with self._handling_signals():
            async with self.web_app.router.lifespan_context(self.web_app):
                self.service.count_connections = lambda: len(self.server_state.connections)
                self._quiet_times = QuietTimes(self.service.count_work)
                await super().serve(sockets)
        if self.has_served:
            log.info("stopped")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        if self.should_exit:
            return
        self.has_served = True
        addresses = [listener.getsockname() for server in self.servers for listener in server.sockets]
        address = announce_start(self.settings, addresses[0][1], self.service)
        if self._on_start is not None:
            self._on_start(address)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: whether to stop listening."""
        if counter % TICKS == 0:
            self._close_stale_connections()
            if not self.service.is_working and self._quiet_times.has_begun():
                await asyncio.to_thread(release_memory)
        return await super().on_tick(counter) and self._is_drained()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections; one that cannot be closed in good order does not keep the others open."""
        try:
            await super().shutdown(sockets)
        except Exception:
            log.exception("connections are cut off")
            for connection in list(self.server_state.connections):
                connection.transport.abort()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal arrived."""
        if self.should_exit:
            os._exit(128 + sig)
        self.signal = sig
        self.should_exit = True

    def _is_drained(self) -> bool:
        """Whether all running requests have been answered, or have had their time."""
        service, now = self.service, monotonic()
        if self._stop_at is None:
            log.info("stopping", extra={"fields": {"running": service.running}})
            service.stopping.set()
            self._stop_at = now + self.settings.limits.grace_seconds
        return service.running == 0 or now >= self._stop_at

    def _close_stale_connections(self) -> None:
        """Close those on which nothing moves: without a request, or with a client that reads nothing."""
        now, limits = monotonic(), self.settings.limits
        seen: dict[Any, tuple[object, float]] = {}
        for connection in list(self.server_state.connections):
            cycle = getattr(connection, "cycle", self)  # the request; WebSockets have none, and pings instead
            unsent = connection.transport.get_write_buffer_size()
            is_idle = cycle is None or getattr(cycle, "response_complete", False)
            if is_idle or unsent:
                before, since = self._seen.get(connection, (None, now))
                seen[connection] = ((cycle, unsent), since if before == (cycle, unsent) else now)
                if now - seen[connection][1] > (limits.idle_seconds if is_idle else limits.body_seconds):
                    connection.transport.abort()
        self._seen = seen

    @contextmanager
    def _handling_signals(self) -> Iterator[None]:
        """The web server handles signals only while it listens; this includes the start and the end."""
        try:
            before = {each: signal.signal(each, self.handle_exit) for each in SIGNALS}
        except ValueError:  # not the main thread
            before = {}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def open_listener(settings: ServiceSettings) -> socket.socket:
    """A socket that listens on the address of the settings."""
    host, port = settings.host, settings.port
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server((address[0], port), family=family, backlog=BACKLOG)
        # Connections inherit it. Without it, every answer after the first one of a connection is 40 ms late:
        # its head waits to be acknowledged before its body is sent.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except socket.gaierror as error:
        raise ConfigError(f"cannot listen on {host!r}: {error.strerror}; see --host") from error
    except OSError as error:
        raise ConfigError(describe_listen_error(error, host, port)) from error


def describe_listen_error(error: OSError, host: str, port: int) -> str:
    """Why there is no socket, and what to do."""
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} of {host} is in use: stop what uses it, or choose another with --port"
        case errno.EACCES:
            return f"port {port} is reserved for administrators: choose one above 1023 with --port"
        case errno.EADDRNOTAVAIL:
            return f"this machine does not have the address {host}: choose another with --host"
    return f"cannot listen on port {port} of {host}: {error.strerror}"


def announce_start(settings: ServiceSettings, port: int, service: Service) -> str:
    """Say where the server listens, for whom, and how to stop it; return its address."""
    address = f"http://{in_brackets(settings.host)}:{port}"
    keys = describe_access(settings, service.key_check.required)
    if settings.log_format == "json":
        fields = {"address": address, "data": str(settings.data), "access": keys, "version": __version__}
        log.info("serving", extra={"fields": fields})
        return address
    print(f"wavefold {__version__} is serving at {address}", file=sys.stderr)
    for name, value in (("data", settings.data), ("access", keys), ("stop", "Ctrl-C; twice to stop at once"),
                        ("API", f"{address}/docs"), ("studio", f"{address}/studio/")):  # fmt: skip
        print(f"  {name:<8}{value}", file=sys.stderr)
    sys.stderr.flush()
    return address


def describe_access(settings: ServiceSettings, keys_required: bool) -> str:
    """Who may use the server."""
    if keys_required:
        return "whoever has an API key"
    if is_loopback(settings.host):
        return "loopback only: programs on this machine, without API keys"
    return "ANYBODY who can connect, without API keys: the proxy in front must authenticate clients"
