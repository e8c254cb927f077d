"""The page about tile sets names what there is."""

from pathlib import Path

from wavefold_server.tilesets.models import AuditRequest, TileSetAnswer, UploadAnswer, UploadOptions
from wavefold_server.tilesets.routes import router

TEXT = (Path(__file__).parents[2] / "docs" / "guide" / "service-tilesets.md").read_text("utf-8")


def test_the_page_names_every_option_and_every_key_of_answers():
    named = [*UploadOptions.model_fields, *TileSetAnswer.model_fields, *UploadAnswer.model_fields]
    assert [each for each in named if f"`{each}`" not in TEXT] == []
    assert [each for each in AuditRequest.model_fields if f'{{"{each}":' not in TEXT] == []


def test_the_page_names_every_route():
    for route in router.routes:
        (method,) = route.methods
        assert f"`{method} {route.path.replace(':path', '')}`" in TEXT
