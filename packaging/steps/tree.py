"""Lays out what is the same in every package: the parts that the program looks for, and the papers."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import ROOT, BuildError, bom, licences, parts, run
from .crates import Crate
from .targets import Target

# Installed sizes in MB, beyond which a package is not made. Node's program alone is 109 of the second.
BUDGET = {True: 40, False: 160}


@dataclass(frozen=True)
class Order:
    """What is to be packaged."""

    target: Target
    version: str
    program: Path
    manual: Path
    crates: list[Crate]
    moment: int
    """The time that every file carries, in seconds since 1970."""
    offline: bool
    trial: bool
    """No budget and quick compression: a program of another profile is tried out."""
    out: Path
    work: Path

    def name(self, lite: bool) -> str:
        return "notegate-lite" if lite else "notegate"


@dataclass(frozen=True)
class Parts:
    """What one variant holds besides the program."""

    node: parts.Node | None
    npm: dict


def fill(order: Order, lite: bool, library: Path, papers: Path) -> Parts:
    """Puts Node and MCPVault into `library`, unless lite, and licences and the bill into `papers`."""
    node, npm = None, {}
    if not lite:
        place = library / "node" if order.target.system == "windows" else library / "node" / "bin"
        node = parts.node(order.target, place, order.offline)
        (library / "node" / "LICENSE").write_text(node.licence, encoding="utf-8")
        npm = parts.mcpvault(library / "mcpvault", order.offline)
    papers.mkdir(parents=True, exist_ok=True)
    licences.collect(papers / licences.NAME, order.crates, library / "mcpvault", npm, node)
    bom.write(papers / bom.NAME, order.crates, npm, node, order.moment)
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, papers)
    return Parts(node, npm)


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def text(source: Path, into: Path, **values: str) -> Path:
    """Writes a text of ours with its `@NAME@` filled in."""
    filled = source.read_text(encoding="utf-8")
    for name, value in values.items():
        filled = filled.replace(f"@{name}@", value)
    if left := [word for word in filled.split("@")[1::2] if word.isupper()]:
        raise BuildError(f"{source}: nothing is known for {', '.join(left)}")
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text(filled, encoding="utf-8")
    return into


def strip(program: Path) -> None:
    """Takes the symbols out of a program: a fifth of Node is nothing else."""
    run("strip", "--strip-all", program)


def settle(folder: Path, moment: int) -> None:
    """One time and plain permissions for every file, so that building twice gives the same bytes."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def size(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def check_size(order: Order, folder: Path, lite: bool) -> int:
    """The size in bytes; a package over its budget is not made."""
    found = size(folder)
    if found > BUDGET[lite] * 1_000_000 and not order.trial:
        raise BuildError(f"{folder} holds {found / 1e6:.1f} MB, and {BUDGET[lite]} MB is the most")
    return found
