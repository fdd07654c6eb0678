"""A session whose sound the caller takes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Optional, SupportsFloat, SupportsIndex

import numpy as np

from ._arguments import StrPath, whole
from ._scene import Scene
from .session import AnySession, Calibrator, HeadReference, common_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_FRAMES = 1 << 20


class Session(AnySession):
    """A session whose sound the caller takes: for an audio callback of its own, a file, or an array.

    Its clock is 0 at the beginning and moves with the sound: the same calls, which pull the same lengths, give the
    same samples (unless a port is listened to).
    """

    def __init__(
        self,
        scene: Optional[Scene] = None,
        *,
        hrtf: Optional[StrPath] = None,
        sample_rate: Optional[SupportsIndex] = None,
        sound: Optional[StrPath] = None,
        style: Optional[StrPath] = None,
        route: Optional[StrPath] = None,
        gain: SupportsFloat = 0,
        head_reference: HeadReference = "unknown",
        calibrator: Calibrator = "adaptive",
        yaw_only: bool = False,
        near_field: bool = False,
        beacon_capacity: SupportsIndex = 64,
        osc_port: Optional[SupportsIndex] = None,
        opentrack_port: Optional[SupportsIndex] = None,
        listen_address: Optional[str] = None,
        inverse_head: bool = False,
        gpsd: Optional[str] = None,
        nmea: Optional[str] = None,
    ) -> None:
        """Opens it. A data set that is used for the first time is converted, which takes up to some seconds.

        scene           A scene file or a mapping of its keys to begin with; its logs are not played. What follows
                        goes before what it says.
        hrtf            The data set: a name, the start of just one, a .sofa or an .mhr file; None for the one that
                        ships for the rate.
        sample_rate     8000 to 192000 Hz; None for the data set's own.
        sound, style    What beacons sound like: a sound file; or a style (drops, shaker, sticks, wood, or a folder),
                        which goes before. None for the sound that ships.
        route           A GPX file whose route's places sound one after the other.
        gain            Of all beacons, -120 to 0 dB.
        head_reference  What the zero of a head's yaw is: "north" (heading is yaw from the first frame on), or
                        "unknown", as with headphones: phone heading and course find it, or `recenter` sets it.
        calibrator      How it is found: "adaptive", by phone and course as they agree, or "classic", the published one
                        of Microsoft Soundscape.
        yaw_only        Leaves out pitch and roll of the head.
        near_field      Makes up distances nearer than measured, down to 0.15 m.
        beacon_capacity  Beacons that there is room for, 1 to 255; each costs some 100 kB.
        osc_port, opentrack_port  A UDP port on which heads and phones are listened to, one of the two; 0 for any that
                        is free, see `port`.
        listen_address  The numeric address to listen on; None for 127.0.0.1, which only this machine can reach.
        inverse_head    Whether senders mean the inverse of what their dialect says.
        gpsd, nmea      Places from gpsd, "HOST:PORT", or from NMEA 0183, "tcp:HOST:PORT", "udp:PORT",
                        "serial:PATH[:BAUD]" or "file:PATH"; one of the two.

        Raises MissingError, BadFileError, DeviceError, InvalidArgumentError, FullError (1024 sessions), and
        SystemServiceError if a port is in use.
        """
        options = common_options(
            hrtf, sound, style, route, gain, head_reference, calibrator, yaw_only, near_field, osc_port,
            opentrack_port, listen_address, inverse_head, gpsd, nmea,
        )  # fmt: skip
        options.sample_rate = 0 if sample_rate is None else whole(sample_rate, "sample_rate")
        options.beacon_capacity = whole(beacon_capacity, "beacon_capacity")
        if options.beacon_capacity < 1:
            raise ValueError(f"beacon_capacity {options.beacon_capacity} is not from 1 to 255")
        super().__init__("session_open_pulled", options, scene)

    def pull(self, frame_count: SupportsIndex) -> NDArray[np.float32]:
        """Renders the next frames, 0 to 1048576, into an array of (frame_count, 2): left, right.

        Full scale is 1, which loud scenes may go beyond. One thread at a time pulls (BusyError).
        """
        count = operator.index(frame_count)
        if not 0 <= count <= _MOST_FRAMES:
            raise ValueError(f"frame_count {count} is not from 0 to {_MOST_FRAMES}")
        samples = np.empty((count, 2), dtype=np.float32)
        self.pull_into(samples)
        return samples

    def pull_into(self, samples: NDArray[np.float32]) -> None:
        """Renders the next frames into an array of (frames, 2), whose samples are next to each other in memory.

        The library's part of it neither locks nor allocates nor waits. Raises TypeError for what is no array of
        float32, ValueError for one of another shape or layout; nothing is written then.
        """
        if not isinstance(samples, np.ndarray):
            raise TypeError(f"samples is a NumPy array, not {type(samples).__name__}")
        if samples.dtype != np.float32:
            raise TypeError(f"samples is of float32, not {samples.dtype}")
        if samples.ndim != 2 or samples.shape[1] != 2:
            raise ValueError(f"samples is of shape (frames, 2), not {samples.shape}")
        if not samples.flags.c_contiguous:
            raise ValueError("samples is not contiguous: its frames lie apart in memory")
        if not samples.flags.writeable:
            raise ValueError("samples is not writeable")
        self._call("pull", samples.ctypes.data, len(samples))
