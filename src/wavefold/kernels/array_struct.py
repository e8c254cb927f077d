"""Structs of arrays: named groups of arrays that compiled code receives as one address.

The address is that of a table with the address and the shape of each array. The table does not change while
a kernel runs.
"""

from __future__ import annotations

import ctypes
from itertools import accumulate
from typing import Annotated, Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias, get_type_hints

import numpy as np
from numpy.typing import NDArray


class ArrayType(NamedTuple):
    """The dtype and the number of axes of an array."""

    dtype: np.dtype[Any]
    rank: int

    def __str__(self) -> str:
        return f"{self.dtype}[{self.rank}]"


Int32Array1: TypeAlias = Annotated[NDArray[np.int32], ArrayType(np.dtype(np.int32), 1)]
Int32Array2: TypeAlias = Annotated[NDArray[np.int32], ArrayType(np.dtype(np.int32), 2)]
Int32Array3: TypeAlias = Annotated[NDArray[np.int32], ArrayType(np.dtype(np.int32), 3)]
Int64Array1: TypeAlias = Annotated[NDArray[np.int64], ArrayType(np.dtype(np.int64), 1)]
Int64Array2: TypeAlias = Annotated[NDArray[np.int64], ArrayType(np.dtype(np.int64), 2)]
UInt8Array1: TypeAlias = Annotated[NDArray[np.uint8], ArrayType(np.dtype(np.uint8), 1)]
UInt8Array2: TypeAlias = Annotated[NDArray[np.uint8], ArrayType(np.dtype(np.uint8), 2)]
UInt32Array2: TypeAlias = Annotated[NDArray[np.uint32], ArrayType(np.dtype(np.uint32), 2)]
UInt32Array3: TypeAlias = Annotated[NDArray[np.uint32], ArrayType(np.dtype(np.uint32), 3)]
UInt64Array1: TypeAlias = Annotated[NDArray[np.uint64], ArrayType(np.dtype(np.uint64), 1)]
UInt64Array2: TypeAlias = Annotated[NDArray[np.uint64], ArrayType(np.dtype(np.uint64), 2)]
UInt64Array3: TypeAlias = Annotated[NDArray[np.uint64], ArrayType(np.dtype(np.uint64), 3)]
UInt64Array4: TypeAlias = Annotated[NDArray[np.uint64], ArrayType(np.dtype(np.uint64), 4)]
Float64Array1: TypeAlias = Annotated[NDArray[np.float64], ArrayType(np.dtype(np.float64), 1)]
Float64Array2: TypeAlias = Annotated[NDArray[np.float64], ArrayType(np.dtype(np.float64), 2)]

# An empty view of an array. `from_buffer` raises TypeError unless the array is writeable and C-contiguous.
view_memory = (ctypes.c_byte * 0).from_buffer


class ArrayStruct:
    """Base class of frozen dataclasses whose fields are C-contiguous arrays. Kernels may write to the arrays.

    columns : the array type of each field
    address : the address of the table
    """

    columns: ClassVar[dict[str, ArrayType]]
    _offsets: ClassVar[dict[str, int]]  # {column: position in the table}
    _table_type: ClassVar[Any]
    _table: Any
    address: int

    def __init_subclass__(cls) -> None:
        if not cls.__annotations__:
            raise TypeError(f"the struct {cls.__name__} needs a field: kernels get the address of its arrays")
        hints = get_type_hints(cls, include_extras=True)
        cls.columns = {name: hints[name].__metadata__[0] for name in cls.__annotations__}
        ends = [*accumulate(1 + column.rank for column in cls.columns.values())]
        cls._offsets = dict(zip(cls.columns, [0, *ends], strict=False))
        cls._table_type = ctypes.c_int64 * ends[-1]

    def __post_init__(self) -> None:
        self._write_table(self._table_type(), self.__dict__.copy())

    def with_changes(self, **arrays: Any) -> Self:
        """Return a copy of the struct with some arrays replaced. The other arrays are shared."""
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(arrays)
        changed._write_table(self._table_type.from_buffer_copy(self._table), arrays)
        return changed

    def _write_table(self, table: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Check arrays of the struct and write their addresses and shapes to the table."""
        for name, array in arrays.items():
            dtype, rank = self.columns[name]
            if not isinstance(array, np.ndarray):
                raise TypeError(f"{type(self).__name__}.{name} needs an array, not {type(array).__name__}")
            if array.dtype != dtype or array.ndim != rank:
                self._refuse(name, array)
            try:
                address = ctypes.addressof(view_memory(array))
            except TypeError:
                self._refuse(name, array)
            at = self._offsets[name]
            table[at : at + rank + 1] = (address, *array.shape)
        self.__dict__.update(_table=table, address=ctypes.addressof(table))

    def _refuse(self, name: str, array: NDArray[Any]) -> NoReturn:
        found = f"{array.dtype}[{array.ndim}]"
        found += "" if array.flags.c_contiguous else " that is not contiguous"
        found += "" if array.flags.writeable else ", read-only"
        needed = f"{self.columns[name]}, writeable and in C order"
        raise TypeError(f"{type(self).__name__}.{name} needs an array {needed}, not {found}")

    def arrays(self) -> list[Any]:
        """Return the arrays in the order of the fields."""
        return [getattr(self, name) for name in self.columns]

    def __reduce__(self) -> tuple[Any, ...]:
        # Addresses are not valid in other processes or for copied arrays, so the table is built again.
        return type(self), tuple(self.arrays())
