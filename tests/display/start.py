"""Starts the window ten times and tells how long after each start its first frame was on the screen. Called by `start`."""

import os
import re
import signal
import statistics
import subprocess
import sys
import time

BINARY = sys.argv[1]
FIRST = re.compile(r"first frame after (\d+) ms")


def start():
    """The milliseconds that the program tells, and those since it was started."""
    began = time.monotonic()
    program = subprocess.Popen([BINARY], stderr=subprocess.PIPE, text=True, env={**os.environ, "NOTEGATE_LOG": "notegate=debug"})
    said = []
    for line in program.stderr:
        whole = (time.monotonic() - began) * 1000
        said.append(line)
        if found := FIRST.search(line):
            program.send_signal(signal.SIGTERM)
            program.wait(30)
            return int(found[1]), whole
    raise AssertionError("no frame was seen: " + "".join(said))


def main():
    start()  # what the disk holds is in memory from here on
    told, whole = zip(*(start() for _ in range(10)))
    for what, numbers in [("as the program tells", told), ("seen from outside", whole)]:
        print(f"first frame after {statistics.median(numbers):.0f} ms ({min(numbers):.0f} to {max(numbers):.0f}), {what}")


main()
