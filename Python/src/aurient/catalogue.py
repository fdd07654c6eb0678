"""Sound devices and data sets."""

from __future__ import annotations

from dataclasses import dataclass

from . import _structures as structures
from ._library import elements


@dataclass(frozen=True)
class Device:
    """A sound device."""

    #: By which `LiveSession` can be asked for it.
    name: str
    #: Whether it is the one that is used if none is named.
    is_default: bool


@dataclass(frozen=True)
class DataSet:
    """A data set of head-related responses (HRTF): whose ears the listener has."""

    #: By which it can be asked for.
    name: str
    #: Whether it ships with Aurient; otherwise it is one of OpenAL's own.
    ships: bool


def devices() -> list[Device]:
    """The sound devices as they are now. Takes some hundredths of a second.

    Raises DeviceError if there is none.
    """
    return [
        Device(one.name.decode(errors="replace"), bool(one.is_standard))
        for one in elements(structures.Name, "list_devices")
    ]


def data_sets() -> list[DataSet]:
    """The data sets that can be asked for by name; SOFA and MinPHR02 files can be asked for by path besides."""
    return [
        DataSet(one.name.decode(errors="replace"), bool(one.is_standard))
        for one in elements(structures.Name, "list_data_sets")
    ]
