"""Scenes as files, as the library takes them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Union

from ._arguments import StrPath
from .errors import AurientError

#: A scene file (JSON), or the folder of a recorded session; or what would stand in a scene file, with its file
#: names relative to the working folder.
Scene = Union[StrPath, Mapping[str, Any]]

_FILES = ("track", "head", "phone", "calibration", "sound", "route")


def absolute(scene: Scene) -> Union[str, dict[str, Any]]:
    """A scene that means the same in another working folder, made of Python's own types."""
    if isinstance(scene, (str, os.PathLike)):
        return os.path.abspath(scene)
    if not isinstance(scene, Mapping):
        raise TypeError(f"a scene is a path or a mapping, not {type(scene).__name__}")
    plain: dict[str, Any] = json.loads(json.dumps(dict(scene), default=_plain))
    _place_files(plain)
    beacons = plain.get("beacons")
    for beacon in beacons if isinstance(beacons, list) else []:
        if isinstance(beacon, dict):
            _place_files(beacon)
    return plain


@contextmanager
def scene_file(scene: Scene) -> Iterator[str]:
    """The path of a scene, in a temporary file if it is a mapping."""
    placed = absolute(scene)
    if isinstance(placed, str):
        yield os.fspath(scene) if isinstance(scene, (str, os.PathLike)) else placed
        return
    with tempfile.TemporaryDirectory(prefix="aurient-") as folder:
        path = Path(folder) / "scene.json"
        path.write_text(json.dumps(placed), encoding="utf-8")
        try:
            yield str(path)
        except AurientError as error:
            # The user has never heard of that file.
            raise type(error)(str(error).replace(str(path), "scene")) from None


def _place_files(keys: dict[str, Any]) -> None:
    def place(key: str) -> None:
        keys[key] = os.path.abspath(keys[key])

    for key in _FILES:
        if isinstance(keys.get(key), str):
            place(key)
    # Named by itself, or by its file or folder.
    hrtf, style = keys.get("hrtf"), keys.get("style")
    if isinstance(hrtf, str) and hrtf.endswith((".sofa", ".mhr")):
        place("hrtf")
    if isinstance(style, str) and "/" in style:
        place("style")


def _plain(value: Any) -> Any:
    """What JSON has no word for: paths, and the numbers and arrays of NumPy."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a scene cannot hold {type(value).__name__}")
