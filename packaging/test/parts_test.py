"""A part that is missing, tampered with, or of another version ends the build, and the message says which and why."""

import io
import json
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from steps import ROOT, BuildError, parts, program, targets, tree  # noqa: E402

LINUX = targets.named("x86_64-unknown-linux-gnu")
WINDOWS = targets.named("aarch64-pc-windows-msvc")


def package(file: Path, name: str, version: str, **files: bytes) -> str:
    """An npm package; gives back its hash."""
    files = {"package.json": json.dumps({"name": name, "version": version}).encode()} | files
    with tarfile.open(file, "w:gz") as tar:
        for inner, content in files.items():
            entry = tarfile.TarInfo(f"package/{inner}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return parts.integrity(file)


class Parts(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        kept = (parts.PINNED, parts.FETCHED, parts.LOCKED)
        self.addCleanup(lambda: (setattr(parts, "PINNED", kept[0]), setattr(parts, "FETCHED", kept[1]), setattr(parts, "LOCKED", kept[2])))
        parts.FETCHED, parts.PINNED = self.folder / "fetched", self.folder / "parts.json"
        parts.FETCHED.mkdir()

    def pin(self, pins: dict) -> None:
        parts.PINNED.write_text(json.dumps(pins))

    def refused(self, expected: str, make, *arguments) -> None:
        with self.assertRaises(BuildError) as raised:
            make(*arguments)
        self.assertIn(expected, str(raised.exception))

    def node(self, target=LINUX):
        return parts.node(target, self.folder / "into", True)

    def test_a_sound_node_is_unpacked(self):
        archive = parts.FETCHED / "node-a-24.0.0.tgz"
        hash = package(archive, "node-a", "24.0.0", **{"bin/node": b"program", "LICENSE": b"licence"})
        self.pin({LINUX.triple: {"name": "node-a", "version": "24.0.0", "integrity": hash}})
        node = self.node()
        self.assertEqual((node.program.read_bytes(), node.licence, node.version), (b"program", "licence", "24.0.0"))

    def test_windows_has_the_licence_of_the_same_major(self):
        mac = package(parts.FETCHED / "node-m-26.1.0.tgz", "node-m", "26.1.0", **{"bin/node": b"mac", "LICENSE": b"licence 26"})
        win = package(parts.FETCHED / "node-w-26.0.0.tgz", "node-w", "26.0.0", **{"bin/node.exe": b"win"})
        self.pin({
            "x86_64-apple-darwin": {"name": "node-m", "version": "26.1.0", "integrity": mac},
            WINDOWS.triple: {"name": "node-w", "version": "26.0.0", "integrity": win},
        })
        self.assertEqual(self.node(WINDOWS).licence, "licence 26")

    def test_a_node_that_was_tampered_with_is_refused(self):
        archive = parts.FETCHED / "node-a-24.0.0.tgz"
        hash = package(archive, "node-a", "24.0.0", **{"bin/node": b"program", "LICENSE": b""})
        self.pin({LINUX.triple: {"name": "node-a", "version": "24.0.0", "integrity": hash}})
        content = bytearray(archive.read_bytes())
        content[len(content) // 2] ^= 1
        archive.write_bytes(content)
        self.refused("is not the pinned part", self.node)

    def test_a_missing_node_is_refused(self):
        self.pin({LINUX.triple: {"name": "node-a", "version": "24.0.0", "integrity": "sha512-"}})
        self.refused("node-a-24.0.0.tgz is missing", self.node)

    def test_another_version_of_node_is_refused_though_its_hash_is_pinned(self):
        hash = package(parts.FETCHED / "node-a-24.0.0.tgz", "node-a", "24.0.1", **{"bin/node": b"program"})
        self.pin({LINUX.triple: {"name": "node-a", "version": "24.0.0", "integrity": hash}})
        self.refused("its version is '24.0.1', and parts.json pins '24.0.0'", self.node)

    def test_a_node_without_its_program_is_refused(self):
        hash = package(parts.FETCHED / "node-a-24.0.0.tgz", "node-a", "24.0.0")
        self.pin({LINUX.triple: {"name": "node-a", "version": "24.0.0", "integrity": hash}})
        self.refused("package/bin/node is missing", self.node)

    def test_every_target_has_its_node_pinned(self):
        pinned = json.loads((ROOT / "packaging/parts.json").read_text())
        self.assertEqual(sorted(pinned), sorted(target.triple for target in targets.ALL))
        for pin in pinned.values():
            self.assertRegex(pin["version"], r"^2[0-9]\.\d+\.\d+$")
            self.assertRegex(pin["integrity"], r"^sha512-[A-Za-z0-9+/]{86}==$")

    # --- MCPVault ---

    def installed(self, change=None) -> Path:
        """A tree as npm would leave it, without npm: a manifest for each package of the real lock file."""
        folder = self.folder / "mcpvault"
        lock = json.loads((ROOT / "vendor/mcpvault/package-lock.json").read_text())
        for path, locked in lock["packages"].items():
            if path:
                (folder / path).mkdir(parents=True, exist_ok=True)
                (folder / path / "package.json").write_text(json.dumps({"version": locked["version"]}))
        if change:
            change(folder, lock)
        (folder / "package-lock.json").write_text(json.dumps(lock))
        return folder

    def test_mcpvault_is_checked_package_by_package(self):
        self.assertIn("node_modules/@bitbonsai/mcpvault", parts.check_mcpvault(self.installed()))

    def test_a_missing_package_of_mcpvault_is_refused(self):
        self.refused("node_modules/zod is missing", parts.check_mcpvault, self.installed(lambda folder, _: shutil.rmtree(folder / "node_modules/zod")))

    def test_another_version_of_a_package_is_refused(self):
        def change(folder, _):
            (folder / "node_modules/zod/package.json").write_text('{"version": "0.0.1"}')

        self.refused("node_modules/zod is version 0.0.1", parts.check_mcpvault, self.installed(change))

    def test_another_mcpvault_than_the_programs_is_refused(self):
        def change(_, lock):
            lock["packages"]["node_modules/@bitbonsai/mcpvault"]["version"] = "0.16.1"

        self.refused("holds @bitbonsai/mcpvault 0.16.1, and the program offers the tools of 0.16.0", parts.check_mcpvault, self.installed(change))

    def test_a_package_without_a_hash_is_refused(self):
        def change(_, lock):
            del lock["packages"]["node_modules/zod"]["integrity"]

        self.refused("names no hash for node_modules/zod", parts.check_mcpvault, self.installed(change))

    def test_npm_refuses_a_package_whose_hash_is_another_one(self):
        parts.LOCKED = self.folder / "locked"
        shutil.copytree(ROOT / "vendor/mcpvault", parts.LOCKED, ignore=shutil.ignore_patterns("node_modules"))
        lock = json.loads((parts.LOCKED / "package-lock.json").read_text())
        wrong = lock["packages"]["node_modules/zod"]["integrity"]
        lock["packages"]["node_modules/zod"]["integrity"] = "sha512-" + ("A" if wrong[7] != "A" else "B") + wrong[8:]
        (parts.LOCKED / "package-lock.json").write_text(json.dumps(lock))
        self.refused("EINTEGRITY", parts.mcpvault, self.folder / "into")

    def test_a_missing_lock_file_is_refused(self):
        parts.LOCKED = self.folder / "nowhere"
        self.refused("package.json is missing", parts.mcpvault, self.folder / "into")

    # --- Our own program ---

    def test_a_program_for_another_machine_is_refused(self):
        elf = self.folder / "program"
        elf.write_bytes(b"\x7fELF\x02".ljust(18, b"\0") + struct.pack("<H", 183))
        self.refused("it is for linux aarch64", targets.check_machine, elf, LINUX)
        targets.check_machine(elf, targets.named("aarch64-unknown-linux-gnu"))
        self.refused("the program is missing", targets.check_machine, self.folder / "none", LINUX)

    @unittest.skipUnless(targets.host() == LINUX.triple, "needs to run a program for Linux on x86_64")
    def test_a_program_of_another_version_is_refused(self):
        self.refused("calls itself", program.check, Path(shutil.which("true")).resolve(), LINUX, "0.1.0")

    def test_a_package_over_its_budget_is_refused(self):
        folder = self.folder / "large"
        folder.mkdir()
        with (folder / "file").open("wb") as file:
            file.truncate(41_000_000)
        order = tree.Order(LINUX, "0", folder, folder, [], 0, True, False, folder, folder)
        self.refused("40 MB is the most", tree.check_size, order, folder, True)

    def test_the_build_ends_with_one_line_and_a_failure(self):
        done = subprocess.run([HERE.parent / "build", "sparc-sun-solaris"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("sparc-sun-solaris is no target", done.stderr)


if __name__ == "__main__":
    run = unittest.main(exit=False).result
    wrong = len(run.failures) + len(run.errors)
    print(f"{run.testsRun - wrong - len(run.skipped)} passed, {wrong} failed", flush=True)
    sys.exit(bool(wrong))
