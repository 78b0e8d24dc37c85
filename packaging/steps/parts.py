"""Brings what a package holds besides our own program, and holds each part against its pinned version and hash.

Node comes from the npm registry, as `parts.json` pins it for each target. MCPVault comes by the lock file of
`vendor/mcpvault`, which names every package of its tree with its hash.
"""

import base64
import hashlib
import json
import re
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from . import ROOT, WORK, BuildError, run
from .targets import Target

PINNED = ROOT / "packaging" / "parts.json"
LOCKED = ROOT / "vendor" / "mcpvault"
FETCHED = WORK / "parts"

MCPVAULT = "@bitbonsai/mcpvault"

# What nobody reads when MCPVault runs: TypeScript's sources and declarations, and maps for debuggers.
UNREAD = {".ts", ".mts", ".cts", ".map"}


@dataclass(frozen=True)
class Node:
    """Node, unpacked and checked."""

    name: str
    version: str
    integrity: str
    program: Path
    licence: str


def node(target: Target, into: Path, offline: bool = False) -> Node:
    """Unpacks Node for a target below `into`, after its archive was found to be the pinned one."""
    pinned = json.loads(PINNED.read_text())
    pin = pinned[target.triple]
    archive = fetched(pin, offline)
    program = into / target.node
    into.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        manifest = json.loads(member(tar, "package/package.json", archive))
        for field in ("name", "version"):
            if manifest.get(field) != pin[field]:
                raise BuildError(f"{archive}: its {field} is {manifest.get(field)!r}, and parts.json pins {pin[field]!r}")
        program.write_bytes(member(tar, f"package/bin/{target.node}", archive))
        licence = "package/LICENSE" in tar.getnames() and member(tar, "package/LICENSE", archive)
    program.chmod(0o755)
    if not licence:
        # The packages for Windows leave it out; the licence of the same major version is the same.
        licence = licence_of_major(pin["version"].split(".")[0], pinned, offline)
    return Node(pin["name"], pin["version"], pin["integrity"], program, licence.decode())


def licence_of_major(major: str, pinned: dict, offline: bool) -> bytes:
    for triple, pin in pinned.items():
        if "windows" not in triple and pin["version"].split(".")[0] == major:
            archive = fetched(pin, offline)
            with tarfile.open(archive) as tar:
                return member(tar, "package/LICENSE", archive)
    raise BuildError(f"no pinned package holds the licence of Node {major}")


def member(tar: tarfile.TarFile, name: str, archive: Path) -> bytes:
    try:
        return tar.extractfile(name).read()
    except (KeyError, AttributeError):
        raise BuildError(f"{archive}: {name} is missing") from None


def fetched(pin: dict, offline: bool) -> Path:
    """The archive of a pinned npm package: kept from an earlier time or fetched now, checked either way."""
    archive = FETCHED / f"{pin['name']}-{pin['version']}.tgz"
    if not archive.is_file():
        if offline:
            raise BuildError(f"{archive} is missing, and nothing may be fetched (--offline)")
        FETCHED.mkdir(parents=True, exist_ok=True)
        run("npm", "pack", "--silent", f"{pin['name']}@{pin['version']}", "--pack-destination", FETCHED)
        if not archive.is_file():
            raise BuildError(f"npm did not bring {pin['name']} {pin['version']}")
    found = integrity(archive)
    if found != pin["integrity"]:
        raise BuildError(f"{archive} is not the pinned part: its hash is\n  {found}\nand parts.json names\n  {pin['integrity']}\nRemove it to fetch it again")
    return archive


def integrity(file: Path) -> str:
    """A file's hash as npm writes it."""
    with file.open("rb") as opened:
        return "sha512-" + base64.b64encode(hashlib.file_digest(opened, "sha512").digest()).decode()


def mcpvault(into: Path, offline: bool = False) -> dict:
    """Installs MCPVault's locked tree into `into/node_modules`; gives back the lock file's packages."""
    into.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        if not (LOCKED / name).is_file():
            raise BuildError(f"{LOCKED / name} is missing")
        shutil.copy2(LOCKED / name, into)
    # npm holds every archive against the hash in the lock file, and runs none of their scripts.
    options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--no-bin-links"]
    run("npm", "ci", *options, "--offline" if offline else "--prefer-offline", cwd=into)
    (into / "node_modules" / ".package-lock.json").unlink(missing_ok=True)
    packages = check_mcpvault(into)
    (into / "package-lock.json").unlink()
    trim(into)
    return packages


def check_mcpvault(folder: Path) -> dict:
    """Holds an installed tree against its lock file, and MCPVault's version against the program's."""
    lock = json.loads((folder / "package-lock.json").read_text())
    packages = {path: locked for path, locked in lock["packages"].items() if path and not locked.get("dev")}
    offered = re.search(r'MCPVAULT_VERSION: &str = "([^"]+)"', (ROOT / "src/obsidian/engine/upstream/package.rs").read_text())
    locked = packages.get(f"node_modules/{MCPVAULT}", {}).get("version")
    if offered is None or locked != offered[1]:
        raise BuildError(f"the lock file holds {MCPVAULT} {locked}, and the program offers the tools of {offered and offered[1]}")
    for path, locked in packages.items():
        manifest = folder / path / "package.json"
        if not manifest.is_file():
            raise BuildError(f"{MCPVAULT} is not whole: {path} is missing")
        version = json.loads(manifest.read_text()).get("version")
        if version != locked["version"]:
            raise BuildError(f"{path} is version {version}, and the lock file names {locked['version']}")
        if "integrity" not in locked:
            raise BuildError(f"the lock file names no hash for {path}")
    return packages


def trim(folder: Path) -> None:
    """Takes out what MCPVault does not read when it runs."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.suffix in UNREAD:
            path.unlink()
