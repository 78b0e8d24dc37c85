"""Furnishes a home, opens the window and takes a picture of each page that the README shows.

Called by `take`, inside a display and a session bus of its own.
"""

import json
import os
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

BINARY, FOLDER = sys.argv[1:3]
PAGES = os.environ.get("NOTEGATE_PICTURE_PAGES", "Overview,Obsidian,Kernels,Endpoints,Activity,Runtimes,Settings").split(",")
THEMES = os.environ.get("NOTEGATE_PICTURE_THEMES", "light,dark").split(",")
LANGUAGE = os.environ.get("NOTEGATE_PICTURE_LANGUAGE", "en")
WIDTH, HEIGHT = os.environ.get("NOTEGATE_PICTURE_SIZE", "1280x776").split("x")
CHINESE = {"Overview": "概览", "Kernels": "核心", "Endpoints": "端点", "Activity": "活动", "Runtimes": "Runtime", "Settings": "设置"}


def eventually(what, ask, seconds=60):
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not so within {seconds} s")
        time.sleep(0.1)


def notegate(*arguments):
    done = subprocess.run([BINARY, *arguments, "--json"], check=True, capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


def furnish(theme):
    """A person's home after a while: a vault, two chat programs, a kernel with permissions, some calls."""
    home = os.environ["NOTEGATE_HOME"]
    os.makedirs(home, mode=0o700, exist_ok=True)
    with open(os.path.join(home, "settings.json"), "w", encoding="utf-8") as settings:
        json.dump({"version": 1, "window": {"theme": theme, "language": LANGUAGE}}, settings)
    vault = os.path.join(os.environ["HOME"], "Notes")
    for name, text in [("Welcome.md", "# Welcome\n"), ("Garden/Plan.md", "# Plan\n"), ("笔记/堆肥.md", "# 堆肥\n")]:
        path = os.path.join(vault, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as note:
            note.write(text)
    notegate("obsidian", "scope", vault)
    notegate("obsidian", "enable")
    notegate("runtime", "add", "claude-code", "--mode", "execute", "--assign", "obsidian", "--assign", "siyuan")
    notegate("runtime", "add", "opencode", "--assign", "obsidian")
    notegate("siyuan", "kernel", "add", "home", "--name", "Home")
    notegate("siyuan", "kernel", "add", "office", "--name", "Office", "--address", "https://notes.example.org")
    notegate("siyuan", "kernel", "default", "office")
    notegate("siyuan", "enable")
    for key, permission in [
        ("http POST /api/block/getBlockKramdown", "allow"),
        ("http POST /api/query/sql", "allow"),
        ("http POST /api/block/updateBlock", "ask-full-access"),
        ("http POST /api/block/deleteBlock", "deny"),
    ]:
        notegate("siyuan", "permission", "office", key, permission)


def calls():
    for tool, arguments in [
        ("obsidian_list_vaults", {}),
        ("obsidian_read_note", {"path": "Welcome.md"}),
        ("obsidian_search_notes", {"query": "plan"}),
        ("obsidian_patch_note", {"path": "Welcome.md", "oldString": "# Welcome", "newString": "# Welcome back"}),
        ("obsidian_read_note", {"path": "Missing.md"}),
        ("obsidian_write_note", {"path": "笔记/今天.md", "content": "- 浇水\n"}),
        ("siyuan_rpc", {"channel": "contract", "words": "block"}),
    ]:
        call = [BINARY, "call", tool, json.dumps(arguments), "--mode", "execute"]
        subprocess.run(call, check=False, capture_output=True, timeout=60)


def nodes(node):
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child:
            yield from nodes(child)


def page(name):
    desk = Atspi.get_desktop(0)
    for index in range(desk.get_child_count()):
        app = desk.get_child_at_index(index)
        if not app or app.get_name() != os.path.basename(BINARY):
            continue
        try:
            for node in nodes(app):
                if node.get_role_name() == "page tab" and node.get_name() == name:
                    return node
        except gi.repository.GLib.Error:
            return None  # a node went away while we looked
    return None


def still(picture):
    """Two pictures that are alike: everything has come."""
    before = None
    for _ in range(40):
        subprocess.run(["import", "-silent", "-window", "root", picture], check=True, timeout=30)
        now = subprocess.run(["identify", "-format", "%#", picture], check=True, capture_output=True).stdout
        if now == before:
            return
        before = now
        time.sleep(0.4)


def take(theme):
    furnish(theme)
    program = subprocess.Popen([BINARY])
    try:
        windows = lambda: subprocess.run(["wmctrl", "-l"], capture_output=True, text=True).stdout
        eventually("the window is there", lambda: "Notegate" in windows())
        subprocess.run(["wmctrl", "-r", "Notegate", "-e", f"0,0,0,{WIDTH},{HEIGHT}"], check=False)
        calls()
        for name in PAGES:
            shown = name if LANGUAGE == "en" else CHINESE.get(name, name)
            node = eventually(f"{shown} is on the bus", lambda: page(shown))
            assert node.do_action(0)
            time.sleep(0.5)
            still(os.path.join(FOLDER, f"{name.lower()}-{theme}.png"))
    finally:
        subprocess.run([BINARY, "stop"], check=False, capture_output=True, timeout=60)
        program.wait(30)


def main():
    subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    eventually("the window manager runs", lambda: subprocess.run(["wmctrl", "-m"], capture_output=True).returncode == 0)
    subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stderr=subprocess.DEVNULL)
    wake = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
            "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled",
            "variant:boolean:true"]
    eventually("the accessibility bus runs", lambda: subprocess.run(wake, capture_output=True).returncode == 0)
    Atspi.init()
    for theme in THEMES:
        take(theme)


main()
