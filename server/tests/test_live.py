"""Live sessions over real WebSockets do what the library's solver does, and say what happened."""

import asyncio
import json
import re
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import wavefold as wf
from live_client import run_live
from running_server import run_client
from waiting import wait_until
from wavefold_server import Limits, ServiceSettings
from wavefold_server.live import frames, messages

PIPES = {"tileset": "pipes", "topology": {"width": 12, "height": 8}, "seed": 7}
LARGE = PIPES | {"topology": {"width": 64, "height": 64}}
GRID = wf.SquareGrid(12, 8)


@pytest.fixture
def live(shared_client):
    with run_live(str(shared_client.base_url)) as live:
        yield live


@pytest.fixture
def server(tmp_path):
    """A function that runs a server with these limits and gives its client."""
    return lambda **limits: run_client(
        ServiceSettings(data=tmp_path / "data", workers=2, limits=Limits(**limits))
    )


def pipes(seed=7, **options):
    return wf.generate(wf.TileSet.load("pipes"), GRID, seed, refine=False, **options).patterns.tolist()


def count_sessions(client):
    (line,) = [
        line for line in client.get("/metrics").text.splitlines() if line.startswith("wavefold_live_sessions")
    ]
    return float(line.split()[1])


# --- the same maps as the library's -----------------------------------------------------------------


@pytest.mark.parametrize("speed", ["max", 2000])
def test_the_events_of_a_run_lead_to_the_map_of_the_library(live, speed):
    opened = live.ask("open", version=3, **PIPES)
    assert (opened["answer"], opened["version"], opened["status"]) == ("open", 3, "open")
    answer = live.ask("run", version=4, speed=speed)
    assert (answer["answer"], answer["version"], answer["ending"]) == ("run", 4, "solved")
    assert {(frame.kind, frame.tag) for frame in live.seen} == {(frames.EVENTS, 4)}
    assert live.patterns.tolist() == pipes()


