"""A session that plays on a sound device."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Literal, Optional, SupportsFloat, SupportsIndex

from ._arguments import StrPath, choice, optional_text
from ._library import session_message
from ._scene import Scene
from .errors import AurientError
from .session import AnySession, Calibrator, HeadReference, common_options
from .state import State

Latency = Literal["configured", "low", "normal", "safe"]

_LATENCIES: tuple[Latency, ...] = ("configured", "low", "normal", "safe")


class LiveSession(AnySession):
    """A session that plays on a sound device, on a thread of its own, until it is closed.

    Its clock is the machine's, 0 at the beginning. A device that is lost is opened again as soon as it is back.
    """

    def __init__(
        self,
        scene: Optional[Scene] = None,
        *,
        device: Optional[str] = None,
        latency: Latency = "configured",
        record: Optional[StrPath] = None,
        hrtf: Optional[StrPath] = None,
        sound: Optional[StrPath] = None,
        style: Optional[StrPath] = None,
        route: Optional[StrPath] = None,
        gain: SupportsFloat = 0,
        head_reference: HeadReference = "unknown",
        calibrator: Calibrator = "adaptive",
        yaw_only: bool = False,
        near_field: bool = False,
        osc_port: Optional[SupportsIndex] = None,
        opentrack_port: Optional[SupportsIndex] = None,
        listen_address: Optional[str] = None,
        inverse_head: bool = False,
        gpsd: Optional[str] = None,
        nmea: Optional[str] = None,
    ) -> None:
        """Opens it, and begins to play.

        scene    A scene file or a mapping of its keys to begin with. Its logs are played as they were recorded, and
                 the session ends with them.
        device   One of `devices`; None for the default one.
        latency  How far ahead it mixes: "configured" (as OpenAL is), "low" (3 x 128 frames), "normal" (3 x 512) or
                 "safe" (3 x 1024). It holds for the process: the first session or list of devices sets it.
        record   A new folder to keep all that comes in, which `render` renders again.

        The rest is as of `Session`. Raises DeviceError, too, if there is no device.
        """
        options = common_options(
            hrtf, sound, style, route, gain, head_reference, calibrator, yaw_only, near_field, osc_port,
            opentrack_port, listen_address, inverse_head, gpsd, nmea,
        )  # fmt: skip
        options.device = optional_text(device)
        options.latency = choice(latency, _LATENCIES, "latency")
        options.record_folder = optional_text(record)
        super().__init__("session_open_live", options, scene)
        self._unread_peak = 0.0

    def state(self) -> State:
        """How the session stands, as of some hundredths of a second ago."""
        read = super().state()
        peak, self._unread_peak = max(read.peak, self._unread_peak), 0.0
        return replace(read, peak=peak)

    def _look(self) -> State:
        """The state, whose peak is still to be read by the caller."""
        read = super().state()
        self._unread_peak = max(read.peak, self._unread_peak)
        return read

    def wait(self, timeout: Optional[SupportsFloat] = None) -> bool:
        """Waits until the session has ended, by its logs' end, or for so many seconds; whether it has ended.

        Raises AurientError if a fault has ended it.
        """
        end = None if timeout is None else time.monotonic() + float(timeout)
        while not self._look().has_ended:
            remaining = 0.05 if end is None else min(0.05, end - time.monotonic())
            if remaining <= 0:
                return False
            time.sleep(remaining)
        message = session_message(self._handle)
        if message:
            raise AurientError(message)
        return True
