"""Makes the packages for a target, from a clean checkout: in full, and lite, without Node and MCPVault.

The program is built in the profile `dist`, unless --binary names one that was built already. Packages come to
target/packages/TARGET. A part that is missing, or whose version or hash is another one, ends the build.
"""

import argparse
import os
import sys
from pathlib import Path

from . import ROOT, WORK, BuildError, crates, linux, macos, program, run, targets, tree, windows


def main() -> None:
    typed = arguments()
    target = targets.named(typed.target)
    version = program.version()
    built = typed.binary or program.build(target, typed.profile)
    program.check(built, target, version)
    order = tree.Order(
        target=target,
        version=version,
        program=built.resolve(),
        manual=program.manual(WORK / "manual"),
        crates=crates.normal_tree(target.triple),
        moment=moment(),
        offline=typed.offline,
        trial=typed.trial,
        out=(typed.out or ROOT / "target" / "packages" / target.triple).resolve(),
        work=WORK / target.triple,
    )
    order.out.mkdir(parents=True, exist_ok=True)
    made = []
    for lite in variants(typed.variant):
        if target.system == "linux":
            made += linux.make(order, lite)
        else:
            made += (macos if target.system == "macos" else windows).make(order, lite, typed.check)
    for file in made:
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    if typed.check:
        print(f"checked the packages for {target.triple}; none was kept")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="packaging/build", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", help=f"one of {', '.join(target.triple for target in targets.ALL)}; without one, this machine's")
    parser.add_argument("--binary", type=Path, help="package this program, built already for the target")
    parser.add_argument("--profile", default="dist", help="cargo's profile for the program (dist)")
    parser.add_argument("--variant", choices=["full", "lite", "both"], default="both")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the packages go")
    parser.add_argument("--offline", action="store_true", help="fetch nothing: every part must be there from an earlier time")
    parser.add_argument("--trial", action="store_true", help="for trying out a program of another profile: no budget, quick compression")
    parser.add_argument("--check", action="store_true", help="macOS and Windows: go as far as this machine can, keep nothing")
    return parser.parse_args()


def variants(typed: str) -> list[bool]:
    return {"full": [False], "lite": [True], "both": [False, True]}[typed]


def moment() -> int:
    """The time of the last commit, so that the same sources make the same packages."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or run("git", "log", "-1", "--format=%ct", cwd=ROOT))


try:
    main()
except BuildError as error:
    sys.exit(f"packaging/build: {error}")
