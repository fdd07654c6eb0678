"""Sound beacons for headphones that stay put in the world while the head turns.

Angles are degrees: headings, courses and bearings clockwise from true north, [0, 360); a head's yaw clockwise (right)
from whatever its zero is, pitch up, roll with the right ear down. Places are degrees north and east on the WGS84
ellipsoid, distances metres, times seconds, gains decibels of at most 0, rates frames a second. A frame is a left and
a right sample. What is not known is None.

Threads: any thread may call anything at any time, also on one session, but for `Session.pull` and
`Session.pull_into`, which one thread at a time may be in. All calls release the interpreter's lock while they last.
Sessions know nothing of each other. After `os.fork` a child cannot use what its parent has used before: start
processes by multiprocessing's "spawn" or "forkserver".
"""

from ._library import version as _version
from .batch import Rendering, render_many
from .catalogue import DataSet, Device, data_sets, devices
from .errors import (
    AurientError,
    BadFileError,
    BusyError,
    CancelledError,
    ClosedError,
    DeviceError,
    FullError,
    InternalError,
    InvalidArgumentError,
    MissingError,
    SystemServiceError,
    UnwritableError,
    VersionError,
    WrongStateError,
)
from .live_session import LiveSession
from .pulled_session import Session
from .rendering import render
from .sofa import Fidelity, convert_sofa, verify_sofa
from .state import BeaconState, State

__version__ = _version()

__all__ = [
    "AurientError",
    "BadFileError",
    "BeaconState",
    "BusyError",
    "CancelledError",
    "ClosedError",
    "DataSet",
    "Device",
    "DeviceError",
    "Fidelity",
    "FullError",
    "InternalError",
    "InvalidArgumentError",
    "LiveSession",
    "MissingError",
    "Rendering",
    "Session",
    "State",
    "SystemServiceError",
    "UnwritableError",
    "VersionError",
    "WrongStateError",
    "convert_sofa",
    "data_sets",
    "devices",
    "render",
    "render_many",
    "verify_sofa",
]
