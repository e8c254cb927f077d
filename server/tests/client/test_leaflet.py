"""The requests of examples/leaflet, run by Node: with a key, changes are followed too."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from running_server import run_server
from wavefold_server import ServiceSettings
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys

EXAMPLE = Path(__file__).parents[3] / "examples/leaflet"
SCRIPT = """
import { Server } from "./api.mjs";
const server = new Server(...process.argv.slice(2));
const post = (path, body) => server.json(path, { method: "POST", body });
const { id } = await post("/worlds", { tileset: "castle", seed: 7, refine: false });
const end = new AbortController(), seen = [];
const tell = ({ kind }) => { seen.push(kind); if (kind === "undo") end.abort(); };
const followed = server.follow(`/worlds/${id}/events?since=0`, "change", tell, end.signal);
await post(`/worlds/${id}/edits`, { cells: [[5, 5, "keep"]] });
await post(`/worlds/${id}/undo`, {});
await followed;
console.log(JSON.stringify(seen));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="NOT TESTED: the example needs Node")
def test_changes_are_followed_with_a_key(tmp_path):
    shutil.copy(EXAMPLE / "api.js", tmp_path / "api.mjs")
    (tmp_path / "follow.mjs").write_text(SCRIPT, "utf-8")
    database = Database(tmp_path / "data")
    key = ApiKeys(database).create("page", "write")
    database.close()
    with run_server(ServiceSettings(data=tmp_path / "data")) as address:
        done = subprocess.run(
            ["node", "follow.mjs", address.replace("localhost", "127.0.0.1"), key],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert json.loads(done.stdout or "null") == ["edit", "undo"], done.stderr


def test_the_key_does_not_stay_in_the_address():
    page = (EXAMPLE / "page.js").read_text("utf-8")
    assert 'query.delete("key")' in page
    assert "EventSource" not in page
