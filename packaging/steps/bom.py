"""The bill of materials: what a package holds, as CycloneDX 1.6 in JSON, from the lock files and `parts.json`."""

import base64
import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from .crates import Crate
from .parts import MCPVAULT, Node

NAME = "notegate.cdx.json"


def write(file: Path, crates: list[Crate], npm: dict, node: Node | None, moment: int) -> None:
    """Writes the bill. `moment`, in seconds since 1970, is the time that it carries."""
    components = [of_crate(crate) for crate in crates[1:]]
    depends = {crate.purl: list(crate.needs) for crate in crates}
    root = crates[0].purl
    if npm:
        components += [of_npm(path, locked) for path, locked in npm.items()]
        depends |= {npm_purl(path, locked): needs(path, locked, npm) for path, locked in npm.items()}
        depends[root].append(npm_purl(f"node_modules/{MCPVAULT}", npm[f"node_modules/{MCPVAULT}"]))
    if node:
        components.append(of_node(node))
        depends[root].append(node_purl(node))
        depends[node_purl(node)] = []
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z"),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": crates[0].name,
                "version": crates[0].version,
                "description": crates[0].description,
                "licenses": [{"expression": crates[0].licence}],
                "purl": root,
            },
        },
        "components": sorted(components, key=lambda component: component["bom-ref"]),
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(needed))} for ref, needed in sorted(depends.items())],
    }
    # A bill of the same content has the same number: building twice gives the same file.
    bill = {"bomFormat": bill.pop("bomFormat"), "specVersion": bill.pop("specVersion"),
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill))}"} | bill
    file.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def of_crate(crate: Crate) -> dict:
    component = {"type": "library", "bom-ref": crate.purl, "name": crate.name, "version": crate.version}
    if crate.description:
        component["description"] = crate.description
    if crate.checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": crate.checksum}]
    # A few crates name only the file of their licence; its text is in THIRD-PARTY-LICENSES.
    licence = {"expression": crate.licence} if crate.licence else {"license": {"name": "as in its licence file"}}
    return component | {"licenses": [licence], "purl": crate.purl}


def of_npm(path: str, locked: dict) -> dict:
    purl, (group, _, name) = npm_purl(path, locked), npm_name(path).rpartition("/")
    component = {"type": "library", "bom-ref": purl, "name": name, "version": locked["version"], "purl": purl}
    if group:
        component["group"] = group
    if licence := locked.get("license"):
        component["licenses"] = [{"expression": licence.strip("()")}]
    return component | {"hashes": [sha512(locked["integrity"])]}


def of_node(node: Node) -> dict:
    return {
        "type": "application",
        "bom-ref": node_purl(node),
        "name": node.name,
        "version": node.version,
        "description": "Node.js",
        "licenses": [{"license": {"name": "Node.js: MIT, and the licences of what it holds"}}],
        "hashes": [sha512(node.integrity)],
        "purl": node_purl(node),
    }


def node_purl(node: Node) -> str:
    return f"pkg:npm/{node.name}@{node.version}"


def npm_name(path: str) -> str:
    return path.rpartition("node_modules/")[2]


def npm_purl(path: str, locked: dict) -> str:
    # The same version of a package may stand in several folders; the fragment keeps the entries apart.
    return f"pkg:npm/{quote(npm_name(path), safe='/')}@{locked['version']}" + (f"#{path}" if path.count("node_modules/") > 1 else "")


def needs(path: str, locked: dict, npm: dict) -> list[str]:
    """What a package's imports find, by Node's rule: the nearest `node_modules` upwards."""
    found = []
    for name in locked.get("dependencies", {}):
        folders = path.split("/node_modules/")
        places = ["/node_modules/".join([*folders[:depth], name]) for depth in range(len(folders), 0, -1)]
        for place in [*places, f"node_modules/{name}"]:
            if place in npm:
                found.append(npm_purl(place, npm[place]))
                break
    return found


def sha512(integrity: str) -> dict:
    return {"alg": "SHA-512", "content": base64.b64decode(integrity.removeprefix("sha512-")).hex()}
