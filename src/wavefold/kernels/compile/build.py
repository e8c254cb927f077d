"""The build: from kernels to libraries."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import llvmlite.binding as llvm

from wavefold.kernels.compile.module import ENTRY, PROCESSOR, TABLE, describe_units, emit, emit_table, join
from wavefold.kernels.compile.targets import TARGETS, check_linker, link
from wavefold.kernels.compile.units import compile_units, load_units
from wavefold.kernels.host.sources import checksum_of, digest_sources, library_name
from wavefold.kernels.units import UNITS


def build(
    folders: dict[str, Path],
    processes: int = 1,
    probes: bool = False,
    module: Path | None = None,
    report: Callable[[str], None] = lambda _line: None,
) -> list[Path]:
    """Write the library of each target to its folder. Return the paths.

    probes : include the kernels that only tests call
    module : a file for the LLVM code that all targets share; if it exists, it is used instead of compiling,
             so it must be from the same sources
    report : called with a line about each finished step
    """
    for name in folders:
        check_linker(name)
    digest = digest_sources()  # before the sources are imported, so that later changes are detected
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()  # for CHECK_PROCESSOR
    load_units(probes)
    text = "" if module is None else read_module(module)
    if not text:
        texts = compile_units(processes, probes)
        report(f"{len(texts)} units compiled to {sum(map(len, texts.values())) / 1e6:.0f} MB of LLVM code")
        text = join(texts)
        report(f"joined and simplified to {len(text) / 1e6:.1f} MB")
        if module is not None:
            write_whole(module, text.encode())
    return [build_library(folder, name, text, digest, report) for name, folder in folders.items()]


def read_module(path: Path) -> str:
    """Return LLVM code from an earlier build, or "" if the file does not exist or is incomplete."""
    try:
        text = path.read_text("utf-8")
        llvm.parse_assembly(text)
    except (FileNotFoundError, RuntimeError):
        return ""
    return text


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it when it is complete.

    If this process is killed, the draft remains. The next build removes files of that name.
    """
    draft = path.with_name(f"kernels-draft-{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def build_library(folder: Path, name: str, text: str, digest: str, report: Callable[[str], None]) -> Path:
    """Write the library of one target. Return its path."""
    target = TARGETS[name]
    folder.mkdir(parents=True, exist_ok=True)
    entries = [symbol for symbol in UNITS if symbol.startswith(ENTRY)]
    with TemporaryDirectory(prefix="wavefold-") as scratch:
        objects = [Path(scratch, "table.o")]
        objects[0].write_bytes(emit_table(target, describe_units(digest, target.processors)))
        exports = [TABLE] + [PROCESSOR] * (len(target.processors) > 1)
        for level, processor in enumerate(target.processors):
            suffix = f"_{level}" if level else ""
            objects.append(Path(scratch, f"kernels{suffix}.o"))
            objects[-1].write_bytes(emit(text, target, processor, suffix))
            exports += [symbol + suffix for symbol in entries]
            report(f"{name}: optimised for {processor}")
        linked = Path(scratch, f"kernels{target.ending}")
        link(name, objects, linked, exports)
        content = linked.read_bytes()
    library = folder / library_name(digest, checksum_of(content), target.ending)
    write_whole(library, content)
    report(f"{library.name}: {len(content) / 1e3:.0f} kB")
    return library
