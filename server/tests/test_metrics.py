"""Figures for Prometheus: which there are, and that no client can make more of them."""

import re

import pytest

from running_server import run_client
from wavefold_server import ServiceSettings


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with run_client(ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=1)) as client:
        yield client


def series(client, name):
    """The labels of a metric, each as text."""
    return set(re.findall(rf"^{name}\{{(.*)\}} ", client.get("/metrics").text, re.MULTILINE))


def test_requests_are_counted_by_route_not_by_path(client):
    for number in range(3):
        client.get(f"/api/v1/solves/{number}")
        client.get(f"/nowhere/{number}")
        client.request(f"WORD{number}", "/healthz")
    labels = series(client, "wavefold_requests_total")
    assert 'method="GET",route="/api/v1/solves/{id}",status="404"' in labels
    assert 'method="GET",route="other",status="404"' in labels
    assert 'method="other",route="/healthz",status="405"' in labels
    assert not any(re.search(r"nowhere|WORD|/0", each) for each in labels)


def test_memory_queues_and_worlds_are_reported(client):
    text = client.get("/metrics").text
    for name in (
        "process_resident_memory_bytes", "wavefold_quick_queue", "wavefold_job_queue", "wavefold_open_worlds",
        "wavefold_connections", "wavefold_requests_running", "wavefold_chunk_seconds_bucket",
        "wavefold_solves_total",
        "wavefold_backtracks_total", "wavefold_repairs_total", "wavefold_cache_total",
    ):  # fmt: skip
        assert re.search(rf"^(# TYPE )?{name}\b", text, re.MULTILINE), name
