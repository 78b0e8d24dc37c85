"""Collects THIRD-PARTY-LICENSES from the sources that cargo and npm fetched: who wrote what, and every licence in full."""

import json
import re
from pathlib import Path

from . import ROOT, BuildError, run
from .crates import Crate
from .parts import Node

NAME = "THIRD-PARTY-LICENSES"

TEXT = re.compile(r"(?i)^(.*[-_.])?(licen[cs]es?|copying|copyright|notice|unlicense|ofl|ufl)([-_.].*)?$")
NO_TEXT = {".rs", ".toml", ".json", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".yml", ".yaml", ".svg", ".png", ".ttf", ".c", ".h"}

RULE = "=" * 100


def texts_of(folder: Path, depth: int = 3) -> list[str]:
    """The licence texts in a package's sources, the outermost first; not those of packages inside it."""
    found = []
    for path in sorted(folder.rglob("*"), key=lambda path: (len(path.parts), path)):
        inner = path.relative_to(folder)
        if len(inner.parts) > depth or "node_modules" in inner.parts or path.suffix.lower() in NO_TEXT or not path.is_file():
            continue
        named = any(re.fullmatch(r"(?i)licen[cs]es", part) for part in inner.parts[:-1])
        if named or TEXT.match(path.name):
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip()
            if text and text not in found:
                found.append(text)
    return found


class Collection:
    """Texts with those who are under them; the same text stands once."""

    def __init__(self):
        self.users = {}
        self.names = []

    def add(self, what: str, licence: str, texts: list[str]) -> None:
        if not texts:
            raise BuildError(f"{what} ({licence or 'no licence named'}): no licence text was found")
        self.names.append(f"{what}  {licence}".rstrip())
        for text in texts:
            self.users.setdefault(text, []).append(what)

    def write(self, file: Path) -> None:
        parts = [
            "What others wrote and Notegate holds, with the full text of every licence.\n"
            "Where a licence leaves a choice, Notegate uses the work under any of those offered.\n",
            "\n".join(sorted(self.names, key=str.lower)) + "\n",
        ]
        for text, users in sorted(self.users.items(), key=lambda entry: (-len(entry[1]), entry[1][0])):
            parts.append(f"{RULE}\n{', '.join(users)}\n{RULE}\n\n{text}\n")
        file.write_text("\n".join(parts), encoding="utf-8")


def collect(file: Path, crates: list[Crate], mcpvault: Path | None, npm: dict, node: Node | None) -> None:
    """Writes the file for a package that holds these parts."""
    standard = standard_texts(crates)
    collection = Collection()
    for crate in crates[1:]:
        texts = texts_of(crate.folder) or [
            with_authors(crate, standard, licence) for licence in re.findall(r"[\w.-]+", crate.licence) if licence in standard
        ]
        collection.add(f"{crate.name} {crate.version}", crate.licence, texts)
    rust = run("rustc", "--version").split()[1]
    collection.add(f"The Rust standard library {rust}", "MIT OR Apache-2.0", [f"Copyright (c) The Rust Project Contributors\n\n{standard['MIT']}", standard["Apache-2.0"]])
    for path, locked in npm.items():
        folder = mcpvault / path
        manifest = json.loads((folder / "package.json").read_text())
        licence = manifest.get("license") or locked.get("license", "")
        texts = texts_of(folder, depth=1) or in_readme(folder)
        collection.add(f"{manifest['name']} {manifest['version']}", str(licence), texts)
    if node:
        collection.add(f"Node.js {node.version}", "MIT, and the licences of what it holds", [node.licence.strip()])
    collection.write(file)


def in_readme(folder: Path) -> list[str]:
    """Some packages state their licence in their README alone."""
    for readme in folder.glob("[Rr][Ee][Aa][Dd][Mm][Ee]*"):
        text = readme.read_text(encoding="utf-8", errors="replace")
        if found := re.search(r"(?ims)^#+\s*licen[cs]e\b.*", text):
            return [found[0].strip()]
    return []


def standard_texts(crates: list[Crate]) -> dict[str, str]:
    """The texts of the licences that crates name without including them: many publish from a workspace that keeps
    its licence files outside."""
    mit = (ROOT / "LICENSE-MIT").read_text()
    # Of the Boost licence a neighbour has the text.
    boost = [crate.folder / "LICENSE-BOOST" for crate in crates if (crate.folder / "LICENSE-BOOST").is_file()]
    return {
        **{"BSL-1.0": file.read_text().strip() for file in boost},
        "MIT": "Permission is hereby granted" + mit.split("Permission is hereby granted", 1)[1].rstrip(),
        "Apache-2.0": (ROOT / "LICENSE-APACHE").read_text().strip(),
    }


def with_authors(crate: Crate, standard: dict[str, str], licence: str) -> str:
    if licence != "MIT":
        return standard[licence]
    authors = ", ".join(author.split(" <")[0] for author in crate.authors) or f"the authors of {crate.name}"
    return f"MIT License\n\nCopyright (c) {authors}\n\n{standard['MIT']}"