def test_the_client_in_the_guide_follows_a_solve(shared_client):
    page = (Path(__file__).parents[2] / "docs" / "guide" / "live.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code, names)
    url = str(shared_client.base_url).replace("http", "ws") + "/api/v1/live"
    patterns, answer = names["watch"](url, PIPES)
    assert answer["status"] == "solved"
    assert patterns.tolist() == pipes()


@pytest.mark.parametrize("show", ["boards", "end"])
def test_a_run_that_shows_boards_ends_with_the_same_map(live, show):
    live.ask("open", **PIPES)
    assert live.ask("run", show=show)["status"] == "solved"
    assert {frame.kind for frame in live.seen} == {frames.BOARD}
    assert live.patterns.tolist() == pipes()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_run_with_steps_back_and_repairs_can_be_followed_too(live, seed):
    hard = {"tileset": "terrain", "topology": {"width": 14, "height": 14}, "seed": seed}
    hard |= {"heuristics": {"order": "random"}}
    live.ask("open", **hard)
    answer = live.ask("run")
    assert answer["status"] == "solved"
    kinds = {int(kind) for frame in live.seen if frame.kind == frames.EVENTS for kind in frame.rows[:, 0]}
    expected = wf.generate(
        wf.TileSet.load("terrain"), wf.SquareGrid(14, 14), seed, refine=False, order="random"
    )
    assert live.patterns.tolist() == expected.patterns.tolist()
    assert (max(kinds) >= 3) == (expected.stats.backtracks + expected.stats.repairs > 0)


class Follower:
    """Domains followed from frames alone, as the studio does; `before` has the trail at each decision."""

    def __init__(self, words, patterns):
        self.words, self.patterns, self.before = words, patterns, []

    def follow(self, frame):
        if frame.kind == frames.DOMAINS:
            self.words, self.before = frames.expand_domains(frame.rows), []
        elif frame.kind == frames.EVENTS:
            for kind, cell, pattern, _ in frame.rows.tolist():
                if kind == 0:
                    self.before.append(self.words.copy())
                elif kind == 1:
                    self.words[cell, pattern // 32] &= ~np.uint32(1 << pattern % 32)
                elif kind == 3 and self.before:
                    self.words = self.before.pop()

    def read_map(self):
        bits = np.unpackbits(self.words.astype("<u4").view(np.uint8), axis=1, bitorder="little")
        return np.where(bits.sum(axis=1) == 1, bits.argmax(axis=1), -1).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("first", [None, 40])
def test_domains_can_be_followed_exactly_through_steps_back_and_repairs(live, seed, first):
    hard = {"tileset": "terrain", "topology": {"width": 14, "height": 14}, "seed": seed, "refine": False}
    hard |= {"heuristics": {"order": "random"}, "boards": "domains"}
    commands = [{"command": "run", "until": first, "show": "end"}] if first else []
    live.ask("open", **hard, commands=commands)
    (opened,) = live.seen
    follower = Follower(frames.expand_domains(opened.rows), 157)
    assert live.ask("run")["status"] == "solved"
    assert frames.BOARD not in {frame.kind for frame in live.seen}
    for frame in live.seen:
        follower.follow(frame)
    live.ask("board")
    assert {frame.kind for frame in live.seen} == {frames.BOARD}, "all is decided: a board says it all"
    assert follower.read_map() == live.patterns.tolist()


def test_a_pin_shows_domains_to_those_who_asked_for_them(live):
    live.ask("open", **PIPES, boards="domains")
    live.ask("pin", cell=5, tile="cross")
    assert {frame.kind for frame in live.seen} == {frames.DOMAINS}


def test_other_grids_can_be_watched(live):
    opened = live.ask("open", tileset="medieval", topology={"radius": 3}, seed=2, refine=False)
    assert (opened["kind"], opened["cells"]) == ("hex", 37)
    live.ask("run")
    tiles = wf.TileSet.load("medieval")
    assert live.patterns.tolist() == wf.generate(tiles, wf.HexGrid(3), 2, refine=False).patterns.tolist()


def test_steps_undo_pins_and_bans_are_those_of_the_solver(live):
    live.ask("open", **PIPES)
    solver = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), GRID), 7)
    live.ask("step", count=5)
    for _ in range(5):
        solver.step()
    assert live.patterns.tolist() == solver.partial().patterns.tolist()
    assert live.ask("undo", count=2)["log"] == {"command": "undo", "count": 2}
    solver.undo()
    solver.undo()
    live.ask("pin", cell=[3, 3], tile="cross")
    solver.pin((3, 3), "cross")
    live.ask("ban", cell=5, tile="wall")
    solver.ban(5, "wall")
    assert live.patterns.tolist() == solver.partial().patterns.tolist()
    assert live.left.tolist() == solver.partial().possible.sum(axis=1).tolist()
    live.ask("run")
    assert live.patterns.tolist() == solver.run().patterns.tolist()


def test_refining_gives_what_a_request_for_a_map_gives(live, shared_client):
    refined = PIPES | {"refine": 3}
    live.ask("open", **refined)
    live.ask("run", show="end")
    answer = live.ask("refine")
    assert answer["refined"]
    expected = shared_client.post("/api/v1/solves", json=refined).json()["patterns"]
    assert live.patterns.tolist() == expected != pipes()
    live.ask("undo")
    assert live.patterns.tolist() == pipes()


def test_another_seed_keeps_pins_and_locks(live):
    live.ask("open", **PIPES)
    live.ask("pin", cell=[3, 3], tile="cross")
    live.ask("run", show="end")
    before = live.patterns
    live.ask("lock", cells=[0, [1, 0], 95])
    answer = live.ask("seed", seed=8)
    assert (answer["seed"], answer["decisions"]) == (8, 0)
    live.ask("run", show="end")
    assert live.patterns[[0, 1, 95, 39]].tolist() == before[[0, 1, 95, 39]].tolist()
    assert live.patterns.tolist() != before.tolist()
    live.ask("unpin", cells=[0, 1, 95, 39])
    assert live.patterns.tolist() == pipes(8)


def test_an_undecided_cell_cannot_be_locked(live):
    live.ask("open", **PIPES)
    assert "not decided" in live.ask("lock", cells=[4])["problem"]["detail"]


