"""Installations of both distributions in environments of their own: from wheels and from a fresh clone.

Their kernels are plain Python, which is quicker than to compile them.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from urllib.request import Request, urlopen

import pytest

from installing import ROOT, build, clone_to, create_environment, run

pytestmark = [pytest.mark.build, pytest.mark.slow]

VARIABLES = os.environ | {"WAVEFOLD_KERNELS": "python"}
VARIABLES.pop("PYTHONPATH", None)
SHOW = """
import wavefold as wf
solution = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(6, 5), seed=1, refine=False)
print(type(wf.show(solution)).__name__)
"""
needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")


def build_wheels(folder, root=ROOT):
    """A folder with the wheels of both projects."""
    for part, project in (("library", root), ("server", root / "server")):
        wheel = build("wheel", folder / part, project, env=VARIABLES)
        shutil.move(wheel, folder)
    return folder


def install_studio(folder, wheels):
    """Python in an environment with these wheels and what they need."""
    return create_environment(folder, "--find-links", wheels, "wavefold[studio]")


def check_commands(python, folder):
    """Run the commands of the server, and show a map."""
    assert "serve" in run(python, "-m", "wavefold", "--help", env=VARIABLES, cwd=folder)
    listed = run(python, "-m", "wavefold", "plugins", "command", env=VARIABLES, cwd=folder)
    assert listed.count("wavefold-server") == 3
    assert "--scope" in run(python, "-m", "wavefold", "keys", "create", "--help", env=VARIABLES, cwd=folder)
    assert run(python, "-c", SHOW, env=VARIABLES, cwd=folder) == "Image"  # there is no notebook


def start(*command, folder):
    """A server in a process group of its own, as in a shell, and its address."""
    server = subprocess.Popen(
        [*map(str, command)],
        cwd=folder,
        env=VARIABLES,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    lines = []
    for line in server.stderr:
        lines.append(line)
        if '"serving"' in line:
            return server, json.loads(line)["address"]
    raise AssertionError("".join(lines))


def test_the_extra_studio_installs_the_server_from_a_folder_of_wheels(tmp_path):
    wheels = build_wheels(tmp_path / "wheels")
    python = install_studio(tmp_path / "environment", wheels)
    check_commands(python, tmp_path)
    server, address = start(
        python, "-m", "wavefold", "studio", "--no-browser", "--port", "0", "--data", "data", folder=tmp_path
    )
    with server.stderr:
        with urlopen(f"{address}/studio/") as answer:
            assert answer.status == 200
        os.killpg(server.pid, signal.SIGINT)
        rest = server.stderr.read()
    assert (server.wait(30), "Traceback" in rest) == (0, False)


def test_a_checkout_installs_both_projects_with_one_command(tmp_path):
    clone = clone_to(tmp_path / "clone")
    python = create_environment(tmp_path / "environment")
    run(
        python, "-m", "pip", "install", "--quiet", "-e", ".[studio]", "-e", "server", cwd=clone, env=VARIABLES
    )
    check_commands(python, tmp_path)


@needs_npm
@pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
def test_make_studio_in_a_fresh_clone_starts_and_ends_on_ctrl_c(tmp_path):
    clone = clone_to(tmp_path / "clone")
    options = f"STUDIO_ARGS=--no-browser --port 0 --data {tmp_path / 'data'}"
    server, address = start("make", "studio", options, folder=clone)
    with server.stderr:
        with urlopen(f"{address}/studio/three.bundle.js") as answer:
            assert b"WebGLRenderer" in answer.read()
        os.killpg(server.pid, signal.SIGINT)
        rest = server.stderr.read()
    assert server.wait(30) in (0, 2, -signal.SIGINT), (
        rest
    )  # the studio ends well; make may pass on the signal
    assert '"stopped"' in rest
    assert "Traceback" not in rest


@needs_npm
def test_the_studio_of_a_wheel_shows_and_exports_3d_models(tmp_path):
    clone = clone_to(tmp_path / "clone")
    run("make", "bundles", cwd=clone)
    python = install_studio(tmp_path / "environment", build_wheels(tmp_path / "wheels", clone))
    server, address = start(
        python, "-m", "wavefold", "serve", "--port", "0", "--data", "data", folder=tmp_path
    )
    try:
        with urlopen(f"{address}/studio/three.bundle.js") as answer:
            assert b"WebGLRenderer" in answer.read()
        asked = {"tileset": "blocks", "topology": {"width": 4, "height": 4, "depth": 3}, "refine": False}
        headers = {"Content-Type": "application/json"}
        request = Request(f"{address}/api/v1/solves", json.dumps(asked).encode(), headers)
        with urlopen(request) as answer:
            solve = json.load(answer)
        with urlopen(f"{address}/api/v1/solves/{solve['id']}/result.glb") as answer:
            assert answer.read(4) == b"glTF"
    finally:
        server.kill()
        server.wait()
        server.stderr.close()
