"""The steps from a clean checkout to packages, one file a step; `__main__` puts them in order."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""

WORK = ROOT / "target" / "packaging"
"""What steps keep for themselves, the fetched parts among it."""


class BuildError(Exception):
    """Why no package was made: what failed, on what, and what to do."""


def run(*command, **options):
    """Runs a program to its end and gives back what it printed. A failure stops the build."""
    command = [str(part) for part in command]
    options = {"check": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    try:
        return subprocess.run(command, **options).stdout
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is not installed, and this step needs it") from None
    except subprocess.CalledProcessError as error:
        told = "\n".join((text if isinstance(text, str) else text.decode(errors="replace")).strip() for text in (error.stdout, error.stderr) if text)
        raise BuildError(f"`{' '.join(command)}` failed with {error.returncode}\n{told}".strip()) from None
