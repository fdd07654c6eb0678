"""SOFA files converted and verified."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Literal, Optional, SupportsFloat

from . import _structures as structures
from ._arguments import StrPath, choice, number, text
from ._library import call
from ._long_call import Progress, run

Equalization = Literal["none", "diffuse-field", "free-field"]
_EQUALIZATIONS: tuple[Equalization, ...] = ("none", "diffuse-field", "free-field")


@dataclass(frozen=True)
class Fidelity:
    """How faithfully a SOFA file is played, over all of its directions."""

    #: Directions that were compared.
    direction_count: int
    #: Log-spectral distortion of rendered against measured responses, dB: mean and 95th percentile.
    spectral_distortion_mean: float
    spectral_distortion_p95: float
    #: Error of interaural time within 75 degrees of the median plane, microseconds: mean and 95th percentile.
    time_error_mean: float
    time_error_p95: float
    #: Error of interaural level, dB: mean and 95th percentile.
    level_error_mean: float
    level_error_p95: float
    #: Whether left and right of the file are exchanged, as far as can be told.
    is_mirrored: bool


def convert_sofa(
    sofa: StrPath,
    mhr: StrPath,
    *,
    equalization: Equalization = "none",
    head_circumference: Optional[SupportsFloat] = None,
) -> None:
    """Converts a SOFA file of one distance to a data set of OpenAL Soft (MinPHR02). Takes up to some seconds.

    sofa                The file, or the name of a data set that ships.
    mhr                 What to write; a file there is replaced, when all has gone well.
    equalization        By which response all are divided: none, the mean over all directions, or that from ahead.
    head_circumference  Of the listener, 45 to 70 cm, to which interaural times are scaled; None leaves them.

    Raises MissingError, BadFileError, UnwritableError, InvalidArgumentError.
    """
    call(
        "convert_sofa",
        text(sofa),
        text(mhr),
        choice(equalization, _EQUALIZATIONS, "equalization"),
        number(0 if head_circumference is None else head_circumference),
    )


def verify_sofa(sofa: StrPath, *, progress: Optional[Progress] = None) -> Fidelity:
    """Renders a click from every direction of a SOFA file and compares it with the file. Takes up to some minutes.

    sofa      The file, or the name of a data set that ships.
    progress  Is told how far it has come, 0 to 1; what it raises ends the call, and so does Ctrl-C.

    Raises MissingError, BadFileError, DeviceError.
    """
    name = text(sofa)
    result = structures.Fidelity(struct_size=ctypes.sizeof(structures.Fidelity))

    def work(report: Any) -> None:
        call("verify_sofa", name, ctypes.byref(result), report, None)

    run(work, progress)
    return Fidelity(
        direction_count=result.direction_count,
        spectral_distortion_mean=result.spectral_distortion_mean,
        spectral_distortion_p95=result.spectral_distortion_p95,
        time_error_mean=result.time_error_mean,
        time_error_p95=result.time_error_p95,
        level_error_mean=result.level_error_mean,
        level_error_p95=result.level_error_p95,
        is_mirrored=bool(result.is_mirrored),
    )
