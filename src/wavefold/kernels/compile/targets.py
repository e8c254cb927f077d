"""The platforms that libraries are built for, and the linker command of each."""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


class Target(NamedTuple):
    """A platform: its LLVM triple, its processor versions, and the platform tag of its wheels."""

    triple: str
    processors: tuple[str, ...]  # in ascending order; the library has the kernels once for each
    ending: str  # of the file name
    wheel: str  # the platform tag; "": no wheels
    features: str = ""


V2, V3 = "x86-64-v2", "x86-64-v3"
LINUX = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"

TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", (V2, V3), ".so", LINUX.format("x86_64")),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", ("generic",), ".so", LINUX.format("aarch64")),
    "macos-arm64": Target("arm64-apple-macosx11.0.0", ("apple-m1",), ".dylib", "macosx_11_0_arm64"),
    "macos-x86_64": Target("x86_64-apple-macosx10.13.0", (V2, V3), ".dylib", "macosx_10_13_x86_64"),
    "windows-x86_64": Target("x86_64-pc-windows-msvc", (V2, V3), ".dll", "win_amd64"),
    "wasm32": Target("wasm32-unknown-unknown", ("generic",), ".wasm", "", "+simd128,+bulk-memory,+sign-ext"),
}

LONGEST_LINK = 300  # seconds
LC_SYMTAB, LC_DYSYMTAB = 0x2, 0xB  # load commands of Mach-O files


def host_target() -> str:
    """Return the name of the target for this platform."""
    system = {"linux": "linux", "darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    name = f"{system}-{'arm64' if (system, machine) == ('macos', 'aarch64') else machine}"
    if name not in TARGETS or sys.maxsize < 1 << 32:
        bits = "" if name not in TARGETS else " with 32-bit Python"
        raise SystemExit(
            f"there is no compiled library for {name}{bits}; set WAVEFOLD_KERNELS=python, while you install "
            "and later, to use wavefold without one, slowly"
        )
    return name


def has_cc(name: str) -> bool:
    """Whether the compiler driver `cc` of this machine can link for a target."""
    return name == host_target() and sys.platform == "linux" and shutil.which("cc") is not None


def check_linker(name: str) -> None:
    """Exit unless there is a linker for a target."""
    if not has_cc(name) and find_spec("ziglang") is None:
        from wavefold.kernels.host.remedies import (
            pip_install,
        )

        cc = "install a C compiler, cc, or " if name == host_target() and sys.platform == "linux" else ""
        raise SystemExit(f"a library for {name} needs a linker; {cc}run: {pip_install('ziglang>=0.15')}")


def link(name: str, objects: list[Path], library: Path, exports: list[str]) -> None:
    """Link object files to a library without dependencies, with `cc` if possible, else with ziglang."""
    command = link_command(name, objects, library, exports)
    # Keep Zig from writing to the user's cache.
    caches = {
        "ZIG_GLOBAL_CACHE_DIR": str(library.parent / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(library.parent / "zig"),
    }
    try:
        done = subprocess.run(
            command,
            env=os.environ | caches,
            capture_output=True,
            text=True,
            timeout=LONGEST_LINK,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SystemExit(f"{library.name} cannot be linked: {error}") from None
    if done.returncode:
        print(" ".join(command), done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise SystemExit(f"the library for {name} cannot be linked (exit code {done.returncode})")
    if name.startswith("macos") and (missing := list_undefined(library.read_bytes())):
        raise SystemExit(f"{library.name} needs {', '.join(missing)}, which no kernel defines")


def list_undefined(library: bytes) -> list[str]:
    """Return the undefined symbols of a macOS library. Other linkers reject undefined symbols."""
    (commands,) = struct.unpack_from("<I", library, 16)
    at, found = 32, {}
    for _ in range(commands):
        kind, size = struct.unpack_from("<2I", library, at)
        found[kind] = library[at + 8 : at + size]
        at += size
    symbols, _, strings, _ = struct.unpack("<4I", found[LC_SYMTAB])
    first, count = struct.unpack_from("<2I", found[LC_DYSYMTAB], 16)
    starts = [struct.unpack_from("<I", library, symbols + 16 * at)[0] for at in range(first, first + count)]
    names = [library[strings + at : library.index(b"\0", strings + at)].decode() for at in starts]
    return [name for name in names if name != "dyld_stub_binder"]  # Zig adds it to every library


def link_command(name: str, objects: list[Path], library: Path, exports: list[str]) -> list[str]:
    """Return the command that links object files to a library."""
    zig = [sys.executable, "-m", "ziglang"]
    files = [*map(str, objects), "-o", str(library)]
    flags = ["--build-id=none", "-s", "--hash-style=gnu", "-z", "noexecstack", "--no-undefined"]
    if has_cc(name):
        return ["cc", "-shared", "-nostdlib", "-Wl," + ",".join(flags), *files]
    if name.startswith("linux"):
        return [*zig, "ld.lld", "-shared", *flags, *files]
    if name.startswith("macos"):
        machine = name.partition("-")[2].replace("arm64", "aarch64")
        entitlements = library.with_suffix(".plist")  # Zig signs only with such a file, which may be empty
        entitlements.write_text('<plist version="1.0"><dict></dict></plist>\n', "utf-8")
        flags = ["-dynamic", "-fstrip", "-install_name", f"@rpath/{library.name}"]
        signed = ["--entitlements", str(entitlements), f"-femit-bin={library}"]
        return [*zig, "build-lib", "-target", f"{machine}-macos", *flags, *signed, *map(str, objects)]
    if name.startswith("windows"):
        exported = [f"/export:{symbol}" for symbol in exports]
        flags = ["/dll", "/noentry", "/nodefaultlib", "/brepro", f"/out:{library}"]
        return [*zig, "lld-link", *flags, *exported, *map(str, objects)]
    exported = [f"--export={symbol}" for symbol in exports]
    flags = [
        "--no-entry",
        "--import-memory",
        "--max-memory=4294967296",
        "-z",
        "stack-size=1048576",
        "--strip-all",
    ]
    return [*zig, "wasm-ld", *flags, *exported, *files]
