"""The load generator asks what a server answers, and counts honestly."""

import asyncio
import json

import pytest

from load_service import Connection, Figures, Load, parse_options
from running_server import run_server
from wavefold_server import ServiceSettings


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with run_server(ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2)) as address:
        yield address


@pytest.mark.slow
def test_every_scenario_runs_without_an_error(address):
    options = parse_options([address, "--seconds", "3", "--readers", "3", "--tileset", "pipes"])
    found = asyncio.run(Load(options).run())
    assert [each.errors for each in found] == [0] * 6
    assert all(each.times and each.seconds > 0 for each in found)
    assert "memory" in found[3].note
    assert "× idle" in found[5].note
    json.dumps([each.to_dict() for each in found])


def test_refusals_and_broken_connections_are_errors(address):
    async def ask():
        connection = Connection(address, None)
        missing = await connection.ask("GET", "/api/v1/worlds/none")
        await connection.close()
        nobody = await Connection("http://localhost:1", None).ask("GET", "/")
        return missing[0], nobody[0]

    assert asyncio.run(ask()) == (404, 0)
    figures = Figures("any")
    for status in (200, 304, 404, 503, 0):
        figures.add(status, 1.0)
    assert (len(figures.times), figures.errors) == (5, 3)


def test_percentiles_are_times_that_occurred():
    figures = Figures("any", [float(each) for each in range(100, 0, -1)])
    assert [figures.percentile(share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    assert Figures("none").percentile(0.5) == 0
