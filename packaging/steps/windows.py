"""Packages for Windows: an installer for one person, made by NSIS, which runs on Windows and on Linux alike."""

import os
import shutil
from pathlib import Path

from . import ROOT, BuildError, icons, run, tree

HERE = ROOT / "packaging" / "windows"

# A command that signs the file named after it, such as `signtool sign /fd sha256 /tr … `; without one nothing is signed.
SIGN = "NOTEGATE_SIGN_COMMAND"


def make(order: tree.Order, lite: bool, check: bool) -> list[Path]:
    name = order.name(lite)
    folder = lay_out(order, lite, tree.fresh(order.work / name))
    size = tree.check_size(order, folder, lite)
    print(f"{name}: {size / 1e6:.1f} MB installed")
    file = (order.work if check else order.out) / f"{name}-{order.version}-windows-{order.target.arch}-setup.exe"
    sign(folder / "notegate.exe")
    values = {
        "VERSION": order.version,
        "ARCH": order.target.arch,
        "SOURCE": folder,
        "OUT": file,
        "ICON": folder / "notegate.ico",
        "KILOBYTES": size // 1024,
    }
    if order.trial:
        values["TRIAL"] = 1
    run("makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *(f"-D{name}={value}" for name, value in values.items()), HERE / "notegate.nsi")
    if not file.is_file():
        raise BuildError(f"makensis made no {file}")
    sign(file)
    return [] if check else [file]


def lay_out(order: tree.Order, lite: bool, folder: Path) -> Path:
    """Everything beside the program, where it looks for its parts."""
    shutil.copy(order.program, folder / "notegate.exe")
    tree.fill(order, lite, folder, folder)
    icons.ico(folder / "notegate.ico")
    shutil.copy(order.manual / "completions" / "_notegate.ps1", folder / "notegate.ps1")
    tree.settle(folder, order.moment)
    return folder


def sign(file: Path) -> None:
    if command := os.environ.get(SIGN):
        run(*command.split(), file)
