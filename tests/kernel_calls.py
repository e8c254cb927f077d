"""Calls of kernels as bytes: for programs on other platforms, which make the call and send the arrays back.

    length of the name, name, number of words, words, size of the arrays, arrays

All numbers are 64 bits wide, little-endian. The words are, for each argument, its kind and what follows:
WHOLE and a number, REAL and the bits of a float, or STRUCT, how many columns, and for each its rank, offset
in the arrays, and shape.
"""

from __future__ import annotations

import struct

import numpy as np

from wavefold.kernels.array_struct import ArrayStruct

WHOLE, REAL, STRUCT = range(3)
ALIGNMENT = 64


def encode_call(name, arguments):
    """A call of a kernel; its arrays with their offsets; the size of what is sent back."""
    words, parts, offsets, arrays, size = [], [], {}, [], 0
    for argument in arguments:
        if isinstance(argument, ArrayStruct):
            columns = argument.arrays()
            words += [STRUCT, len(columns)]
            for array in columns:
                place = (array.ctypes.data, array.nbytes)  # structs may share arrays
                if place not in offsets:
                    offsets[place] = size
                    arrays.append((size, array))
                    parts.append(array.tobytes() + bytes(-array.nbytes % ALIGNMENT))
                    size += len(parts[-1])
                words += [array.ndim, offsets[place], *array.shape]
        elif isinstance(argument, float):
            words += [REAL, struct.unpack("<q", struct.pack("<d", argument))[0]]
        else:
            words += [WHOLE, int(argument)]
    encoded = name.encode()
    head = struct.pack("<q", len(encoded)) + encoded + struct.pack(f"<q{len(words)}q", len(words), *words)
    return head + struct.pack("<q", size) + b"".join(parts), arrays, size


def decode_arrays(data, arrays):
    """Write what came back into the arrays of a call."""
    for offset, array in arrays:
        changed = np.frombuffer(data, array.dtype, array.size, offset).reshape(array.shape)
        if array.flags.writeable:
            array[...] = changed
