"""What all sessions have: a scene of beacons and one listener."""

from __future__ import annotations

import ctypes
import operator
import weakref
from contextlib import ExitStack
from ctypes import byref, c_int32, c_void_p
from types import TracebackType
from typing import Literal, Optional, SupportsFloat, SupportsIndex, TypeVar

from . import _structures as structures
from ._arguments import StrPath, choice, number, optional_number, optional_text, text, whole
from ._library import call, elements
from ._scene import Scene, scene_file
from .errors import ClosedError
from .state import BeaconState, State, beacon_state, state

HeadReference = Literal["unknown", "north"]
Calibrator = Literal["adaptive", "classic"]

_HEAD_REFERENCES: tuple[HeadReference, ...] = ("unknown", "north")
_CALIBRATORS: tuple[Calibrator, ...] = ("adaptive", "classic")

_Self = TypeVar("_Self", bound="AnySession")


class AnySession:
    """What a pulled and a live session have in common.

    A context manager: it is closed at the end of the `with` block, or else when nothing refers to it any more.

    `time` of the calls that push an input is by the session's clock, seconds. In a pulled session the input counts
    from the frame at that time on, which may lie up to 3600 s ahead; None, or a time that has passed, means the next
    frame pulled. In a live session it counts at once. Inputs of the same time count in the order of the calls.
    1024 inputs may wait in a pulled session; more raise FullError.

    Errors of all calls: InvalidArgumentError, ClosedError, WrongStateError if the session has ended; of those that
    name a beacon MissingError.
    """

    def __init__(self, opening: str, options: structures.SessionOptions, scene: Optional[Scene]) -> None:
        options.struct_size = ctypes.sizeof(structures.SessionOptions)
        handle = c_void_p()
        with ExitStack() as stack:
            if scene is not None:
                options.scene_path = text(stack.enter_context(scene_file(scene)))
            call(opening, byref(options), byref(handle))
        self._handle = handle
        self._finalizer = weakref.finalize(self, call, "session_close", handle)

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session and frees all that is its own; again it does nothing.

        Waits for calls of other threads, which end soon; their later ones raise ClosedError.
        """
        self._finalizer()

    @property
    def is_closed(self) -> bool:
        """Whether the session is closed."""
        return not self._finalizer.alive

    def _call(self, name: str, *arguments: object) -> None:
        if not self._finalizer.alive:
            raise ClosedError("the session is closed")
        call("session_" + name, self._handle, *arguments)

    @property
    def sample_rate(self) -> int:
        """Frames a second. Of a live session it may change when its device comes back."""
        rate = c_int32()
        self._call("sample_rate", byref(rate))
        return rate.value

    @property
    def port(self) -> Optional[int]:
        """The UDP port that heads are listened to on; None for none."""
        port = c_int32()
        self._call("port", byref(port))
        return port.value or None

    # The listener

    def push_head(
        self,
        yaw: SupportsFloat,
        pitch: SupportsFloat = 0,
        roll: SupportsFloat = 0,
        *,
        time: Optional[SupportsFloat] = None,
    ) -> None:
        """The head's attitude in degrees, each from -360 to 360.

        Turned right by yaw, then up by pitch about the axis through its ears, then its right ear down by roll about
        the axis through its nose. What yaw's zero is the session's `head_reference` says. A head of which nothing
        comes for 2 s is lost.
        """
        self._call("push_head_angles", optional_number(time), number(yaw), number(pitch), number(roll))

    def push_head_quaternion(
        self,
        x: SupportsFloat,
        y: SupportsFloat,
        z: SupportsFloat,
        w: SupportsFloat,
        *,
        time: Optional[SupportsFloat] = None,
    ) -> None:
        """The head's attitude as a unit quaternion in the axes of Core Motion.

        Of the head x right, y ahead, z up, against a frame whose z is up and whose yaw has the zero of
        `head_reference` (for "north" y is north). Its length is from 0.5 to 2, and made 1.
        """
        self._call("push_head_quaternion", optional_number(time), number(x), number(y), number(z), number(w))

    def push_head_lost(self, *, time: Optional[SupportsFloat] = None) -> None:
        """The headphones have gone; the next frame begins another connection, whose yaw has another zero."""
        self._call("push_head_lost", optional_number(time))

    def push_phone_heading(
        self,
        true_heading: Optional[SupportsFloat] = None,
        magnetic_heading: Optional[SupportsFloat] = None,
        accuracy: Optional[SupportsFloat] = None,
        *,
        time: Optional[SupportsFloat] = None,
    ) -> None:
        """A reading of a phone's compass, 0 to 360 degrees, which counts for 3 s.

        One of the headings is known. A magnetic one becomes a true one by the World Magnetic Model where the place
        is known. `accuracy` is the largest expected error, 0 to 180 degrees; negative says that the phone has no
        valid heading now.
        """
        self._call(
            "push_phone_heading",
            optional_number(time),
            optional_number(true_heading),
            optional_number(magnetic_heading),
            optional_number(accuracy),
        )

    def push_location(
        self,
        latitude: SupportsFloat,
        longitude: SupportsFloat,
        course: Optional[SupportsFloat] = None,
        course_accuracy: Optional[SupportsFloat] = None,
        *,
        time: Optional[SupportsFloat] = None,
    ) -> None:
        """Where the listener is; it is stale after 10 s. Course as of `push_course`, None if there is none."""
        self._call(
            "push_location",
            optional_number(time),
            number(latitude),
            number(longitude),
            optional_number(course),
            optional_number(course_accuracy),
        )

    def push_course(
        self,
        course: Optional[SupportsFloat],
        accuracy: Optional[SupportsFloat] = None,
        *,
        time: Optional[SupportsFloat] = None,
    ) -> None:
        """The direction of travel, 0 to 360 degrees, which counts for 3 s; None for none any more.

        `accuracy` is its expected error, 0 to 180 degrees.
        """
        self._call("push_course", optional_number(time), optional_number(course), optional_number(accuracy))

    def push_location_lost(self, *, time: Optional[SupportsFloat] = None) -> None:
        """The place is not known any more: there is no course, and the last place grows stale."""
        self._call("push_location_lost", optional_number(time))

    def recenter(self, heading: Optional[SupportsFloat] = None) -> None:
        """Has the head's present attitude taken as looking level in a direction, until its connection ends.

        `heading` is from -360 to 360 degrees; None for the way that the listener is taken to look, north if that is
        not known. Before the first head frame it only counts as refused in `State`.
        """
        self._call("recenter", optional_number(heading))

    # Beacons and sound. These take effect with the next sound, all that were made before it together.

    def add_beacon(self, name: str, latitude: SupportsFloat, longitude: SupportsFloat) -> None:
        """Puts a beacon at a place, degrees; or moves the one of that name there.

        A name has 1 to 64 bytes of UTF-8 without control characters. A new beacon sounds as the session's `style`
        or `sound` says. Raises MissingError or BadFileError for that sound, FullError.
        """
        self._call("place_beacon", text(name), number(latitude), number(longitude))

    def add_beacon_around(self, name: str, bearing: SupportsFloat, distance: SupportsFloat) -> None:
        """Puts a beacon in a direction from where the listener is with the next sound; or moves the one of that name.

        `bearing` is from -360 to 360 degrees from north, `distance` more than 0 to 20,000,000 m. It then stays in the
        world. Where no place has ever been known the listener is first put at 0 N, 0 E: for programs without places.
        Errors are those of `add_beacon`.
        """
        self._call("place_beacon_around", text(name), number(bearing), number(distance))

    def remove_beacon(self, name: str) -> None:
        """Takes a beacon away; not a place of a route (WrongStateError)."""
        self._call("remove_beacon", text(name))

    def set_beacon_style(self, name: str, style: StrPath) -> None:
        """Gives a beacon a style: drops, shaker, sticks, wood, or a folder. Raises BadFileError."""
        self._call("set_beacon_style", text(name), text(style))

    def set_beacon_sound(self, name: str, path: StrPath) -> None:
        """Gives a beacon a sound file, played as a loop. Raises BadFileError."""
        self._call("set_beacon_sound", text(name), text(path))

    def set_beacon_gain(self, name: str, gain: SupportsFloat) -> None:
        """Sets a beacon's loudness against its sound, -120 to 0 dB."""
        self._call("set_beacon_gain", text(name), number(gain))

    def mute_beacon(self, name: str, muted: bool = True) -> None:
        """Turns a beacon off, or on again, on its beat."""
        self._call("mute_beacon", text(name), int(bool(muted)))

    def say(self, name: str, words: str) -> None:
        """Says words from a beacon's place, after those before, by espeak-ng; beacons are 12 dB softer meanwhile.

        At most 300 characters. It takes a tenth of a second. MissingError if espeak-ng is not installed.
        """
        self._call("say", text(name), text(words))

    def set_volume(self, gain: SupportsFloat) -> None:
        """Sets the loudness of all beacons together, -120 to 0 dB; a change takes 0.1 s at most."""
        self._call("set_volume", number(gain))

    def set_route_place(self, place: SupportsIndex) -> None:
        """Goes on to a place of the route, or back to it, counted from 0. WrongStateError without a route."""
        self._call("set_route_place", whole(place, "place"))

    def set_hrtf(self, hrtf: Optional[StrPath] = None) -> None:
        """Gives the listener other ears: a data set's name, a .sofa or .mhr file; None for the one that ships.

        The one before is heard until it is ready, up to some seconds, for which the call lasts; sounds then begin
        anew. A live session that is recorded keeps its ears (WrongStateError). Raises MissingError, BadFileError,
        DeviceError.
        """
        self._call("set_hrtf", optional_text(hrtf))

    # State

    def state(self) -> State:
        """How the session stands: of a pulled one as after the last pull, of a live one as of just now."""
        read = structures.State(struct_size=ctypes.sizeof(structures.State))
        self._call("state", byref(read))
        return state(read)

    def beacons(self) -> list[BeaconState]:
        """How the beacons stand, a route's places first.

        One that was added since the last sound is not listed yet.
        """
        if not self._finalizer.alive:
            raise ClosedError("the session is closed")
        return [beacon_state(one) for one in elements(structures.BeaconState, "session_beacons", self._handle)]


