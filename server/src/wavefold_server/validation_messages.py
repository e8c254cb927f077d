"""What is wrong with a part of a request, in words that name the part and what could be meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from fastapi.routing import APIRoute
from pydantic import BaseModel

from wavefold.errors import suggest

Models = Mapping[str, type[BaseModel]]  # of the "body" and the "query"


def describe_part(error: Mapping[str, Any], models: Models) -> dict[str, str]:
    """One error of Pydantic's or FastAPI's: in which part of the request, a JSON pointer, and a message."""
    place, *path = error["loc"]
    detail = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "json_invalid":
        at = "".join(f" at character {part}" for part in path)
        reason = error.get("ctx", {}).get("error", detail)
        path, detail = [], f"the {place} is not valid JSON{at}: {reason}"
    elif error["type"] == "extra_forbidden" and path:
        known = find_keys(models.get(place), path[:-1])
        detail = f"unknown key {path[-1]!r:.80}" + (f"; {suggest(path[-1], known)}" if known else "")
    return {"in": str(place), "pointer": "".join(f"/{part}" for part in path), "detail": detail}


def find_models(route: object) -> dict[str, type[BaseModel]]:
    """The models of the body and of the query of a route, as far as they are models."""
    if not isinstance(route, APIRoute):
        return {}
    found = {"body": [route.body_field] if route.body_field else [], "query": route.dependant.query_params}
    kinds = {place: fields[0].field_info.annotation for place, fields in found.items() if len(fields) == 1}
    return {place: kind for place, kind in kinds.items() if is_model(kind)}


def find_keys(model: Any, path: Sequence[Any]) -> list[str]:
    """The keys of the model at a path in another; none if it is not easily found."""
    for part in path:
        field = model.model_fields.get(part) if is_model(model) else None
        model = None if field is None else field.annotation
    return list(model.model_fields) if is_model(model) else []


def is_model(kind: object) -> TypeGuard[type[BaseModel]]:
    """Whether this is a class of Pydantic's."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)
