"""Calls that take long: told how far they are, and ended by Ctrl-C."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional

from . import _structures as structures

#: Is told how far a call has come, from 0 to 1, on the thread of the call; raises to end it.
Progress = Callable[[float], object]

_INTERVAL = 0.1


def run(function: Callable[[Any], None], progress: Optional[Progress]) -> None:
    """Runs a function on a thread of its own, with a progress function for the library.

    The calling thread reports, some times a second, so that it takes signals meanwhile; what it raises ends the call.
    """
    fraction = 0.0
    is_cancelled = False
    failures: list[BaseException] = []
    done = threading.Event()

    def report(value: float, _: object) -> int:
        nonlocal fraction
        fraction = value
        return is_cancelled

    def work() -> None:
        try:
            function(structures.PROGRESS(report))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="aurient")
    thread.start()
    try:
        while not done.wait(_INTERVAL):
            if progress is not None:
                progress(fraction)
    except BaseException:
        is_cancelled = True
        thread.join()
        raise
    thread.join()
    if failures:
        raise failures.pop()
    if progress is not None:
        progress(1.0)
