"""The program: all units joined into one module, simplified once, and optimised for each processor."""

from __future__ import annotations

import json
import re
from typing import Any

import llvmlite.binding as llvm

from wavefold.kernels.compile.targets import Target
from wavefold.kernels.units import UNITS, signature_of

ENTRY, PART = "wf_", "part_"
TABLE, PROCESSOR = "wf_table", "wf_processor"
LIBRARY_CALLS = ("memset", "memcpy", "bzero", "__bzero", "memset_pattern16")  # LLVM generates calls of these

# A loop over bytes in LLVM code. The placeholder is for the operation on byte %i of %to, at address %at.
LOOP = """
  %any = icmp ne i64 %count, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i8, ptr %to, i64 %i
{}
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
"""
COPY_BYTE = """
  %source = getelementptr i8, ptr %from, i64 %i
  %copied = load i8, ptr %source
  store i8 %copied, ptr %at
"""

# Kernels own no memory, so no references are counted. These definitions override Numba's weak ones.
SUPPORT = f"""
define void @NRT_incref(ptr %p) alwaysinline {{ ret void }}
define void @NRT_decref(ptr %p) alwaysinline {{ ret void }}
define hidden ptr @memset(ptr returned %to, i32 %value, i64 %count) noinline {{
  %byte = trunc i32 %value to i8
{LOOP.format("  store i8 %byte, ptr %at")}
  ret ptr %to
}}
define hidden ptr @memcpy(ptr noalias returned %to, ptr noalias %from, i64 %count) noinline {{
{LOOP.format(COPY_BYTE)}
  ret ptr %to
}}
"""

PATTERN_BYTE = """
  %place = and i64 %i, 15
  %source = getelementptr i8, ptr %from, i64 %place
  %copied = load i8, ptr %source
  store i8 %copied, ptr %at
"""

# On macOS, LLVM calls bzero (arm64) or __bzero (x86-64) to clear memory, and memset_pattern16 to fill it with
# 16 bytes repeated. "no-builtins" prevents such calls within these functions themselves.
MACOS_CALLS = f"""
define hidden void @bzero(ptr %to, i64 %count) noinline "no-builtins" {{
{LOOP.format("  store i8 0, ptr %at")}
  ret void
}}
define hidden void @__bzero(ptr %to, i64 %count) noinline "no-builtins" {{
  call void @bzero(ptr %to, i64 %count)
  ret void
}}
define hidden void @memset_pattern16(ptr %to, ptr %from, i64 %count) noinline "no-builtins" {{
{LOOP.format(PATTERN_BYTE)}
  ret void
}}
"""

# Calls of user functions by address. WebAssembly does not support them.
CALLS = """
define i64 @can_call_address() alwaysinline { ret i64 1 }
define i64 @call_address(i64 %address, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline {
  %function = inttoptr i64 %address to ptr
  %result = call i64 %function(i64 %a, i64 %b, i64 %c, i64 %d)
  ret i64 %result
}
"""
NO_CALLS = """
define i64 @can_call_address() alwaysinline { ret i64 0 }
define i64 @call_address(i64 %address, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline { ret i64 0 }
"""

# The level of this processor: 0 is below x86-64-v2, 1 is x86-64-v2, 2 is x86-64-v3 (if the operating system
# saves its registers).
CHECK_PROCESSOR = """
define { i32, i32, i32, i32 } @cpuid(i32 %leaf) alwaysinline {
  %found = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf, i32 0)
  ret { i32, i32, i32, i32 } %found
}
define i64 @wf_processor() {
  %features = call { i32, i32, i32, i32 } @cpuid(i32 1)
  %of_1 = extractvalue { i32, i32, i32, i32 } %features, 2
  %of_v2 = and i32 %of_1, V2_BITS
  %has_v2 = icmp eq i32 %of_v2, V2_BITS
  br i1 %has_v2, label %try_v3, label %older
try_v3:
  %of_v3 = and i32 %of_1, V3_BITS
  %has_v3 = icmp eq i32 %of_v3, V3_BITS
  br i1 %has_v3, label %try_system, label %v2
try_system:
  %saved = call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %registers = extractvalue { i32, i32 } %saved, 0
  %of_avx = and i32 %registers, 6
  %saves = icmp eq i32 %of_avx, 6
  br i1 %saves, label %try_more, label %v2
try_more:
  %more = call { i32, i32, i32, i32 } @cpuid(i32 7)
  %of_7 = extractvalue { i32, i32, i32, i32 } %more, 1
  %of_avx2 = and i32 %of_7, V3_BITS_OF_7
  %has_avx2 = icmp eq i32 %of_avx2, V3_BITS_OF_7
  br i1 %has_avx2, label %try_last, label %v2
try_last:
  %last = call { i32, i32, i32, i32 } @cpuid(i32 -2147483647)
  %of_last = extractvalue { i32, i32, i32, i32 } %last, 2
  %of_lzcnt = and i32 %of_last, 32
  %has_lzcnt = icmp ne i32 %of_lzcnt, 0
  br i1 %has_lzcnt, label %v3, label %v2
older:
  ret i64 0
v2:
  ret i64 1
v3:
  ret i64 2
}
"""
PROCESSOR_BITS = {
    "V2_BITS": [0, 9, 13, 19, 20, 23],  # sse3, ssse3, cmpxchg16b, sse4.1, sse4.2, popcnt
    "V3_BITS": [12, 22, 27, 28, 29],  # fma, movbe, osxsave, avx, f16c
    "V3_BITS_OF_7": [3, 5, 8],  # bmi1, avx2, bmi2
}


