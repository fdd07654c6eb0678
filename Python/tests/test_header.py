"""The structures and functions of the package are those of the header, as a C compiler has them."""

import ctypes
import re
import shutil
import subprocess

import pytest
from aurient import _library, _structures, errors, live_session, session, sofa, state
from conftest import PROJECT

HEADER = PROJECT / "Sources" / "CAurient" / "include" / "aurient.h"
STRUCTURES = {
    "aurient_name": _structures.Name,
    "aurient_fidelity": _structures.Fidelity,
    "aurient_render_options": _structures.RenderOptions,
    "aurient_session_options": _structures.SessionOptions,
    "aurient_state": _structures.State,
    "aurient_beacon_state": _structures.BeaconState,
}
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_layouts(tmp_path):
    lines = []
    for name, structure in STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, *_ in structure._fields_:
            member = f"(({name} *)0)->{field}"
            lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof({member}));')
    source = tmp_path / "layout.c"
    source.write_text(f'#include <stdio.h>\n#include "{HEADER}"\nint main(void) {{ {"".join(lines)} return 0; }}')
    program = tmp_path / "layout"
    subprocess.run([COMPILER, "-o", program, source], check=True)
    compiled = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split("\n")
    ours = []
    for name, structure in STRUCTURES.items():
        ours.append(f"{name} {ctypes.sizeof(structure)}")
        for field, *_ in structure._fields_:
            place = getattr(structure, field)
            ours.append(f"{name}.{field} {place.offset} {place.size}")
    assert ours == compiled[:-1]


def test_every_structure_and_function_of_the_header_is_there():
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    assert set(re.findall(r"typedef struct (aurient_\w+) {", text)) == set(STRUCTURES)
    functions = re.findall(r"^aurient_status (aurient_\w+)\(([^;]*)\);", text, flags=re.M)
    # The name of a status is asked for by nobody.
    assert {name for name, _ in functions} == set(_library._PARAMETERS)
    for name, parameters in functions:
        assert len(parameters.split(",")) == len(_library._PARAMETERS[name]), name


ENUMERATIONS = {
    "AURIENT_EQUALIZE_": sofa._EQUALIZATIONS,
    "AURIENT_HEAD_": session._HEAD_REFERENCES,
    "AURIENT_CALIBRATOR_": session._CALIBRATORS,
    "AURIENT_LATENCY_": live_session._LATENCIES,
    "AURIENT_HEADING_": state.HEADING_SOURCES,
    "AURIENT_TRACKING_": state.TRACKINGS,
    "AURIENT_BEACON_": state.PRESENCES,
    "AURIENT_REGION_": state.REGIONS,
}


@pytest.mark.parametrize("prefix", ENUMERATIONS)
def test_enumerations(prefix):
    found = re.findall(rf"^  {prefix}(\w+) = (\d+)", HEADER.read_text(), flags=re.M)
    expected = [(name.lower().replace("_", "-"), int(number)) for name, number in found]
    assert [(name, number) for number, name in enumerate(ENUMERATIONS[prefix])] == expected


def test_statuses():
    listing = re.search(r"enum aurient_status {(.*?)}", HEADER.read_text(), flags=re.S)
    numbers = {int(number) for number in re.findall(r"AURIENT_\w+ = (\d+)", listing.group(1))}
    assert numbers == {0} | set(errors.BY_STATUS)
