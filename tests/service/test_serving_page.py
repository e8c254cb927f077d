"""The guide lists every limit, as it is."""

from pathlib import Path

import pytest

from wavefold.service import Limits

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "service.md"


def limit_table():
    rows = [
        f"| `{name}` | {info.default:,} | {info.description} |" for name, info in Limits.model_fields.items()
    ]
    return "\n".join(["| limit | default | |", "|---|---:|---|", *rows])


TABLES = {"LIMITS": limit_table}


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_the_table(name):
    table = TABLES[name]()
    assert table in PAGE.read_text("utf-8"), f"paste this into {PAGE}:\n{table}"
