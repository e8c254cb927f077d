"""Server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ServerEvent:
    """One event.

    kind : the type of the event, "message" if the server sends none
    data : the decoded JSON
    id : where to resume after it, if the connection breaks
    """

    kind: str
    data: Any
    id: str | None = None


def read_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """The events in the lines of a stream (`text/event-stream`), as they arrive."""
    fields: dict[str, list[str]] = {}
    last_id = None
    for line in lines:
        if line:
            name, _, value = line.partition(":")  # lines without a name only keep the connection open
            fields.setdefault(name, []).append(value.removeprefix(" "))
            continue
        last_id = fields.get("id", [last_id])[-1]
        if "data" in fields:
            kind = fields.get("event", ["message"])[-1]
            yield ServerEvent(kind, json.loads("\n".join(fields["data"])), last_id)
        fields = {}
