"""The client is light, says what is missing, and closes what it opens."""

import subprocess
import sys

from wavefold.client import Client


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )


def test_importing_the_client_imports_neither_numpy_nor_the_service():
    heavy = "{'numpy', 'fastapi', 'wavefold_server', 'wavefold.solver', 'PIL'}"
    done = run_python(f"import sys, wavefold.client; print(sorted({heavy} & set(sys.modules)))")
    assert done.stdout.strip() == "[]", done.stderr


def test_without_httpx_the_error_says_what_to_install():
    done = run_python("import sys; sys.modules['httpx'] = None; import wavefold.client")
    assert done.stderr.strip().endswith(
        "ModuleNotFoundError: wavefold.client needs httpx; install it with: pip install 'wavefold[client]'"
    )


def test_a_client_shows_its_address_and_no_key():
    with Client("http://localhost:1/", key="wf_secret") as client:
        assert repr(client) == "Client('http://localhost:1')"