def join(texts: dict[str, str]) -> str:
    """Return the LLVM code of one simplified module, without unreachable functions and unused errors."""
    module = llvm.parse_assembly(SUPPORT)
    for text in texts.values():
        module.link_in(llvm.parse_assembly(text))
    make_internal(module, (ENTRY, *LIBRARY_CALLS))
    for function in module.functions:
        if function.name.startswith(PART):  # inlining would bloat kernels, and most problems use few parts
            function.add_function_attribute("noinline")
    machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=2, reloc="pic")
    optimise(module, machine, 1)
    return str(module)


def emit(text: str, target: Target, processor: str, suffix: str = "") -> bytes:
    """Return the object file of a module for one processor. The suffix is appended to names of kernels."""
    machine = create_machine(target, processor)
    if target.triple.startswith("wasm"):  # memory sizes have 32 bits
        definition = r"^define [^@\n]*@(?:memset|memcpy)\(.*?^}$"
        text = re.sub(definition, lambda match: match[0].replace("i64", "i32"), text, flags=re.M | re.S)
    if suffix:
        text = re.sub(rf"@({ENTRY}\w+|memset|memcpy)\b", rf"@\1{suffix}", text)
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(NO_CALLS if target.triple.startswith("wasm") else CALLS))
    if "apple" in target.triple and not suffix:
        module.link_in(llvm.parse_assembly(MACOS_CALLS))
    make_internal(module, (ENTRY, *LIBRARY_CALLS))
    return finish(module, target, machine)


def emit_table(target: Target, table: dict[str, Any]) -> bytes:
    """Return the object file of the description of the library and of the processor check."""
    data = json.dumps(table, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\0"
    escaped = "".join(f"\\{byte:02x}" for byte in data)
    text = f'@{TABLE} = constant [{len(data)} x i8] c"{escaped}"\n'
    if "windows" in target.triple:  # the Windows linker requires this symbol if floats are used
        text += "@_fltused = global i32 0\n"
    if len(target.processors) > 1:
        text += CHECK_PROCESSOR
        for name, bits in PROCESSOR_BITS.items():
            text = re.sub(rf"\b{name}\b", str(sum(1 << bit for bit in bits)), text)
    module = llvm.parse_assembly(text)
    return finish(module, target, create_machine(target, "" if "x86_64" in target.triple else "generic"))


def describe_units(digest: str, processors: tuple[str, ...]) -> dict[str, Any]:
    """Return the description of a library: its sources, the compiler, kernels and structs."""
    kernels = {
        symbol.removeprefix(ENTRY): signature_of(function)
        for symbol, function in UNITS.items()
        if symbol.startswith(ENTRY)
    }
    structs = {kind for kinds in kernels.values() for kind in kinds if not isinstance(kind, str)}
    return {
        "digest": digest,
        "llvm": ".".join(map(str, llvm.llvm_version_info)),
        "processors": processors,
        "kernels": {
            name: [kind if isinstance(kind, str) else kind.__name__ for kind in kinds]
            for name, kinds in kernels.items()
        },
        "structs": {
            struct.__name__: {name: str(column) for name, column in struct.columns.items()}
            for struct in structs
        },
    }


def create_machine(target: Target, processor: str) -> Any:
    """Return the LLVM target machine of a processor."""
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=processor, features=target.features, opt=3, reloc="pic", codemodel="small"
    )


def finish(module: Any, target: Target, machine: Any) -> bytes:
    """Optimise a module for a processor and return its object file. Exit if it has undefined symbols."""
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    optimise(module, machine, 3)
    module.verify()
    missing = [
        each.name
        for each in (*module.functions, *module.global_variables)
        if each.is_declaration and not each.name.startswith("llvm.")
    ]
    if missing:
        raise SystemExit(f"compiled kernels need {', '.join(missing)}, which no library has")
    return bytes(machine.emit_object(module))


def make_internal(module: Any, visible: tuple[str, ...]) -> None:
    """Hide all functions and variables without these prefixes, so that LLVM can remove them."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and not value.name.startswith(visible):
            value.linkage = "internal"


def optimise(module: Any, machine: Any, level: int) -> None:
    """Run the standard passes of LLVM."""
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
    builder.getModulePassManager().run(module, builder)