def test_without_its_pin_a_map_is_as_if_it_never_was(live):
    live.ask("open", **PIPES, pins=[[2, 2, "cross"]])
    live.ask("ban", cell=[5, 5], tile="wall")
    live.ask("run")
    live.ask("unpin", cells=[[5, 5], [2, 2]])
    assert live.patterns.tolist() == pipes()


def test_a_session_can_be_rebuilt_from_its_log_byte_for_byte(live, shared_client):
    live.ask("open", **PIPES)
    for command in ({"command": "step", "count": 4}, {"command": "undo", "count": 1}):
        live.ask(**command)
    live.ask("pin", cell=[3, 3], tile="cross")
    live.ask("run", speed="max", until=20)
    live.ask("step")
    live.ask("undo")
    live.ask("board")
    (board,) = live.seen
    log = live.ask("log")["open"]
    with run_live(str(shared_client.base_url)) as other:
        assert other.ask(**log)["left_out"] == 0
        assert other.seen[0].encode() == board.encode()
        assert other.ask("log")["open"] == log


def test_a_run_that_was_paused_can_be_repeated(live):
    live.ask("open", **LARGE)
    live.send("run", show="events")
    live.send("pause")
    assert live.receive()["ending"] == "paused"
    live.receive()
    patterns, log = live.patterns, live.ask("log")["open"]
    assert [each["command"] for each in log["commands"]] in ([], ["step"])
    live.ask(**log)
    assert live.patterns.tolist() == patterns.tolist()


# --- questions --------------------------------------------------------------------------------------


def test_the_domain_of_a_cell_has_names_and_chances(live):
    live.ask("open", **PIPES)
    live.ask("step", count=3)
    answer = live.ask("domain", cell=[4, 4])
    assert (answer["cell"], answer["coordinate"]) == (52, [4, 4])
    chances = [each["chance"] for each in answer["domain"]]
    assert sum(chances) == pytest.approx(1)
    assert chances == sorted(chances, reverse=True)
    solver = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), GRID), 7)
    for _ in range(3):
        solver.step()
    assert sorted(each["name"] for each in answer["domain"]) == sorted(solver.domain((4, 4)))


def test_entropies_are_zero_where_a_cell_is_decided(live):
    live.ask("open", **PIPES)
    live.ask("step", count=10)
    live.ask("entropy")
    (frame,) = live.seen
    assert (frame.kind, frame.rows.shape) == (frames.ENTROPY, (96, 1))
    assert ((frame.rows[:, 0] == 0) == (live.left == 1)).all()


def test_colours_are_one_for_each_cell(live):
    live.ask("open", **PIPES)
    live.ask("colours")
    assert live.seen[0].kind == frames.COLOURS
    assert live.seen[0].rows.shape == (96, 4)


def test_names_belong_to_patterns_by_their_number(live):
    live.ask("open", **PIPES)
    answer = live.ask("names")
    rules = wf.TileSet.load("pipes").rules
    assert answer["names"] == list(rules.names)
    assert answer["tiles"] == [rules.tiles[tile] for tile in rules.tile_of]


def test_questions_are_answered_while_a_run_goes_on(live):
    live.ask("open", **PIPES)
    live.send("run", version=1, speed=100)
    live.send("stats", version=2)
    answer = live.receive()
    assert (answer["answer"], answer["version"]) == ("stats", 2)
    assert answer["stats"]["decisions"] < 96
    live.send("pause", version=3)
    assert live.receive()["ending"] == "paused"
    assert live.receive()["version"] == 3


# --- contradictions and other errors ----------------------------------------------------------------


def test_a_pin_that_clashes_with_another_is_explained_and_the_session_goes_on(live):
    live.ask("open", **PIPES)
    live.ask("pin", cell=[3, 3], tile="cross")
    answer = live.ask("pin", version=9, cell=[4, 3], tile="wall")
    problem = answer["problem"]
    assert (answer["version"], problem["status"], problem["error"]) == (9, 409, "Contradiction")
    assert problem["cell"] == 40
    explanation = problem["explanation"]
    assert explanation["contradictory"]
    assert sorted(each["cell"] for each in explanation["requirements"]) == [39, 40]
    assert live.ask("run")["status"] == "solved"


