"""Builds the compiled library when wavefold is installed or packed into a wheel: hatchling calls this.

Only the standard library is imported here besides hatchling, which would ignore `dependencies` otherwise.

An editable installation gets the library in its sources, with the kernels that only tests call. A wheel gets
that of the platform in WAVEFOLD_TARGET, or of this one.
"""

import os
import runpy
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "WAVEFOLD_TARGET"
WITHOUT_LIBRARY = os.environ.get("WAVEFOLD_KERNELS") == "python"

# Runs the builder from the sources. Not by PYTHONPATH: pip removes paths of editable installations from it.
START = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("wavefold.kernels.compile", run_name="__main__")
"""


class LibraryHook(BuildHookInterface[Any]):
    """Adds the compiled library to what is built."""

    PLUGIN_NAME = "custom"

    @property
    def source(self) -> Path:
        """The folder of the package's sources."""
        return Path(self.root, "src")

    @property
    def digest(self) -> str:
        """Of what the library is built from."""
        return str(self.load("host/sources.py")["digest_sources"]())

    def load(self, name: str) -> dict[str, Any]:
        """What a file of the kernels defines; none of those loaded here imports another package."""
        return runpy.run_path(str(self.source / "wavefold" / "kernels" / name))

    def dependencies(self) -> list[str]:
        """A linker, unless this machine has one for the target."""
        if WITHOUT_LIBRARY:
            return []
        targets = self.load("compile/targets.py")
        name = os.environ.get(TARGET) or targets["host_target"]()
        return [] if targets["has_cc"](name) else ["ziglang>=0.15"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and have it packed. Without one, kernels run as plain Python."""
        if WITHOUT_LIBRARY:
            return
        targets = self.load("compile/targets.py")
        name = os.environ.get(TARGET) or targets["host_target"]()
        known = [each for each, target in targets["TARGETS"].items() if target.wheel]
        if name not in known:
            raise SystemExit(f"{TARGET} must be one of {', '.join(known)}, not {name}")
        target = targets["TARGETS"][name]
        if version == "editable" and name != (host := targets["host_target"]()):
            raise SystemExit(f"unset {TARGET}: an editable installation is for {host}, not for {name}")
        if version == "editable":  # linked again each time: the library may be damaged
            module = self.load("host/sources.py")["module_path"](self.digest)
            built = self.build(module.parent, name, "--probes", "--module", str(module))
            self.remove_others(module.parent, {built, module})
            return
        folder = Path(self.root, "build", "kernels", name)
        library = self.find(folder, target.ending) or self.build(folder, name)
        built = folder / "_built.py"
        built.write_text(f'"""Written by the build."""\n\nLIBRARY = "{library.name}"\n', "utf-8")
        for path in (library, built):
            build_data["force_include"][str(path)] = f"wavefold/kernels/{path.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{target.wheel}"

    def find(self, folder: Path, ending: str) -> Path | None:
        """The library of these sources in a folder; `make wheels` builds those of all targets beforehand."""
        sources = self.load("host/sources.py")
        digest, name_of = self.digest, sources["library_name"]
        for path in folder.glob(name_of(digest, "*", ending)):
            if path.name == name_of(digest, sources["checksum_of"](path.read_bytes()), ending):
                return path
        return None

    def build(self, folder: Path, name: str, *options: str) -> Path:
        """Build the library of a target into this folder."""
        command = [sys.executable, "-c", START, str(self.source), str(folder), "--target", name, *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise SystemExit("the kernels cannot be compiled; see above")
        return Path(os.fsdecode(done.stdout.strip()))

    def remove_others(self, folder: Path, kept: set[Path]) -> None:
        """Remove libraries of other sources; Windows keeps files that are in use."""
        for path in set(folder.glob("kernels-*")) - kept:
            with suppress(OSError):
                path.unlink()
