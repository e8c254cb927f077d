"""A short cut for map tiles that are encoded already: a few look-ups, without parsing a request.

It stands before all other routes, and only takes requests that it can answer: all else, whatever is wrong
with it, is for the route in `reading`, which describes tiles in the API.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from wavefold.errors import ConfigError
from wavefold.worlds import TileAddress
from wavefold_server.problems import Problem
from wavefold_server.worlds.reading import answer_tile

NUMBER = r"(-?\d{1,15})"
QUERY = re.compile(rb"(?:revision=(\d{1,15}))?")


class KnownTiles(BaseRoute):
    """Matches requests for map tiles in the cache.

    prefix : of the paths of worlds
    """

    def __init__(self, prefix: str) -> None:
        self.path = (
            f"{prefix}/{{id}}/tiles/{{z}}/{{x}}/{{y}}.png"  # in the metrics, as that of the other route
        )
        self._pattern = re.compile(rf"{prefix}/([0-9a-f]{{1,64}})/tiles/{NUMBER}/{NUMBER}/{NUMBER}\.png")

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """A full match with the tile, or none."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return Match.NONE, {}
        path, query = self._pattern.fullmatch(scope["path"]), QUERY.fullmatch(scope["query_string"])
        if path is None or query is None:
            return Match.NONE, {}
        revision = None if query[1] is None else int(query[1])
        tiles = scope["app"].state.service.worlds.tiles
        try:
            tile = TileAddress.parse(int(path[2]), int(path[3]), int(path[4]))
            found = tiles.peek(path[1], tile, revision)
        except (ConfigError, Problem):
            return Match.NONE, {}
        if found is None:
            return Match.NONE, {}
        return Match.FULL, {"route": self, "wavefold.tile": (found, revision is not None)}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the tile."""
        found, is_fixed = scope["wavefold.tile"]
        service = scope["app"].state.service
        await answer_tile(Headers(scope=scope), service, found, is_fixed)(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """Nothing is named here."""
        raise NotImplementedError
