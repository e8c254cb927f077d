"""Wheels are built of everything that they promise, or not at all."""

import subprocess

import pytest

pytest.importorskip("wavefold.kernels.compile.targets", reason="wheels have no compiler of kernels")

import build_wheels


def test_without_the_bundle_of_three_nothing_is_built_and_the_message_says_how(tmp_path, monkeypatch):
    monkeypatch.setattr(build_wheels, "BUNDLE", build_wheels.ROOT / "no.bundle.js")
    monkeypatch.setattr(build_wheels, "LIBRARIES", tmp_path / "kernels")
    monkeypatch.setattr("sys.argv", ["build_wheels.py", str(tmp_path / "dist")])
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("something is built"))
    with pytest.raises(SystemExit, match=r"^no\.bundle\.js is missing: run `make bundles` first"):
        build_wheels.main()
    assert not list(tmp_path.iterdir())


def test_the_bundle_is_built_for_the_wheels():
    rules = (build_wheels.ROOT / "Makefile").read_text("utf-8")
    (needed,) = [line for line in rules.splitlines() if line.startswith("wheels:")]
    assert "bundles" in needed.partition("##")[0].split()
    assert build_wheels.BUNDLE.relative_to(build_wheels.ROOT).as_posix() in rules  # `make clean` removes it
    assert build_wheels.BUNDLE.name in (build_wheels.ROOT / "tools/studio/build.js").read_text("utf-8")
