"""What a person, a window manager and a screen reader find of the real window.

Called by `run`, inside a display and a session bus of its own.
"""

import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

BINARY, KERNEL, PICTURES = sys.argv[1:4]
ROOT = os.environ["ROOT"]
TITLE = "Notegate"
FRAME = "a frame"
TICKS = os.sysconf("SC_CLK_TCK")


def eventually(what, ask, seconds=30):
    """Asks until the answer is truthy, and gives it."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not so within {seconds} s")
        time.sleep(0.05)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout


# --- The surroundings ----------------------------------------------------------------------------


def start_surroundings():
    subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    eventually("the window manager runs", manager_runs)
    subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stderr=subprocess.DEVNULL)
    eventually("the accessibility bus runs", wake_accessibility)
    Atspi.init()


def manager_runs():
    return subprocess.run(["wmctrl", "-m"], capture_output=True, check=False).returncode == 0


def wake_accessibility():
    """Without this a program on a bare bus does not even register."""
    ask = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
           "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled",
           "variant:boolean:true"]
    return subprocess.run(ask, capture_output=True, check=False).returncode == 0


# --- The program ---------------------------------------------------------------------------------


class Program:
    """A running `notegate`; its stderr goes to a file that a failure shows, and that counts its frames."""

    def __init__(self, name, *arguments):
        self.log = os.path.join(ROOT, f"{name}.log")
        with open(self.log, "w", encoding="utf-8") as log:
            told = {**os.environ, "NOTEGATE_LOG": "error,notegate=warn,notegate::ui::run=trace"}
            self.process = subprocess.Popen([BINARY, *arguments], stdout=log, stderr=log, env=told)

    def window(self):
        assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.said()}"
        for line in output("wmctrl", "-l", "-G", "-p").splitlines():
            number, _, pid, _, _, width, height, _, title = line.split(None, 8)
            if title.startswith(TITLE) and int(pid) == self.process.pid:
                self.number = int(number, 16)
                return int(width), int(height)
        return None

    def is_minimised(self):
        assert self.window(), "the window is gone"
        return "Iconic" in output("xprop", "-id", str(self.number), "WM_STATE")

    def frames(self):
        return self.said().count(FRAME)

    def ticks(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def ends(self, seconds=15):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still runs after {seconds} s: {self.said()}") from None

    def said(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()


def free_port():
    """The usual port may be taken on this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# --- The accessibility tree ----------------------------------------------------------------------


def application():
    desk = Atspi.get_desktop(0)
    names = os.path.basename(BINARY)
    for index in range(desk.get_child_count()):
        child = desk.get_child_at_index(index)
        if child and child.get_name() == names:
            return child
    return None


def nodes(node):
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child:
            yield from nodes(child)


INTERACTIVE = ("push button", "toggle button", "check box", "radio button", "page tab", "entry", "link")


def controls():
    """What a person can act on: name and role of each, with the node."""
    app = application()
    found = []
    try:
        for node in nodes(app) if app else ():
            if node.get_role_name() in INTERACTIVE:
                found.append((node.get_name(), node.get_role_name(), node))
    except gi.repository.GLib.Error:
        return []  # a node went away while we looked
    return found


def names():
    return {name for name, _, _ in controls()}


def words():
    """What there is to read."""
    app = application()
    try:
        return [node.get_name() for node in nodes(app)] if app else []
    except gi.repository.GLib.Error:
        return []  # a node went away while we looked


def assert_named():
    unnamed = [role for name, role, _ in controls() if not name]
    assert not unnamed, f"controls without a name: {unnamed}"


# --- The checks ----------------------------------------------------------------------------------

first = kernel = key = None


def the_window_opens():
    global first
    first = Program("first")
    width, height = eventually("a window of this title is there", first.window)
    assert width >= 760 and height >= 400, (width, height)


def it_is_painted():
    def colours():
        picture = os.path.join(ROOT, "screen.png")
        output("import", "-silent", "-window", "root", picture)
        return int(output("identify", "-format", "%k", picture)) > 60

    eventually("text and marks are on the screen", colours)
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        output("import", "-silent", "-window", "root", os.path.join(PICTURES, "window.png"))


def it_serves_the_endpoint():
    def health():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    eventually("the endpoint answers", health)


def a_screen_reader_finds_its_controls_g07():
    eventually("the pages stand on the bus", lambda: {"Overview", "Obsidian"} <= names())
    assert_named()


def act(name):
    """What a screen reader does on its user's behalf."""
    node = eventually(f"{name!r} is there", lambda: next((node for found, _, node in controls() if found == name), None))
    assert node.do_action(0), f"{name!r} takes no action"


def a_folder_is_saved_through_the_accessibility_bus_us3():
    vault = os.path.join(ROOT, "Notes 笔记")
    os.mkdir(vault)
    act("Obsidian")
    eventually("the card is there", lambda: {"Obsidian access", "Save", "Test connection", "Choose folder…"} <= names())
    act("One folder")
    field = eventually("the field is there", lambda: next((node for _, role, node in controls() if role == "entry"), None))
    assert_named()
    assert Atspi.EditableText.set_text_contents(field, vault)
    act("Save")
    eventually("the folder stands in the settings", lambda: saved()["obsidian"]["vaultPath"] == vault)
    assert not saved()["obsidian"]["enabled"], "saving switched Obsidian on (LR-1)"