def test_a_pin_that_clashes_with_decisions_says_to_undo_them(live):
    live.ask("open", **PIPES)
    live.ask("run", show="end")
    wrong = "wall" if live.ask("domain", cell=0)["domain"][0]["name"] != "wall" else "cross"
    problem = live.ask("pin", cell=0, tile=wrong)["problem"]
    assert problem["status"] == 409
    assert "Undo" in problem["advice"] or problem["explanation"]["contradictory"]


def test_a_map_that_cannot_be_is_an_answer(live):
    clash = [[3, 3, "cross"], [4, 3, "wall"]]
    live.ask("open", **PIPES, pins=clash)
    answer = live.ask("run")
    assert answer["status"] == answer["ending"] == "impossible"
    assert sorted(answer["explanation"]["cells"]) == [39, 40]
    assert live.ask("unpin", cells=[[4, 3]])["status"] in ("open", "solved")
    assert live.ask("run")["status"] == "solved"


def test_nothing_to_undo_is_an_answer(live):
    live.ask("open", **PIPES)
    assert "no decision to undo" in live.ask("undo")["problem"]["detail"]


def test_commands_before_open_are_refused(live):
    assert live.ask("step")["problem"]["error"] == "NoSession"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"tileset": "pipe"}, "pipes"),
        ({"topology": {"width": 300, "height": 300}}, "live_cells"),
        ({"search": {"ladder": "sat"}}, "sat"),
        ({"locks": [[0, 999]]}, "pattern 999"),
        ({"locks": [[999, 0]]}, "999"),
        ({"seed": "7"}, "seed"),
        ({"commands": [{"command": "open"}]}, "commands"),
    ],
)
def test_an_open_that_cannot_be_leaves_the_session_as_it_was(live, change, expected):
    live.ask("open", **PIPES)
    live.ask("step", count=2)
    answer = live.ask("open", version=5, **PIPES | change)
    assert expected in json.dumps(answer["problem"])
    assert answer["version"] == 5
    assert live.ask("stats")["decisions"] == 2


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("", 400),
        ("not JSON", 400),
        ("[" * 10_000, 400),
        ("null", 422),
        ("[1, 2]", 422),
        ("{}", 422),
        ('{"command": 7}', 404),
        ('{"command": "stepp"}', 404),
        ('{"command": "step", "count": 0}', 422),
        ('{"command": "step", "count": 1e400}', 422),
        ('{"command": "step", "version": -1}', 422),
        ('{"command": "run", "speed": 0}', 422),
        ('{"command": "pin", "cell": [1, 1, 1, 1, 1], "tile": "wall"}', 422),
        ('{"command": "pin", "cell": [999, 1], "tile": "wall"}', 422),
        ('{"command": "pin", "cell": 3, "tile": {"a": 1}}', 422),
        ('{"command": "domain", "cell": -1}', 422),
        ('{"command": "step", "more": 1}', 422),
    ],
)
def test_messages_that_are_not_commands_are_answered_and_the_session_goes_on(live, message, status):
    live.ask("open", **PIPES)
    live.socket.send(message)
    assert live.receive()["problem"]["status"] == status
    assert live.ask("step")["decisions"] == 1


def test_binary_messages_close_the_connection(live):
    live.socket.send(b"step")
    with pytest.raises(ConnectionClosed) as closed:
        live.receive()
    assert closed.value.rcvd.code == 1003
    assert "JSON" in closed.value.rcvd.reason


def test_a_message_that_is_too_long_closes_the_connection(server):
    with server(body_bytes=1000) as client, run_live(str(client.base_url)) as live:
        live.send("open", **PIPES, version=1)
        live.receive()
        live.send("step" + " " * 2000)
        with pytest.raises(ConnectionClosed) as closed:
            live.receive()
        assert closed.value.rcvd.code == 1009