def common_options(
    hrtf: Optional[StrPath],
    sound: Optional[StrPath],
    style: Optional[StrPath],
    route: Optional[StrPath],
    gain: SupportsFloat,
    head_reference: HeadReference,
    calibrator: Calibrator,
    yaw_only: bool,
    near_field: bool,
    osc_port: Optional[SupportsIndex],
    opentrack_port: Optional[SupportsIndex],
    listen_address: Optional[str],
    inverse_head: bool,
    gpsd: Optional[str],
    nmea: Optional[str],
) -> structures.SessionOptions:
    """The options that both kinds of session have."""
    return structures.SessionOptions(
        hrtf=optional_text(hrtf),
        sound=optional_text(sound),
        style=optional_text(style),
        route=optional_text(route),
        gain=number(gain),
        head_reference=choice(head_reference, _HEAD_REFERENCES, "head_reference"),
        calibrator=choice(calibrator, _CALIBRATORS, "calibrator"),
        is_yaw_only=int(yaw_only),
        is_near_field=int(near_field),
        osc_port=_port(osc_port, "osc_port"),
        opentrack_port=_port(opentrack_port, "opentrack_port"),
        listen_address=optional_text(listen_address),
        is_head_inverse=int(inverse_head),
        gpsd=optional_text(gpsd),
        nmea=optional_text(nmea),
    )


def _port(port: Optional[SupportsIndex], name: str) -> int:
    """A port as the library counts: 0 for none, -1 for any that is free."""
    if port is None:
        return 0
    result = operator.index(port)
    if not 0 <= result <= 65535:
        raise ValueError(f"{name} {result} is not from 0 to 65535")
    return result or -1
