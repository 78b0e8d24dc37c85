"""Builds our own program, its man pages and its completions, or takes one that was built already."""

import json
import os
import shutil
from pathlib import Path

from . import ROOT, WORK, BuildError, run
from .targets import Target, check_machine, host


def version() -> str:
    """The version, from the one place where it stands: Cargo.toml."""
    metadata = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked", "--no-deps", cwd=ROOT))
    return metadata["packages"][0]["version"]


def build(target: Target, profile: str) -> Path:
    """The program, built with flags that keep this machine's folders out of it."""
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    flags = [f"--remap-path-prefix={ROOT}=/notegate", f"--remap-path-prefix={cargo_home}=/cargo"]
    environment = os.environ | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags), "CARGO_INCREMENTAL": "0"}
    where = WORK / "cargo"
    command = ["cargo", "build", "--locked", "--profile", profile, "--bin", "notegate", "--target", target.triple, "--target-dir", where]
    run(*command, cwd=ROOT, env=environment, stdout=None, stderr=None)
    return where / target.triple / ("debug" if profile == "dev" else profile) / target.program


def check(program: Path, target: Target, expected: str) -> None:
    """Holds a program against the target and, where this machine can run it, against the version."""
    check_machine(program, target)
    if target.triple == host():
        said = run(program, "--version").split()
        if said != ["notegate", expected]:
            raise BuildError(f"{program} calls itself {' '.join(said)}, and this checkout is notegate {expected}")


def manual(into: Path) -> Path:
    """Man pages and completions; made on this machine, whatever the target."""
    shutil.rmtree(into, ignore_errors=True)
    run("cargo", "run", "--quiet", "--locked", "--example", "manual", "--", into, cwd=ROOT, stderr=None)
    return into