def test_a_message_with_too_many_values_is_answered_and_the_session_goes_on(server):
    with server(body_values=1_000) as client, run_live(str(client.base_url)) as live:
        live.ask("open", **PIPES)
        for cells in ([[]] * 1_000, [[]] * 30_000):  # read at once, and in a thread
            live.socket.send(json.dumps({"command": "lock", "cells": cells}))
            problem = live.receive()["problem"]
            assert (problem["status"], problem["limit"]) == (413, "body_values")
        assert live.ask("step")["decisions"] == 1


# --- who comes first --------------------------------------------------------------------------------


def test_pause_ends_a_run_at_once(live):
    live.ask("open", **LARGE)
    live.send("run", version=1)
    live.send("pause", version=2)
    run, pause = live.receive(), live.receive()
    assert (run["version"], run["ending"], pause["version"]) == (1, "paused", 2)
    assert run["decisions"] < 4096
    assert live.ask("stats")["decisions"] == run["decisions"]


def test_a_step_during_a_run_ends_it(live):
    live.ask("open", **PIPES)
    live.send("run", speed=50)
    live.send("step", count=1)
    run, step = live.receive(), live.receive()
    assert run["ending"] == "paused"
    assert step["decisions"] == run["decisions"] + 1


def test_steps_are_all_made_before_what_follows(live):
    live.ask("open", **PIPES)
    live.send("step", count=5)
    live.send("pin", cell=[9, 6], tile="wall")
    assert live.receive()["decisions"] == 5
    assert live.receive()["decisions"] == 5


def test_a_map_can_be_opened_solved_refined_and_painted_without_waiting_for_answers(live):
    live.send("open", **PIPES)
    live.send("run", show="end")
    live.send("refine", sweeps=2)
    live.send("paint", cells=[40], tile="cross")
    live.send("regrow", cells=[0, 1, 12, 13], seed=3)
    answers = [live.receive() for _ in range(5)]
    assert [each["answer"] for each in answers] == ["open", "run", "refine", "paint", "regrow"]
    assert answers[-1]["edits"] == 3
    assert live.ask("domain", cell=40)["domain"][0]["name"] == "cross"


def test_a_newer_open_drops_what_waits(live):
    live.ask("open", version=1, **PIPES)
    live.send("run", version=2, speed=1)
    live.send("refine", version=3)
    live.send("open", version=4, **PIPES | {"seed": 8})
    answers = {answer["version"]: answer for answer in (live.receive() for _ in range(3))}
    assert answers[2]["ending"] == "paused"
    assert answers[3]["problem"]["error"] in ("Superseded", "WavefoldError")
    assert answers[4]["seed"] == 8
    live.ask("run", show="end")
    assert live.patterns.tolist() == pipes(8)


def test_a_newer_refinement_replaces_the_one_under_way(live):
    live.ask("open", version=1, **LARGE)
    live.ask("run", version=2, show="end")
    live.send("refine", version=3, sweeps=1_000)
    live.send("refine", version=4, sweeps=1)
    first, second = live.receive(), live.receive()
    assert (first["version"], first["problem"]["error"]) == (3, "Superseded")
    assert (second["version"], second["refined"]) == (4, True)
    patterns = live.patterns.tolist()
    live.ask("refine", sweeps=1)
    assert live.patterns.tolist() == patterns


def test_run_ends_where_it_was_asked_to(live):
    live.ask("open", **PIPES)
    answer = live.ask("run", until=10)
    assert (answer["ending"], answer["decisions"]) == ("until", 10)
    answer = live.ask("run", until=5, show="end")
    assert (answer["ending"], answer["decisions"]) == ("until", 15)


def test_a_run_ends_with_its_budget(live):
    for show in ("events", "end"):
        live.ask("open", **PIPES, budget={"decisions": 20})
        answer = live.ask("run", show=show)
        assert answer["problem"]["error"] == "OutOfBudget"
        assert answer["decisions"] == 20
        assert live.ask("step")["decisions"] == 21


# --- limits -----------------------------------------------------------------------------------------


