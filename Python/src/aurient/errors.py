"""What may go wrong: a class for each status of the library, with its message."""

from __future__ import annotations


class AurientError(Exception):
    """Something could not be done; the text says why. Unless the call says otherwise nothing has changed."""


class InvalidArgumentError(AurientError, ValueError):
    """A number is not finite or out of its range, or a text is empty or too long."""


class ClosedError(AurientError, ValueError):
    """The session is closed."""


class VersionError(AurientError):
    """The library is older than this package."""


class MissingError(AurientError, LookupError):
    """There is no such file, beacon, data set, style or device."""


class BadFileError(AurientError, ValueError):
    """A file exists but cannot be read, is damaged, or cannot be used for this."""


class UnwritableError(AurientError, OSError):
    """A file cannot be written."""


class DeviceError(AurientError):
    """There is no sound device, or OpenAL refuses something."""


class BusyError(AurientError):
    """Another thread is in the same call, which one at a time may be in."""


class FullError(AurientError):
    """There is no room: too many sessions, beacons, or inputs that wait for sound to be pulled."""


class CancelledError(AurientError):
    """The call was ended before its time."""


class WrongStateError(AurientError):
    """The call is not for this session, or not now: the session has ended, has no route, or it is too late."""


class SystemServiceError(AurientError, OSError):
    """A port or another service of the system cannot be had."""


class InternalError(AurientError, RuntimeError):
    """Something that should not be; the message is worth a report."""


# By aurient_status of aurient.h.
BY_STATUS: dict[int, type[AurientError]] = {
    1: InvalidArgumentError,
    2: ClosedError,
    3: VersionError,
    4: MissingError,
    5: BadFileError,
    6: UnwritableError,
    7: DeviceError,
    8: BusyError,
    9: FullError,
    10: CancelledError,
    11: WrongStateError,
    12: SystemServiceError,
    13: InternalError,
}
