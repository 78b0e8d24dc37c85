"""Installs the packages on a bare Debian 12 without Node and without network, and uses them there.

    installed.py PACKAGES BARE [PICTURE]

PACKAGES: the folder that packaging/build filled; BARE: an archive of the bare system. Needs root. Every check stands on
the ones before it, so the first that fails ends the run.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bare import Bare, do

passed = 0


def check(what: str, condition: bool, told="") -> None:
    global passed
    if not condition:
        print(f"FAILED {what}\n{told}")
        print(f"{passed} passed, 1 failed")
        sys.exit(1)
    passed += 1
    print(f"ok {what}", flush=True)


def main() -> None:
    packages, archive = Path(sys.argv[1]), Path(sys.argv[2])
    picture = (sys.argv[3:] + [""])[0] or None
    folder = Path(tempfile.mkdtemp(prefix="notegate-bare-"))
    try:
        with Display() as display:
            bare = Bare(archive, folder, display)
            story(bare, packages, picture)
            bare.close()
    except (AssertionError, subprocess.TimeoutExpired) as error:
        check("the run", False, error)
    finally:
        do("umount", "--recursive", "--lazy", folder / "root/proc")
        subprocess.run(["umount", "--lazy", folder / "root/tmp/.X11-unix"], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, 0 failed")


def story(bare: Bare, packages: Path, picture: str | None) -> None:
    full, lite = one(packages, "notegate_*.deb"), one(packages, "notegate-lite_*.deb")
    bare.as_root("apt-get", "-q", "update")
    bare.install(full)
    check("the .deb installs with what it declares", (bare.root / "usr/bin/notegate").is_file())
    kernel = bare.cut_off()
    bare.person("/usr/bin/getent", "hosts", "control.invalid", check=False)
    check("a name that is looked up is noticed", "control.invalid" in bare.lookups.read_text())
    bare.lookups.write_text("")

    use(bare, "/usr/bin/notegate", kernel)
    window(bare, "/usr/bin/notegate", picture)
    demo(bare, "/usr/bin/notegate")

    # A newer version over it: the settings and the record stay.
    before = bare.read(".config/notegate/settings.json")
    bare.install(newer(full, bare.root.parent))
    check("an upgrade is installed", "9.0.0" in bare.as_root("dpkg-query", "-W", "notegate"))
    check("an upgrade keeps the settings", bare.read(".config/notegate/settings.json") == before)
    rows = json.loads(bare.person("/usr/bin/notegate", "--json", "activity").stdout)
    check("an upgrade keeps the record of calls", "obsidian_write_note" in json.dumps(rows), rows)

    # Settings of a later version are refused, and kept.
    version = json.loads(before)["version"]
    bare.write(".config/notegate/settings.json", before.replace(f'"version": {version}', f'"version": {version + 1}', 1))
    refused = bare.person("/usr/bin/notegate", "runtime", "list", check=False)
    check("settings of a later version are refused with a word", refused.returncode == 1 and "settings.json" in refused.stderr, refused)
    check("and kept", f'"version": {version + 1}' in bare.read(".config/notegate/settings.json"))
    bare.write(".config/notegate/settings.json", before)

    # The small package in place of the full one.
    bare.install(lite)
    check("lite takes the place of the full package", not (bare.root / "usr/lib/notegate").exists())
    told = bare.person("/usr/bin/notegate", "call", "obsidian_read_note", '{"path": "Hello.md"}', check=False)
    check("lite says what the other engine needs", told.returncode != 0 and "MCPVault" in told.stdout + told.stderr, told)
    bare.person("/usr/bin/notegate", "obsidian", "engine", "native")
    check("lite reads with its own engine", "Hello" in read_note(bare, "/usr/bin/notegate"))

    there = {path for path in bare.files() if "notegate" in path}
    bare.as_root("apt-get", "-q", "-y", "purge", "notegate-lite")
    left = {path for path in bare.files() if "notegate" in path}
    check("removal leaves nothing", there and not left, left)
    check("but the person's own", bare.read(".config/notegate/settings.json") and bare.read("Vault/Written.md"))

    archives(bare, packages, kernel)
    check("nobody asked for a name", bare.lookups.read_text() == "", bare.lookups.read_text())


def archives(bare: Bare, packages: Path, kernel: int) -> None:
    """The libraries of the window are there by now; what is seen here is that the archives are whole."""
    for kind in ("notegate", "notegate-lite"):
        where = bare.root / "home/person/unpacked"
        where.mkdir()
        do("tar", "xf", one(packages, f"{kind}-[0-9]*.tar.gz"), "-C", where, "--strip-components=1")
        bare.write("unpacked/mine", "")
        program = "/home/person/unpacked/bin/notegate"
        if kind == "notegate":
            shutil.rmtree(bare.root / "home/person/.config/notegate")
            use(bare, program, kernel)
        else:
            bare.person(program, "obsidian", "engine", "native")
            check(f"{kind}, unpacked, reads", "Hello" in read_note(bare, program))
        shutil.rmtree(where)

    before = bare.files() | home(bare)
    system = {"PATH": "/usr/bin:/bin"}
    for kind in ("notegate", "notegate-lite", "notegate"):
        where = bare.root / "home/person/unpacked"
        where.mkdir()
        do("tar", "--zstd", "-xf", one(packages, f"{kind}-[0-9]*.tar.zst"), "-C", where, "--strip-components=1")
        bare.write("unpacked/mine", "")
        bare.person("/home/person/unpacked/install", **system)
        program = "/home/person/.local/bin/notegate"
        bundled = bare.root / "home/person/.local/lib/notegate/node/bin/node"
        check(f"{kind} is installed over what was there", bundled.exists() == (kind == "notegate"))
        bare.person(program, "obsidian", "engine", "upstream" if kind == "notegate" else "native")
        check(f"{kind}, installed, reads", "Hello" in read_note(bare, program))
        entry = bare.read(".local/share/applications/notegate.desktop")
        check("its entry names the program", f'Exec="{program}"' in entry, entry)
        shutil.rmtree(where)
    bare.person("/home/person/.local/lib/notegate/uninstall", "--remove", **system)
    left = {path for path in (bare.files() | home(bare)) - before if not (bare.root / path).is_dir()}
    check("the installer takes everything away again", not left, left)


def home(bare: Bare) -> set[str]:
    own = (".config/notegate", ".local/share/notegate", "Vault", "unpacked")
    paths = (str(path.relative_to(bare.root)) for path in (bare.root / "home/person").rglob("*"))
    return {path for path in paths if not path.startswith(tuple(f"home/person/{name}" for name in own))}


def use(bare: Bare, program: str, kernel: int) -> None:
    """First start, settings, reading and writing with both engines, a kernel; with nothing on the search path."""
    bare.write("Vault/Hello.md", "# Hello\n")

    def run(*arguments) -> str:
        return bare.person(program, *arguments).stdout

    found = json.loads(bare.person(program, "--json", "doctor", check=False).stdout)
    text = json.dumps(found)
    check("the bundled Node and MCPVault are found", "lib/notegate/node/bin/node" in text and "lib/notegate/mcpvault" in text, text)
    run("obsidian", "scope", "/home/person/Vault")
    run("obsidian", "enable")
    for engine in ("native", "upstream"):
        run("obsidian", "engine", engine)
        check(f"{engine}: the test of the connection", "18 tools" in run("obsidian", "test"))
        check(f"{engine}: reading", "Hello" in read_note(bare, program))
        run("call", "obsidian_write_note", json.dumps({"path": "Written.md", "content": f"by {engine}\n"}))
        check(f"{engine}: writing", f"by {engine}" in bare.read("Vault/Written.md"))
    run("siyuan", "kernel", "add", "garden", "--address", f"http://127.0.0.1:{kernel}")
    run("siyuan", "enable")
    run("siyuan", "permission", "garden", "http POST /api/notebook/lsNotebooks", "allow")
    answer = run("call", "siyuan_query", json.dumps({"action": "notebooks", "kernelId": "garden"}))
    check("a call to SiYuan", "Garden" in answer, answer)


def read_note(bare: Bare, program: str) -> str:
    return bare.person(program, "call", "obsidian_read_note", '{"path": "Hello.md"}').stdout


def demo(bare: Bare, program: str) -> None:
    running = subprocess.Popen(bare.command(program, "--json", "demo", "--headless", "--port", "0"), stdout=subprocess.PIPE, text=True)
    said = running.stdout.readline()
    running.terminate()
    check("the demonstration runs", "http://127.0.0.1:" in said, said)
    check("and ends", running.wait(30) == 0)


def window(bare: Bare, program: str, picture: str | None) -> None:
    """The window opens, and is painted, with no library but those that the package declares."""
    picture = picture or str(bare.root.parent / "window.png")
    running = subprocess.Popen(bare.command(program, DISPLAY=bare.display, LIBGL_ALWAYS_SOFTWARE="1"), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    colours = 0
    while colours < 50 and running.poll() is None and time.monotonic() < deadline:
        do("import", "-display", bare.display, "-window", "root", picture)
        colours = int(do("identify", "-format", "%k", picture))
    bare.person(program, "stop", check=False)
    try:
        ended = running.wait(30)
    except subprocess.TimeoutExpired:
        running.kill()
        ended = None
    check("the window opens and is painted", colours >= 50, running.stderr.read())
    check("and ends when it is told to", ended == 0)


def newer(package: Path, folder: Path) -> Path:
    """The same package as a later version."""
    unpacked = folder / "newer"
    do("dpkg-deb", "-R", package, unpacked)
    control = unpacked / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*", "Version: 9.0.0", control.read_text()))
    made = folder / "notegate_9.0.0_all.deb"
    do("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", unpacked, made)
    shutil.rmtree(unpacked)
    return made


def one(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    check(f"there is {pattern}", len(found) == 1, f"{folder} holds {[path.name for path in found]}")
    return found[0]


class Display:
    """A virtual screen that the bare system reaches through its socket file."""

    def __enter__(self) -> str:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            return f":{told.readline().strip()}"

    def __exit__(self, *_) -> None:
        self.server.terminate()
        self.server.wait()


main()
