"""What is in the packages, held against the lock files and against the formats' own checkers.

    contents.py PACKAGES     the folder that packaging/build filled
"""

import gzip
import json
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from steps import ROOT, crates, icons, targets  # noqa: E402

PACKAGES = Path(sys.argv.pop(1))
TARGET = targets.named(None)


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.trees = {}
        for name in ("notegate", "notegate-lite"):
            (file,) = PACKAGES.glob(f"{name}-[0-9]*.tar.gz")
            with tarfile.open(file) as tar:
                tar.extractall(cls.folder.name, filter="tar")
            cls.trees[name] = Path(cls.folder.name) / file.name.removesuffix(".tar.gz")
        cls.full, cls.lite = cls.trees.values()
        cls.crates = crates.normal_tree(TARGET.triple)[1:]
        cls.npm = json.loads((ROOT / "vendor/mcpvault/package-lock.json").read_text())["packages"]

    def papers(self, tree: Path, name: str) -> str:
        return (tree / "share/doc/notegate" / name).read_text()

    def test_the_bills_of_materials_are_valid_cyclonedx(self):
        for tree in self.trees.values():
            text = self.papers(tree, "notegate.cdx.json")
            self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_6).validate_str(text))

    def test_the_bill_names_every_part_and_its_hash(self):
        bill = json.loads(self.papers(self.full, "notegate.cdx.json"))
        named = {component["purl"] for component in bill["components"]}
        expected = {crate.purl for crate in self.crates}
        self.assertLessEqual(expected, named)
        self.assertEqual(len(named - expected), len(self.npm) - 1 + 1, "each npm package, and Node")
        self.assertEqual([part["name"] for part in bill["components"] if not part.get("hashes")], [])
        references = {part["bom-ref"] for part in [*bill["components"], bill["metadata"]["component"]]}
        for dependency in bill["dependencies"]:
            self.assertLessEqual({dependency["ref"], *dependency["dependsOn"]}, references)

    def test_lite_names_neither_node_nor_npm(self):
        self.assertNotIn("pkg:npm", self.papers(self.lite, "notegate.cdx.json"))
        self.assertFalse((self.lite / "lib").exists())

    def test_every_part_is_under_a_full_licence_text(self):
        text = self.papers(self.full, "THIRD-PARTY-LICENSES")
        heads = set()
        for users in re.findall(r"={100}\n(.*)\n={100}\n\n\S", text):
            heads |= set(users.split(", "))
        expected = {f"{crate.name} {crate.version}" for crate in self.crates}
        expected |= {f"{path.rpartition('node_modules/')[2]} {locked['version']}" for path, locked in self.npm.items() if path}
        self.assertEqual(expected - heads, set())
        self.assertTrue(any(head.startswith("Node.js 2") for head in heads))
        for words in ("SIL OPEN FONT LICENSE Version 1.1", "UBUNTU FONT LICENCE Version 1.0", "Mozilla Public License Version 2.0", "END OF TERMS AND CONDITIONS"):
            self.assertIn(words.lower(), text.lower())

    def test_the_entry_and_the_metadata_are_valid(self):
        for tree in self.trees.values():
            (metadata,) = (tree / "share/metainfo").iterdir()
            subprocess.run(["appstreamcli", "validate", "--no-net", "--strict", metadata], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["desktop-file-validate", tree / "share/applications/notegate.desktop"], check=True)

    def test_every_verb_has_its_page_and_is_completed(self):
        help = subprocess.run([self.full / "bin/notegate", "--help"], capture_output=True, text=True, check=True).stdout
        verbs = re.findall(r"(?m)^  ([a-z]+)  ", help.partition("Commands:")[2].partition("Options:")[0])
        self.assertGreater(len(verbs), 10)
        for verb in set(verbs) - {"help"}:
            page = gzip.decompress((self.full / f"share/man/man1/notegate-{verb}.1.gz").read_bytes())
            self.assertIn(b".TH ", page)
            for place in ("bash-completion/completions/notegate", "fish/vendor_completions.d/notegate.fish", "zsh/vendor-completions/_notegate"):
                self.assertIn(verb, (self.full / "share" / place).read_text())
        bash = (self.full / "share/bash-completion/completions/notegate").read_bytes()
        subprocess.run(["bash", "-n"], input=bash, check=True)

    def test_icons_have_their_sizes(self):
        for side in icons.LINUX:
            picture = (self.full / f"share/icons/hicolor/{side}x{side}/apps/notegate.png").read_bytes()
            self.assertEqual(struct.unpack(">II", picture[16:24]), (side, side))
        file = Path(self.folder.name) / "icon"
        icons.ico(file)
        ico = file.read_bytes()
        self.assertEqual(struct.unpack_from("<HHH", ico), (0, 1, len(icons.WINDOWS)))
        for number, side in enumerate(icons.WINDOWS):
            length, offset = struct.unpack_from("<II", ico, 6 + 16 * number + 8)
            self.assertEqual(struct.unpack(">II", ico[offset + 16 : offset + 24]), (side, side))
            self.assertLessEqual(offset + length, len(ico))
        icons.icns(file)
        icns = file.read_bytes()
        self.assertEqual((icns[:4], struct.unpack_from(">I", icns, 4)[0]), (b"icns", len(icns)))

    def test_the_archive_names_no_one_and_no_folder_of_this_machine(self):
        (file,) = PACKAGES.glob("notegate-[0-9]*.tar.gz")
        with tarfile.open(file) as tar:
            self.assertEqual({(entry.uid, entry.gid, entry.uname) for entry in tar}, {(0, 0, "root")})
        for name in ("THIRD-PARTY-LICENSES", "notegate.cdx.json"):
            self.assertNotIn(str(ROOT), self.papers(self.full, name))

    def test_the_same_sources_make_the_same_packages(self):
        again = Path(self.folder.name) / "again"
        binary = self.lite / "bin/notegate"
        command = [ROOT / "packaging/build", "--binary", binary, "--variant", "lite", "--trial", "--offline", "--out"]
        for turn in ("first", "second"):
            subprocess.run([*command, again / turn], check=True, capture_output=True)
        for first in (again / "first").iterdir():
            self.assertEqual(first.read_bytes(), (again / "second" / first.name).read_bytes(), first.name)


if __name__ == "__main__":
    run = unittest.main(exit=False).result
    wrong = len(run.failures) + len(run.errors)
    print(f"{run.testsRun - wrong - len(run.skipped)} passed, {wrong} failed", flush=True)
    sys.exit(bool(wrong))
