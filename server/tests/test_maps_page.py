"""The requests in the guide work."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "service-maps.md"
BODIES = [json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)]


@pytest.mark.parametrize("body", BODIES)
def test_the_page_shows_requests_that_work(shared_client, body):
    answer = shared_client.post("/api/v1/solves", json=body)
    assert answer.status_code == 200, answer.text


def test_the_page_names_every_key(shared_client):
    schema = shared_client.get("/openapi.json").json()["components"]["schemas"]["SolveRequest"]
    text = PAGE.read_text("utf-8")
    assert [key for key in schema["properties"] if f"`{key}" not in text] == []
