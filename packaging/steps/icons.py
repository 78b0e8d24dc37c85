"""Makes every icon from the one drawing, `packaging/icons/notegate.svg`."""

import struct
from pathlib import Path

import resvg_py

from . import ROOT

DRAWING = ROOT / "packaging" / "icons" / "notegate.svg"

LINUX = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS = (16, 20, 24, 32, 40, 48, 64, 256)

# The types under which an .icns file keeps a PNG, with its side in pixels.
MACOS = {b"icp4": 16, b"icp5": 32, b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256, b"ic08": 256, b"ic14": 512, b"ic09": 512, b"ic10": 1024}


def png(side: int) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_path=str(DRAWING), width=side, height=side, skip_system_fonts=True))


def hicolor(folder: Path) -> None:
    """The theme folder of free desktops: the drawing itself, and a picture for each size."""
    for side in LINUX:
        place = folder / f"{side}x{side}" / "apps" / "notegate.png"
        place.parent.mkdir(parents=True)
        place.write_bytes(png(side))
    place = folder / "scalable" / "apps" / "notegate.svg"
    place.parent.mkdir(parents=True)
    place.write_bytes(DRAWING.read_bytes())


def ico(file: Path) -> None:
    """The file of Windows: a head, an entry of 16 bytes for each picture, the pictures."""
    pictures = [(side, png(side)) for side in WINDOWS]
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    entries = b""
    for side, picture in pictures:
        # A side of 256 is written as 0.
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    file.write_bytes(head + entries + b"".join(picture for _, picture in pictures))


def icns(file: Path) -> None:
    """The file of macOS: a head with the whole length, then type, length and picture in turn."""
    parts = b""
    for kind, side in MACOS.items():
        picture = png(side)
        parts += kind + struct.pack(">I", len(picture) + 8) + picture
    file.write_bytes(b"icns" + struct.pack(">I", len(parts) + 8) + parts)
