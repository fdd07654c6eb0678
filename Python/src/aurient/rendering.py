"""Scenes rendered to sound files."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, SupportsIndex

from . import _structures as structures
from ._arguments import StrPath, optional_text, text, whole
from ._library import call
from ._long_call import Progress, run
from ._scene import Scene, scene_file


def render(
    scene: Scene,
    output: StrPath,
    *,
    trace: Optional[StrPath] = None,
    plot: Optional[StrPath] = None,
    hrtf: Optional[StrPath] = None,
    sample_rate: Optional[SupportsIndex] = None,
    threads: Optional[SupportsIndex] = None,
    progress: Optional[Progress] = None,
) -> None:
    """Renders a scene to a sound file, as fast as the machine can; the same inputs give the same bytes.

    No output appears unless all could be finished. Ctrl-C ends it, and so does what `progress` raises.

    scene        A scene file (JSON), the folder of a recorded session, or a mapping with the keys of a scene file,
                 whose file names are then relative to the working folder.
    output       The stereo file to write; .wav, .flac or .ogg chooses the format.
    trace, plot  Files to write besides: a row a head frame as CSV; the walk as SVG (needs gnuplot).
    hrtf         Instead of the scene's: a data set's name, a .sofa or an .mhr file.
    sample_rate  Instead of the scene's, 8000 to 192000 Hz.
    threads      How many render, 1 to 1024, on which no sample depends; else as many as keep all cores busy.
    progress     Is told how far it has come, 0 to 1, about ten times a second and at the end.

    Raises MissingError, BadFileError, UnwritableError, DeviceError, InvalidArgumentError. A recorded session is
    rendered by one thread, and takes neither trace, plot, hrtf nor sample_rate.
    """
    options = structures.RenderOptions(
        struct_size=ctypes.sizeof(structures.RenderOptions),
        output_path=text(output),
        trace_path=optional_text(trace),
        plot_path=optional_text(plot),
        hrtf=optional_text(hrtf),
        sample_rate=0 if sample_rate is None else whole(sample_rate, "sample_rate"),
        thread_count=0 if threads is None else whole(threads, "threads"),
    )

    def work(report: Any) -> None:
        options.progress = report
        call("render", ctypes.byref(options))

    with scene_file(scene) as path:
        options.scene_path = text(path)
        run(work, progress)