def test_too_many_sessions_are_refused_before_they_begin(server):
    with server(live_sessions=1) as client:
        with run_live(str(client.base_url)) as live:
            live.ask("open", **PIPES)
            with pytest.raises(InvalidStatus) as refused, run_live(str(client.base_url)):
                pass
            answer = refused.value.response
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "10"
            assert json.loads(answer.body)["error"] == "Busy"
            assert count_sessions(client) == 1
        wait_until(lambda: count_sessions(client) == 0)
        with run_live(str(client.base_url)) as live:
            assert live.ask("open", **PIPES)["status"] == "open"


def test_a_client_that_leaves_frees_its_session(shared_client):
    with run_live(str(shared_client.base_url)) as live:
        live.ask("open", **LARGE)
        live.send("run")
        live.socket.recv(timeout=300)
        assert count_sessions(shared_client) >= 1
        live.socket.socket.close()
    wait_until(lambda: count_sessions(shared_client) == 0)


def test_an_idle_session_is_closed(server):
    with server(live_idle_seconds=0.05) as client, run_live(str(client.base_url)) as live:
        with pytest.raises(ConnectionClosed) as closed:
            live.socket.recv(timeout=300)
        assert closed.value.rcvd.code == 1000
        assert "open a new session" in closed.value.rcvd.reason


def test_too_many_commands_in_a_second_have_to_wait(server, monkeypatch):
    """The clock stands still: all come in the same moment."""
    waited = []

    async def note(seconds):
        waited.append(seconds)

    monkeypatch.setattr(messages, "monotonic", lambda: 0.0)
    monkeypatch.setattr(messages, "asyncio", SimpleNamespace(sleep=note, wait_for=asyncio.wait_for))
    with server(live_messages=20) as client, run_live(str(client.base_url)) as live:
        for version in range(30):
            live.send("stats", version=version)
        assert [live.receive()["version"] for _ in range(30)] == list(range(30))
    assert waited == pytest.approx([number / 20 for number in range(1, 11)])


def test_a_server_that_stops_ends_sessions(settings):
    with run_client(settings) as client:
        connection = run_live(str(client.base_url))
        live = connection.__enter__()
        live.ask("open", **PIPES)
        live.send("run", speed=1)
    with pytest.raises(ConnectionClosed) as closed:
        live.receive()
    assert closed.value.rcvd.code == 1012  # "service restart"
    connection.__exit__(None, None, None)


def test_close_ends_the_session(live):
    live.ask("open", **PIPES)
    live.send("close")
    with pytest.raises(ConnectionClosed) as closed:
        live.receive()
    assert closed.value.rcvd.code == 1000


def test_a_slow_reader_gets_everything_in_the_end(live):
    live.ask("open", **LARGE)
    live.send("run")
    sleep(0.3)
    assert live.receive()["status"] == "solved"
    tiles, grid = wf.TileSet.load("pipes"), wf.SquareGrid(64, 64)
    assert live.patterns.tolist() == wf.generate(tiles, grid, 7, refine=False).patterns.tolist()
    assert max(len(frame.rows) for frame in live.seen) <= frames.MOST_ROWS


# --- who may come in --------------------------------------------------------------------------------


def test_a_key_comes_as_a_protocol_and_is_not_echoed(settings):
    from wavefold_server.database import Database
    from wavefold_server.keys import ApiKeys

    database = Database(settings.data)
    key = ApiKeys(database).create("studio", "write")
    weak = ApiKeys(database).create("reader", "read")
    database.close()
    with run_client(settings) as client:
        address = str(client.base_url)
        with run_live(address, subprotocols=["wavefold", f"key.{key}"]) as live:
            assert live.socket.subprotocol == "wavefold"
            assert live.ask("open", **PIPES)["status"] == "open"
        for offered, status in ((["wavefold"], 401), (["wavefold", f"key.{weak}"], 403)):
            with pytest.raises(InvalidStatus) as refused, run_live(address, subprotocols=offered):
                pass
            assert refused.value.response.status_code == status


def test_pages_of_other_sites_may_not_connect(shared_client):
    with (
        pytest.raises(InvalidStatus) as refused,
        run_live(str(shared_client.base_url), origin="https://elsewhere.example"),
    ):
        pass
    assert refused.value.response.status_code == 403
