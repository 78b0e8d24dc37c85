"""Packages for Linux: a .deb, an archive with an installer, and a plain archive, all of one tree."""

import gzip
import io
import os
import shutil
import tarfile
from datetime import UTC, datetime
from pathlib import Path

from . import ROOT, WORK, BuildError, icons, run, tree
from .targets import host

HERE = ROOT / "packaging" / "linux"

# What the window loads when it runs, under the names of Debian; no tool could find them in the program.
LOADED = [
    "libdbus-1-3", "libegl1", "libfontconfig1", "libgl1-mesa-dri", "libwayland-client0", "libwayland-egl1", "libx11-6",
    "libx11-xcb1", "libxcursor1", "libxi6", "libxkbcommon-x11-0", "libxkbcommon0",
]  # fmt: skip


def make(order: tree.Order, lite: bool) -> list[Path]:
    """Makes the three packages of one variant."""
    name = order.name(lite)
    root = lay_out(order, lite, tree.fresh(order.work / name))
    size = tree.check_size(order, root, lite)
    made = [
        plain(order, lite, root),
        with_installer(order, lite, root),
        deb(order, lite, root, size),
    ]
    print(f"{name}: {size / 1e6:.1f} MB installed")
    return made


def lay_out(order: tree.Order, lite: bool, root: Path) -> Path:
    """bin, lib and share, as below any prefix."""
    program = root / "bin" / "notegate"
    program.parent.mkdir()
    shutil.copy(order.program, program)
    share = root / "share"
    papers = share / "doc" / "notegate"
    parts = tree.fill(order, lite, root / "lib" / "notegate", papers)
    if order.target.triple == host():
        tree.strip(program)
        if parts.node:
            tree.strip(parts.node.program)
            check_runs(parts.node)
    shutil.copy(ROOT / "README.md", papers)
    date = datetime.fromtimestamp(order.moment, UTC).strftime("%Y-%m-%d")
    tree.text(HERE / "notegate.desktop", share / "applications" / "notegate.desktop")
    metainfo = "app.notegate.notegate.metainfo.xml"
    tree.text(HERE / metainfo, share / "metainfo" / metainfo, VERSION=order.version, DATE=date)
    icons.hicolor(share / "icons" / "hicolor")
    completions = {
        "notegate.bash": "bash-completion/completions/notegate",
        "notegate.fish": "fish/vendor_completions.d/notegate.fish",
        "_notegate": "zsh/vendor-completions/_notegate",
    }
    for made, place in completions.items():
        tree.text(order.manual / "completions" / made, share / place)
    pages = share / "man" / "man1"
    pages.mkdir(parents=True)
    for page in sorted((order.manual / "man").iterdir()):
        (pages / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
    tree.settle(root, order.moment)
    return root


def check_runs(node) -> None:
    """Stripping must not have hurt it."""
    said = run(node.program, "--version").strip()
    if said != f"v{node.version}":
        raise BuildError(f"{node.program} calls itself {said}, and parts.json pins {node.version}")


def base(order: tree.Order, lite: bool) -> str:
    return f"{order.name(lite)}-{order.version}-linux-{order.target.arch}"


def plain(order: tree.Order, lite: bool, root: Path) -> Path:
    """A .tar.gz with one folder, to be unpacked anywhere and run from there."""
    file = order.out / f"{base(order, lite)}.tar.gz"
    with file.open("wb") as out, gzip.GzipFile("", "wb", 1 if order.trial else 9, out, mtime=order.moment) as packed:
        packed.write(tar(root, base(order, lite), order.moment))
    return file


def with_installer(order: tree.Order, lite: bool, root: Path) -> Path:
    """A .tar.zst with `install` beside the tree."""
    file = order.out / f"{base(order, lite)}.tar.zst"
    bytes = tar(root, f"{base(order, lite)}/files", order.moment, {f"{base(order, lite)}/install": HERE / "install"})
    run("zstd", "--quiet", "--force", "-1" if order.trial else "-17", "-T0", "-o", file, input=bytes, text=False)
    return file


def tar(root: Path, folder: str, moment: int, besides: dict[str, Path] | None = None) -> bytes:
    """The tree as a tar file that says nothing of this machine."""

    def settled(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = moment
        return entry

    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [root, *sorted(root.rglob("*"))]:
            name = folder if path == root else f"{folder}/{path.relative_to(root).as_posix()}"
            archive.add(path, name, recursive=False, filter=settled)
        for name, path in (besides or {}).items():
            archive.add(path, name, recursive=False, filter=settled)
    return out.getvalue()


def deb(order: tree.Order, lite: bool, root: Path, size: int) -> Path:
    """The tree below /usr, with what it depends on as dpkg finds it, and what the window loads besides."""
    name = order.name(lite)
    package = tree.fresh(order.work / f"{name}-deb")
    shutil.copytree(root, package / "usr", symlinks=True)
    papers = package / "usr" / "share" / "doc" / "notegate"
    copyright = (HERE / "copyright").read_text() + (ROOT / "LICENSE-MIT").read_text()
    (papers / "copyright").write_text(copyright)
    (papers / "LICENSE-MIT").unlink()
    (papers / "LICENSE-APACHE").unlink()
    if lite:
        # A package's papers are looked for under its own name.
        (papers.parent / name).symlink_to("notegate")
    other = order.name(not lite)
    depends = [*found_by_dpkg(order, [package / "usr/bin/notegate", *package.glob("usr/lib/notegate/node/bin/node")]), *LOADED]
    control = tree.text(
        HERE / "control",
        package / "DEBIAN" / "control",
        PACKAGE=name,
        OTHER=other,
        VERSION=order.version,
        ARCHITECTURE=order.target.debian,
        SIZE=str(-(-size // 1024)),
        DEPENDS=", ".join(sorted(depends)),
        ENGINES="Only the engine of its own is in this package." if lite else "MCPVault and the Node.js that it needs are in this package.",
    )
    sums = [f"{run('md5sum', path).split()[0]}  {path.relative_to(package)}" for path in sorted(package.rglob("*")) if path.is_file() and not path.is_symlink() and path.parent != control.parent]
    (control.parent / "md5sums").write_text("\n".join(sums) + "\n")
    tree.settle(package, order.moment)
    file = order.out / f"{name}_{order.version}_{order.target.debian}.deb"
    run("dpkg-deb", "--root-owner-group", *(["-Zgzip", "-z1"] if order.trial else ["-Zxz", "-z6"]), "--build", package, file, env=environment(order))
    return file


def found_by_dpkg(order: tree.Order, programs: list[Path]) -> list[str]:
    """The packages whose libraries the programs are linked with, in the oldest version that is enough."""
    folder = tree.fresh(WORK / "shlibdeps")
    (folder / "debian").mkdir()
    (folder / "debian" / "control").write_text("Source: notegate\n\nPackage: notegate\nArchitecture: any\n")
    said = run("dpkg-shlibdeps", "-O", "--warnings=0", *(f"-e{program}" for program in programs), cwd=folder)
    return [word.strip() for word in said.partition("=")[2].split(",")]


def environment(order: tree.Order) -> dict[str, str]:
    return os.environ | {"SOURCE_DATE_EPOCH": str(order.moment)}
