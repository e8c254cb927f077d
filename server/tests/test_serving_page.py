"""The guide lists every limit and every metric, as they are."""

import asyncio
from pathlib import Path
from tempfile import mkdtemp

import pytest

from wavefold_server import Limits, ServiceSettings
from wavefold_server.service import Service

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "service.md"


def limit_table():
    rows = [
        f"| `{name}` | {info.default:,} | {info.description} |" for name, info in Limits.model_fields.items()
    ]
    return "\n".join(["| limit | default | |", "|---|---:|---|", *rows])


def metric_table():
    service = Service(ServiceSettings(data=Path(mkdtemp())))
    families = sorted(service.metrics.registry.collect(), key=lambda each: each.name)
    asyncio.run(service.stop())
    rows = [
        f"| `{each.name}{'_total' if each.type == 'counter' else ''}` | {each.type} | {each.documentation} |"
        for each in families
        if each.name.startswith("wavefold_")
    ]
    return "\n".join(["| metric | kind | |", "|---|---|---|", *rows])


TABLES = {"LIMITS": limit_table, "METRICS": metric_table}


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_the_table(name):
    table = TABLES[name]()
    assert table in PAGE.read_text("utf-8"), f"paste this into {PAGE}:\n{table}"
