"""The wheel's tag: a machine's, for its C library, and any Python's, since nothing is compiled against one."""

import re
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


def version():
    """That of the library, as its header says."""
    header = Path("aurient.h")
    if not header.exists():
        raise SystemExit("setup.py: the library is not beside it: Scripts/build-wheel puts it there")
    parts = re.findall(r"#define AURIENT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read_text())
    return ".".join(parts)


setup(version=version(), cmdclass={"bdist_wheel": PlatformWheel}, distclass=BinaryDistribution)
