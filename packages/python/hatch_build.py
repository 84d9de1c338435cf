"""Tags the wheel with the platform of its programs."""

from __future__ import annotations

import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """The programs need this machine's processor and at most its version of glibc."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Sets the tag."""
        library, release = platform.libc_ver()
        if library != "glibc":
            raise RuntimeError("the programs are built for glibc")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_{release.replace('.', '_')}_{platform.machine()}"
