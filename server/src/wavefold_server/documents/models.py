"""What a document consists of, and what requests about it may contain."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from wavefold.config import BoundedModel
from wavefold_server.bodies import Body, PlainTable, TileSetName, check_table


class DocumentTiles(BaseModel):
    """The tile set of a document."""

    id: str
    name: str = ""
    digest: str = Field(default="", description="of its rules")
    files: str | None = Field(default=None, description="a zip archive in base64, unless it is bundled")


class DocumentBody(BoundedModel):
    """A document of the studio: the log of a view, and what it was made with. Other keys are the view's."""

    model_config = ConfigDict(extra="allow")

    version: int = Field(ge=1, le=1)
    view: str = Field(pattern="^[a-z]{1,20}$")
    beginning: dict[str, Any]
    commands: list[dict[str, Any]]
    wavefold: str | None = Field(default=None, description="the version that made it")
    content: int | None = Field(default=None, description="versions with equal numbers make equal maps")
    tileset: DocumentTiles | None = None
    solve: dict[str, Any] | None = Field(default=None, description="its map as the body of POST /solves")

    @model_validator(mode="before")
    @classmethod
    def _check_plain(cls, data: Any) -> Any:
        return check_table(data)


class PackRequest(Body):
    """A document that is to be passed on."""

    document: PlainTable
    tileset: TileSetName | None = Field(default=None, description="the id of its tile set")


class PackedDocument(BaseModel):
    """A document with everything that another server needs to open it."""

    document: dict[str, Any]
    link: str | None = Field(description="the text of a link, deflated; null if it would be too long")
    whole: bool = Field(description="whether a tile set of one's own is in the link")


class OpenedDocument(BaseModel):
    """A document that came from elsewhere; its tile set is on this server now."""

    document: dict[str, Any]
    changes: list[str] = Field(description="sentences: why it may look different from when it was made")
