"""Run a server in this process until it is told to end."""

from __future__ import annotations

import uvicorn

from wavefold.errors import ConfigError
from wavefold.service.app import create_app
from wavefold.service.database import Database
from wavefold.service.keys import ApiKeys
from wavefold.service.settings import ServiceSettings, is_loopback

GRACE = 10  # seconds for running requests when the server ends


def run_server(settings: ServiceSettings) -> None:
    """Serve until SIGINT or SIGTERM. Raises ConfigError if it would be open to strangers."""
    check_exposure(settings)
    config = uvicorn.Config(
        create_app(settings),
        settings.host,
        settings.port,
        log_config=None,
        access_log=False,  # ours has request ids
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ws="websockets-sansio",
    )
    uvicorn.Server(config).run()


def check_exposure(settings: ServiceSettings) -> None:
    """Without API keys, only programs on this machine may connect."""
    if is_loopback(settings.host):
        return
    database = Database(settings.data)
    try:
        if not ApiKeys(database).exist:
            raise ConfigError(
                f"without API keys the server only listens on 127.0.0.1, not on {settings.host}: make a key "
                f"with `wavefold keys create NAME --data {settings.data}`, or leave out --host"
            )
    finally:
        database.close()