def every_page_is_walked_and_no_control_is_without_a_name():
    pages = [name for name, role, _ in controls() if role == "page tab"]
    assert len(pages) == 7, pages
    for page in pages:
        act(page)
        eventually(f"{page} is shown", lambda: page in words() and len(controls()) > len(pages))
        assert_named()
    act("Obsidian")


def where_it_is_to_keep_running_closing_hides_the_window_and_a_second_start_brings_it_back():
    act("Settings")
    act("Keep running when the window is closed")
    eventually("that is saved", lambda: saved()["window"]["keepRunning"])
    output("wmctrl", "-c", TITLE)
    eventually("the window is gone", lambda: first.window() is None)
    it_serves_the_endpoint()
    rests("hidden")
    again = Program("back")
    assert again.ends() == 0, again.said()
    eventually("the window is back", first.window)
    act("Keep running when the window is closed")
    eventually("that is saved", lambda: not saved()["window"]["keepRunning"])


def a_runtime_is_added_through_the_accessibility_bus_us6():
    global key
    act("Runtimes")  # where there is none, this begins one
    act("Give it SiYuan")
    eventually("it asks when to ask", lambda: "Refuse without asking" in names())
    assert_named()
    act("Add runtime")
    is_key = re.compile(r"ng_[A-Za-z0-9_-]{20,}").fullmatch
    key = eventually("the key is there to read", lambda: next(filter(is_key, words()), None))
    assert key not in json.dumps(saved()), "a key is in the settings"
    act("I have copied it")
    eventually("the key is gone", lambda: key not in words())


def a_kernel_is_switched_on_through_the_accessibility_bus():
    global kernel
    told = {**os.environ, "NOTEGATE_TEST_KERNEL": "1"}
    run = [KERNEL, "--exact", "kernel::other_process::a_kernel_of_its_own", "--nocapture"]
    # It serves until its standard input closes, which is when this program ends at the latest.
    kernel = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=told)
    port = next(line.split()[1] for line in kernel.stdout if line.startswith("port "))
    threading.Thread(target=kernel.stdout.read, daemon=True).start()
    output(BINARY, "siyuan", "kernel", "add", "notes", "--name", "Notes", "--address", f"http://127.0.0.1:{port}")
    output(BINARY, "siyuan", "kernel", "default", "notes")
    act("Kernels")
    act("SiYuan access")
    eventually("that is saved", lambda: saved()["siyuan"]["enabled"])
    act("Check the connection of Notes")
    eventually("the check is told", lambda: any("SiYuan 3.7.3 answers" in text for text in words()))
    assert_named()


def call(answer):
    """The runtime updates a block, and waits for what comes of it."""
    body = json.dumps({"kernelId": "notes", "action": "block", "id": "20210817205412-doc0002", "data": "new"})
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/tools/siyuan_update", body.encode(), {
        "Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            answer.append(response.read().decode())
    except urllib.error.HTTPError as error:
        answer.append(error.read().decode())


def answered(how):
    """What a call comes to whose question gets this answer through the bus."""
    answer = []
    calling = threading.Thread(target=call, args=(answer,))
    calling.start()
    question = "OpenCode wants to update a block in SiYuan «Notes»"
    eventually("the question is there to read", lambda: question in words())
    assert_named()
    act_when_it_counts(f"{how}: {question}")
    calling.join(60)
    assert answer, "the call was not answered"
    eventually("the question is gone", lambda: question not in words())
    return answer[0]


def act_when_it_counts(name):
    """A card's answers count when it has stood still for a moment."""
    def counts():
        node = next((node for found, _, node in controls() if found == name), None)
        return node and node.get_state_set().contains(Atspi.StateType.ENABLED)

    eventually(f"{name!r} counts", counts)
    act(name)


def a_question_is_approved_and_another_refused_through_the_accessibility_bus():
    approved = answered("Approve once")
    assert "approval" not in approved and '"isError":true' not in approved.replace(" ", ""), approved
    refused = answered("Refuse")
    assert "approval_refused" in refused, refused


def a_permission_is_granted_through_the_accessibility_bus():
    act("Endpoints")
    field = eventually("the search is there", lambda: next((node for name, _, node in controls() if name == "Search endpoints"), None))
    assert Atspi.EditableText.set_text_contents(field, "updateBlock POST")
    update = "http POST /api/block/updateBlock"
    act(f"Change permission of {update}")
    eventually("the question names kernel and endpoint", lambda: {"Permission of an endpoint of Notes", update} <= set(words()))
    assert_named()
    act("Allow")
    act("Set permission")
    permissions = lambda: saved()["siyuan"]["kernels"][0].get("permissions", {})
    eventually("it is saved", lambda: permissions().get(update) == "allow")
    answer = []
    call(answer)  # nobody is asked now
    assert "approval" not in answer[0], answer
    act("Activity")
    eventually("the call is in the log", lambda: any("siyuan_update" in text and "Succeeded" in text for text in words()))
    act("Obsidian")


