"""A bare Debian 12 in a folder, with a person on it and no network but its own loopback."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Bare:
    """Made from an archive; what was mounted and started is gone with the process that made it (see `alone`)."""

    def __init__(self, archive: Path, folder: Path, display: str | None):
        self.root = folder / "root"
        self.root.mkdir()
        self.lookups = folder / "lookups"
        self.display = display
        do("tar", "xf", archive, "-C", self.root)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        do("mount", "-t", "proc", "proc", self.root / "proc")
        sockets = self.root / "tmp/.X11-unix"
        sockets.mkdir()
        if display:
            do("mount", "--bind", "/tmp/.X11-unix", sockets)
        self.as_root("useradd", "--create-home", "--uid", "1000", "person")

    def as_root(self, *command) -> str:
        """With the network: for apt."""
        return do("chroot", self.root, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *command)

    def install(self, package: Path) -> str:
        shutil.copy(package, self.root / "tmp")
        return self.as_root("apt-get", "-q", "-y", "install", "--no-install-recommends", f"/tmp/{package.name}")

    def cut_off(self) -> int:
        """From now on the person has no network. Gives back the port of the kernel."""
        (self.root / "etc/resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        inside = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        command = [*inside, sys.executable, HERE / "neighbours.py", self.lookups]
        self.neighbours = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return int(self.neighbours.stdout.readline())

    def command(self, *command, **variables) -> list[str]:
        """A command of the person, cut off from the network; nothing is on the search path."""
        variables = {"HOME": "/home/person", "LC_ALL": "C.UTF-8", "PATH": ""} | variables
        alone = ["nsenter", f"--net=/proc/{self.neighbours.pid}/ns/net", "chroot", "--userspec=1000:1000", self.root]
        return [str(part) for part in [*alone, "/usr/bin/env", "-i", *(f"{name}={value}" for name, value in variables.items()), *command]]

    def person(self, *command, check=True, **variables) -> subprocess.CompletedProcess:
        done = subprocess.run(self.command(*command, **variables), capture_output=True, text=True, timeout=120)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def write(self, file: str, text: str) -> None:
        """A file of the person."""
        path = self.root / "home/person" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        do("chown", "-R", "1000:1000", self.root / "home/person")

    def read(self, file: str) -> str:
        return (self.root / "home/person" / file).read_text()

    def files(self, *besides: str) -> set[str]:
        """Every file outside the person's home, apt's own bookkeeping, and folders named in `besides`."""
        skipped = {"proc", "tmp", "home", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log", *besides}
        found = set()
        for folder, names, files in os.walk(self.root):
            inner = os.path.relpath(folder, self.root)
            names[:] = [name for name in names if os.path.normpath(f"{inner}/{name}") not in skipped]
            found |= {os.path.normpath(f"{inner}/{name}") for name in [*files, *names]}
        return found

    def close(self) -> None:
        self.neighbours.stdin.close()
        self.neighbours.wait()


def do(*command) -> str:
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout
