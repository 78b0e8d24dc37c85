"""What packages are made for, and what a program for it looks like."""

import platform
import struct
from dataclasses import dataclass
from pathlib import Path

from . import BuildError


@dataclass(frozen=True)
class Target:
    """One platform, by the name that rustc gives it."""

    triple: str

    @property
    def arch(self) -> str:
        return self.triple.split("-")[0]

    @property
    def system(self) -> str:
        return {"linux": "linux", "apple": "macos", "pc": "windows", "unknown": "linux"}[self.triple.split("-")[1]]

    @property
    def debian(self) -> str:
        """The name of the architecture in Debian."""
        return {"x86_64": "amd64", "aarch64": "arm64"}[self.arch]

    @property
    def program(self) -> str:
        return "notegate.exe" if self.system == "windows" else "notegate"

    @property
    def node(self) -> str:
        return "node.exe" if self.system == "windows" else "node"


ALL = [
    Target(f"{arch}-{system}")
    for system in ("unknown-linux-gnu", "apple-darwin", "pc-windows-msvc")
    for arch in ("x86_64", "aarch64")
]


def named(triple: str | None) -> Target:
    """The target of that name; without one, this machine's."""
    triple = triple or host()
    for target in ALL:
        if target.triple == triple:
            return target
    raise BuildError(f"{triple} is no target; there are {', '.join(target.triple for target in ALL)}")


def host() -> str:
    arch = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
    system = {"Linux": "unknown-linux-gnu", "Darwin": "apple-darwin", "Windows": "pc-windows-msvc"}
    return f"{arch.get(platform.machine().lower())}-{system.get(platform.system())}"


def check_machine(program: Path, target: Target) -> None:
    """Reads from its head what a program runs on, and holds it against the target."""
    try:
        with program.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise BuildError(f"the program is missing: {error}") from None
    found = machine(head)
    if found != (target.system, target.arch):
        raise BuildError(f"{program} is no program for {target.triple}: it is for {' '.join(found)}")


def machine(head: bytes) -> tuple[str, str]:
    """System and architecture of a program, from its first 4096 bytes."""
    kinds = {}
    if head[:5] == b"\x7fELF\x02":
        kinds, system, code = {62: "x86_64", 183: "aarch64"}, "linux", struct.unpack_from("<H", head, 18)[0]
    elif head[:4] == b"\xcf\xfa\xed\xfe":
        kinds, system, code = {0x1000007: "x86_64", 0x100000C: "aarch64"}, "macos", struct.unpack_from("<I", head, 4)[0]
    elif head[:2] == b"MZ" and len(head) >= 64:
        at = struct.unpack_from("<I", head, 60)[0]
        if head[at : at + 4] == b"PE\0\0" and len(head) >= at + 6:
            kinds, system, code = {0x8664: "x86_64", 0xAA64: "aarch64"}, "windows", struct.unpack_from("<H", head, at + 4)[0]
    return (system, kinds.get(code, f"machine {code:#x}")) if kinds else ("no known", "system")
