"""What callers give, in the form that the library takes. Wrong types raise TypeError here, wrong values of the right
type are mostly left to the library."""

from __future__ import annotations

import math
import operator
import os
from ctypes import c_double
from typing import Optional, SupportsFloat, SupportsIndex, Union

StrPath = Union[str, "os.PathLike[str]"]


def number(value: SupportsFloat) -> c_double:
    """A number, from Python's or NumPy's types."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"a number is needed, not {type(value).__name__}")
    return c_double(float(value))


def optional_number(value: Optional[SupportsFloat]) -> c_double:
    """A number, or what stands for none."""
    return c_double(math.nan) if value is None else number(value)


def whole(value: SupportsIndex, name: str) -> int:
    """A whole number that 32 bits hold."""
    result = operator.index(value)
    if not -(2**31) <= result < 2**31:
        raise ValueError(f"{name} {result} is out of range")
    return result


def text(value: StrPath) -> bytes:
    """A name or a path."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"a name or path is needed, not {type(value).__name__}")
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError("a name or path has a zero byte")
    return encoded


def optional_text(value: Optional[StrPath]) -> Optional[bytes]:
    """A name or a path, or None."""
    return None if value is None else text(value)


def choice(value: str, names: tuple[str, ...], name: str) -> int:
    """The number of one of the names."""
    if value not in names:
        raise ValueError(f"{name} {value!r} is not one of {', '.join(names)}")
    return names.index(value)
