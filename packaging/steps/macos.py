"""Packages for macOS: Notegate.app, signed for the hardened runtime, in a .dmg.

Laying out and checking runs anywhere. Signing, the disk image and the notarisation need Apple's own tools, so they
run on macOS alone; `--check` stops before them.
"""

import os
import plistlib
import shutil
import sys
from pathlib import Path

from . import ROOT, BuildError, icons, licences, run, tree
from .targets import machine

HERE = ROOT / "packaging" / "macos"

# The name of the signing identity; without one the app is signed for this computer only.
IDENTITY = "NOTEGATE_SIGNING_IDENTITY"
# The keychain profile that `xcrun notarytool store-credentials` made.
NOTARY = "NOTEGATE_NOTARY_PROFILE"


def make(order: tree.Order, lite: bool, check: bool) -> list[Path]:
    name = order.name(lite)
    folder = tree.fresh(order.work / name)
    app = lay_out(order, lite, folder / "Notegate.app")
    inspect(app, order, lite)
    print(f"{name}: {tree.check_size(order, app, lite) / 1e6:.1f} MB installed")
    if check:
        return []
    if sys.platform != "darwin":
        raise BuildError("signing and the disk image need macOS; --check lays the app out and checks it here")
    sign(app)
    file = order.out / f"{name}-{order.version}-macos-{order.target.arch}.dmg"
    (folder / "Applications").symlink_to("/Applications")
    run("hdiutil", "create", "-volname", "Notegate", "-srcfolder", folder, "-format", "ULFO", "-ov", file)
    if identity := os.environ.get(IDENTITY):
        run("codesign", "--sign", identity, "--timestamp", file)
    if profile := os.environ.get(NOTARY):
        run("xcrun", "notarytool", "submit", file, "--keychain-profile", profile, "--wait")
        run("xcrun", "stapler", "staple", file)
    return [file]


def lay_out(order: tree.Order, lite: bool, app: Path) -> Path:
    contents = app / "Contents"
    resources = contents / "Resources"
    tree.text(HERE / "Info.plist", contents / "Info.plist", VERSION=order.version)
    program = contents / "MacOS" / "notegate"
    program.parent.mkdir()
    shutil.copy(order.program, program)
    # Where the program looks for Node and MCPVault; the papers beside them.
    tree.fill(order, lite, resources, resources)
    icons.icns(resources / "notegate.icns")
    for folder in ("man", "completions"):
        shutil.copytree(order.manual / folder, resources / folder)
    for language in ("en", "zh-Hans"):
        (resources / f"{language}.lproj").mkdir()
        (resources / f"{language}.lproj" / "InfoPlist.strings").write_text("")
    tree.settle(app, order.moment)
    return app


def programs(app: Path) -> list[Path]:
    """Everything that macOS would run, the innermost first, the app's own program last."""
    found = []
    for path in app.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                head = file.read(4096)
            if machine(head)[0] == "macos" or head[:4] in (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"):
                found.append(path)
    return sorted(found, key=lambda path: (path.parent.name == "MacOS", -len(path.parts), path))


def sign(app: Path) -> None:
    """Each program with its own entitlements, then the app as a whole; then a look as Gatekeeper takes it."""
    identity = os.environ.get(IDENTITY, "-")
    timestamp = "--timestamp=none" if identity == "-" else "--timestamp"
    sign = ["codesign", "--force", "--options", "runtime", timestamp, "--sign", identity]
    for program in programs(app)[:-1]:
        entitlements = "node" if program.name == "node" else "notegate"
        run(*sign, "--entitlements", HERE / f"{entitlements}.entitlements", program)
    run(*sign, "--entitlements", HERE / "notegate.entitlements", app)
    run("codesign", "--verify", "--deep", "--strict", app)


def inspect(app: Path, order: tree.Order, lite: bool) -> None:
    """What can be seen without macOS: the property lists, the icon, the places, the programs."""
    info = plistlib.loads((app / "Contents" / "Info.plist").read_bytes())
    for key, expected in {"CFBundleShortVersionString": order.version, "CFBundleExecutable": "notegate", "CFBundleIconFile": "notegate"}.items():
        if info.get(key) != expected:
            raise BuildError(f"Info.plist: {key} is {info.get(key)!r}, and should be {expected!r}")
    for name in ("node", "notegate"):
        plistlib.loads((HERE / f"{name}.entitlements").read_bytes())
    expected = ["MacOS/notegate", "Resources/notegate.icns", f"Resources/{licences.NAME}"]
    if not lite:
        expected += ["Resources/node/bin/node", "Resources/mcpvault/node_modules/trash/lib/macos-trash"]
    for place in expected:
        if not (app / "Contents" / place).is_file():
            raise BuildError(f"{app}: {place} is missing")
    found = {str(path.relative_to(app / "Contents")) for path in programs(app)}
    if not lite and not found >= {"Resources/node/bin/node", "Resources/mcpvault/node_modules/trash/lib/macos-trash"}:
        raise BuildError(f"{app}: would sign only {sorted(found)}")
