"""The C library: found, loaded, and called."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_size_t, c_void_p
from pathlib import Path
from typing import Any, TypeVar

from . import _structures as structures
from .errors import BY_STATUS, AurientError, InternalError

_ABI_VERSION = 1
_FILE_NAME = f"libaurient.so.{_ABI_VERSION}"
_PACKAGE = Path(__file__).resolve().parent

_SIZES = (c_size_t, c_size_t, POINTER(c_size_t))
_SESSION = c_void_p
_TIME = c_double

# The parameters of every function that returns a status.
_PARAMETERS: dict[str, tuple[Any, ...]] = {
    "aurient_set_data_folder": (c_char_p,),
    "aurient_list_devices": (POINTER(structures.Name), *_SIZES),
    "aurient_list_data_sets": (POINTER(structures.Name), *_SIZES),
    "aurient_convert_sofa": (c_char_p, c_char_p, c_int32, c_double),
    "aurient_verify_sofa": (c_char_p, POINTER(structures.Fidelity), structures.PROGRESS, c_void_p),
    "aurient_render": (POINTER(structures.RenderOptions),),
    "aurient_session_open_pulled": (POINTER(structures.SessionOptions), POINTER(_SESSION)),
    "aurient_session_open_live": (POINTER(structures.SessionOptions), POINTER(_SESSION)),
    "aurient_session_close": (_SESSION,),
    "aurient_session_pull": (_SESSION, c_void_p, c_size_t),
    "aurient_session_sample_rate": (_SESSION, POINTER(c_int32)),
    "aurient_session_port": (_SESSION, POINTER(c_int32)),
    "aurient_session_push_head_quaternion": (_SESSION, _TIME, c_double, c_double, c_double, c_double),
    "aurient_session_push_head_angles": (_SESSION, _TIME, c_double, c_double, c_double),
    "aurient_session_push_head_lost": (_SESSION, _TIME),
    "aurient_session_push_phone_heading": (_SESSION, _TIME, c_double, c_double, c_double),
    "aurient_session_push_location": (_SESSION, _TIME, c_double, c_double, c_double, c_double),
    "aurient_session_push_course": (_SESSION, _TIME, c_double, c_double),
    "aurient_session_push_location_lost": (_SESSION, _TIME),
    "aurient_session_recenter": (_SESSION, c_double),
    "aurient_session_place_beacon": (_SESSION, c_char_p, c_double, c_double),
    "aurient_session_place_beacon_around": (_SESSION, c_char_p, c_double, c_double),
    "aurient_session_remove_beacon": (_SESSION, c_char_p),
    "aurient_session_set_beacon_style": (_SESSION, c_char_p, c_char_p),
    "aurient_session_set_beacon_sound": (_SESSION, c_char_p, c_char_p),
    "aurient_session_set_beacon_gain": (_SESSION, c_char_p, c_double),
    "aurient_session_mute_beacon": (_SESSION, c_char_p, c_int32),
    "aurient_session_say": (_SESSION, c_char_p, c_char_p),
    "aurient_session_set_volume": (_SESSION, c_double),
    "aurient_session_set_route_place": (_SESSION, c_int32),
    "aurient_session_set_hrtf": (_SESSION, c_char_p),
    "aurient_session_state": (_SESSION, POINTER(structures.State)),
    "aurient_session_beacons": (_SESSION, POINTER(structures.BeaconState), *_SIZES),
}


def _load() -> ctypes.CDLL:
    """The library that the package carries, else the system's."""
    carried = _PACKAGE / _FILE_NAME
    try:
        loaded = ctypes.CDLL(str(carried) if carried.exists() else _FILE_NAME)
    except OSError as error:
        raise ImportError(f"aurient: the library cannot be loaded: {error}") from error
    loaded.aurient_abi_version.restype = c_int32
    found = loaded.aurient_abi_version()
    if found != _ABI_VERSION:
        raise ImportError(f"aurient: the library has ABI version {found}, not {_ABI_VERSION}")
    loaded.aurient_version.restype = c_char_p
    loaded.aurient_last_message.argtypes = (c_char_p, c_size_t)
    loaded.aurient_last_message.restype = c_size_t
    loaded.aurient_session_message.argtypes = (_SESSION, c_char_p, c_size_t)
    loaded.aurient_session_message.restype = c_size_t
    try:
        for name, parameters in _PARAMETERS.items():
            function = getattr(loaded, name)
            function.argtypes = parameters
            function.restype = c_int32
    except AttributeError as error:
        raise ImportError(f"aurient: the library is older than the package: {error}") from error
    return loaded


_library = _load()

_was_called = False
_is_orphan = False


def _after_fork() -> None:
    global _is_orphan
    _is_orphan = _was_called


os.register_at_fork(after_in_child=_after_fork)


def version() -> str:
    """The library's version."""
    text: bytes = _library.aurient_version()
    return text.decode()


def call(name: str, *arguments: Any) -> None:
    """Calls a function by its name less the "aurient_".

    Raises the error of its status, with the message of the calling thread.
    """
    global _was_called
    if _is_orphan:
        raise RuntimeError(
            'aurient was used before os.fork: start processes by multiprocessing\'s "spawn" or "forkserver"'
        )
    _was_called = True
    status: int = getattr(_library, "aurient_" + name)(*arguments)
    if status != 0:
        # A pull keeps no message: what there is belongs to an older call.
        raise failure(status, "" if name == "session_pull" else _text(_library.aurient_last_message))


def failure(status: int, message: str) -> AurientError:
    """The error of a status."""
    kind = BY_STATUS.get(status, InternalError)
    return kind(message or kind.__doc__ or f"status {status}")


def session_message(handle: c_void_p) -> str:
    """What went wrong last in a session, or why it has ended; empty if nothing has."""
    return _text(_library.aurient_session_message, handle)


def _text(function: Any, *arguments: Any) -> str:
    capacity = 512
    while True:
        buffer = ctypes.create_string_buffer(capacity)
        length: int = function(*arguments, buffer, capacity)
        if length < capacity:
            return buffer.value.decode(errors="replace")
        capacity = length + 1


_Element = TypeVar("_Element", bound=ctypes.Structure)


def elements(kind: type[_Element], name: str, *arguments: Any) -> list[_Element]:
    """The list that a function writes into an array of its caller's."""
    capacity = 64
    while True:
        array = (kind * capacity)()
        count = c_size_t()
        call(name, *arguments, array, capacity, ctypes.sizeof(kind), ctypes.byref(count))
        if count.value <= capacity:
            return list(array[: count.value])
        capacity = count.value


# Without the package's own data, as with the system's library, that finds data itself.
if (_PACKAGE / "data").is_dir() and not os.environ.get("AURIENT_DATA"):
    call("set_data_folder", os.fsencode(_PACKAGE / "data"))
    _was_called = False
