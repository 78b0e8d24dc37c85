"""Which crates are in the program: the normal tree of a target, as cargo resolves it by the lock file."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from . import ROOT, run


@dataclass(frozen=True)
class Crate:
    name: str
    version: str
    licence: str
    authors: tuple[str, ...]
    description: str
    checksum: str | None
    folder: Path
    needs: tuple[str, ...]
    """The purls of the crates that it uses when it runs."""

    @property
    def purl(self) -> str:
        return f"pkg:cargo/{self.name}@{self.version}"


def normal_tree(triple: str) -> list[Crate]:
    """The tree for the target of this name: Notegate first, then every crate that it uses; none that only serves build scripts or tests."""
    options = ["--format-version", "1", "--locked", "--filter-platform", triple]
    metadata = json.loads(run("cargo", "metadata", *options, cwd=ROOT))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    linked = {
        id: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        for id, node in nodes.items()
    }
    purl = {id: f"pkg:cargo/{package['name']}@{package['version']}" for id, package in packages.items()}
    seen, waiting = [], [metadata["resolve"]["root"]]
    while waiting:
        id = waiting.pop(0)
        if id in seen:
            continue
        seen.append(id)
        waiting += linked[id]
    return [
        Crate(
            name=package["name"],
            version=package["version"],
            licence=(package["license"] or "").replace("/", " OR "),
            authors=tuple(package["authors"]),
            description=" ".join((package["description"] or "").split()),
            checksum=checksums.get((package["name"], package["version"])),
            folder=Path(package["manifest_path"]).parent,
            needs=tuple(sorted(purl[need] for need in linked[package["id"]])),
        )
        for package in (packages[id] for id in seen)
    ]