def a_desktop_without_a_folder_dialog_says_so():
    # This session's bus knows no portal, unless the machine has one to start.
    known = output("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                   "org.freedesktop.DBus.ListActivatableNames")
    if "org.freedesktop.portal.Desktop" in known or shutil.which("zenity"):
        print("  (there is a folder dialog on this machine: nothing to say)")
        return
    act("Choose folder…")
    eventually("the window says that there is no dialog", lambda: any("folder dialog cannot be shown" in text for text in words()))


def saved():
    with open(SETTINGS, encoding="utf-8") as settings:
        return {"obsidian": {"vaultPath": ""}, **json.load(settings)}


def rests(how):
    """Nothing is drawn for ten seconds, and next to nothing done."""
    def still():
        before = first.frames()
        time.sleep(2)
        return first.frames() == before

    eventually(f"{how}: two seconds pass without a frame", still, 30)
    frames, ticks = first.frames(), first.ticks()
    time.sleep(10)  # the span that is measured
    frames, ticks = first.frames() - frames, first.ticks() - ticks
    assert frames == 0 and ticks <= TICKS // 10, f"{how}: {frames} frames, {ticks} ticks in ten seconds"


def nothing_is_drawn_at_rest_g03():
    assert first.frames() > 0, "no frame was counted"
    rests("in sight")


def nothing_is_drawn_while_it_is_minimised_g03():
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(xlib.XOpenDisplay(None))
    assert first.window()
    xlib.XIconifyWindow(display, ctypes.c_ulong(first.number), xlib.XDefaultScreen(display))
    xlib.XFlush(display)
    eventually("it is minimised", first.is_minimised)
    xlib.XCloseDisplay(display)
    rests("minimised")


def a_second_start_shows_the_first_window():
    second = Program("second")
    assert second.ends() == 0, second.said()
    eventually("the window that was minimised is back", lambda: not first.is_minimised())


def closing_the_window_ends_the_program():
    output("wmctrl", "-c", TITLE)
    assert first.ends() == 0, first.said()


def a_signal_ends_it_too():
    third = Program("third")
    eventually("a window is there", third.window)
    third.process.send_signal(signal.SIGTERM)
    assert third.ends() == 0, third.said()


def a_taken_port_leaves_the_program_in_reach():
    with socket.socket() as taken:
        # The connections of the programs before may still linger on it.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", PORT))
        taken.listen()
        fourth = Program("fourth")
        eventually("a window is there", fourth.window)
        said = eventually("it can be asked", lambda: subprocess.run(
            [BINARY, "status"], capture_output=True, text=True, check=False, timeout=30).stdout)
        assert f"port {PORT} " in said, said
        again = Program("again")
        assert again.ends() == 0 and "not open" in again.said(), again.said()
    act("Try again")
    eventually("the endpoint is open", lambda: f"http://127.0.0.1:{PORT}/mcp" in output(BINARY, "status"))
    output(BINARY, "stop")
    assert fourth.ends() == 0, fourth.said()


CHECKS = [
    the_window_opens,
    it_is_painted,
    it_serves_the_endpoint,
    a_screen_reader_finds_its_controls_g07,
    every_page_is_walked_and_no_control_is_without_a_name,
    a_folder_is_saved_through_the_accessibility_bus_us3,
    a_desktop_without_a_folder_dialog_says_so,
    a_runtime_is_added_through_the_accessibility_bus_us6,
    a_kernel_is_switched_on_through_the_accessibility_bus,
    a_question_is_approved_and_another_refused_through_the_accessibility_bus,
    a_permission_is_granted_through_the_accessibility_bus,
    nothing_is_drawn_at_rest_g03,
    nothing_is_drawn_while_it_is_minimised_g03,
    a_second_start_shows_the_first_window,
    where_it_is_to_keep_running_closing_hides_the_window_and_a_second_start_brings_it_back,
    closing_the_window_ends_the_program,
    a_signal_ends_it_too,
    a_taken_port_leaves_the_program_in_reach,
]


def main():
    passed = failed = 0
    for check in CHECKS:
        name = check.__name__.replace("_", " ")
        try:
            check()
            passed += 1
            print(f"ok      window: {name}", flush=True)
        except Exception:  # each failure is told, and hides none of the others
            failed += 1
            print(f"FAILED  window: {name}\n{traceback.format_exc()}", flush=True)
    for process in [first and first.process, kernel]:
        if process and process.poll() is None:
            process.kill()
    if failed and first:
        said = [line for line in first.said().splitlines() if FRAME not in line]
        print("--- what it said:", *said, sep="\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


start_surroundings()
PORT = free_port()
SETTINGS = os.path.join(os.environ["NOTEGATE_HOME"], "settings.json")
os.makedirs(os.path.dirname(SETTINGS), mode=0o700)
with open(SETTINGS, "w", encoding="utf-8") as settings:
    json.dump({"version": 1, "gateway": {"port": PORT}}, settings)
sys.exit(main())
