#!/usr/bin/env python3
"""A chat with a model that uses Notegate's tools, without MCP and without anything to install.

    python3 direct_tools.py "Which notes mention the garden?"

NOTEGATE_KEY      the key that `notegate runtime add model` printed
NOTEGATE_TOOLS    the address of the tools (http://127.0.0.1:27277/tools)
OPENAI_BASE_URL   a server with /chat/completions (http://127.0.0.1:11434/v1)
OPENAI_MODEL      the name of the model
OPENAI_API_KEY    the model's key, where it wants one
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TOOLS = os.environ.get("NOTEGATE_TOOLS", "http://127.0.0.1:27277/tools")
MODEL = os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1")

# Notegate is on this computer: a proxy that is set for the rest of the world is not asked.
LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))
WORLD = urllib.request.build_opener()

# A question to a person may take minutes; the model may take longer.
CALL_SECONDS = 180
MODEL_SECONDS = 600
# A model that goes on calling tools is stopped.
MOST_TURNS = 30
# How often a call is repeated that waits for a person, or for a place.
MOST_REPEATS = 10


def send(opener, url, key, body=None, seconds=CALL_SECONDS):
    """The status and the text of an answer. A body that is given is posted."""
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else body.encode()
    request = urllib.request.Request(url, data=data, headers=headers)
    try:
        with opener.open(request, timeout=seconds) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode(errors="replace")


def tools(key):
    """The tools that this key may use now, in the form that a chat request takes."""
    try:
        status, text = send(LOCAL, TOOLS, key)
    except OSError as error:
        sys.exit(f"Notegate does not answer at {TOOLS} ({error}). Start it: notegate serve")
    if status != 200:
        sys.exit(f"Notegate refused to list its tools ({status}): {text}")
    return json.loads(text)["tools"]


def call(key, name, arguments):
    """What a tool says to the model: its answer, or what went wrong and what to do instead."""
    url = f"{TOOLS}/{urllib.parse.quote(name, safe='')}"
    for _ in range(MOST_REPEATS):
        try:
            status, text = send(LOCAL, url, key, arguments or "{}")
        except OSError as error:
            # It may have been carried out: to repeat a write is the model's decision, after a look.
            return f"Error: the connection broke ({error}). Whether {name} took effect is unknown: read before you repeat it."
        if status == 401:
            sys.exit(f"Notegate refused the key: {text}")
        if status == 503:
            # All places are taken, and nothing was done.
            time.sleep(1)
            continue
        if status != 200:
            # The request itself was wrong, as where the model wrote arguments that are no JSON.
            return f"Error ({status}): {text}"
        answer = json.loads(text)
        code = (answer.get("structuredContent") or {}).get("code") if answer["isError"] else None
        if code == "approval_pending":
            # A person is being asked. The identical call joins the same question.
            continue
        said = "\n".join(part.get("text", f"[{part['type']}]") for part in answer["content"])
        return f"Error: {said}" if answer["isError"] else said
    return f"Error: {name} was not carried out: nobody answered, or no place became free. Go on without it, and say so."


def ask(messages, offered):
    """The model's next message."""
    request = {"model": os.environ.get("OPENAI_MODEL", "m"), "messages": messages, "tools": offered}
    key = os.environ.get("OPENAI_API_KEY")
    url = f"{MODEL}/chat/completions"
    try:
        status, text = send(WORLD, url, key, json.dumps(request), MODEL_SECONDS)
    except OSError as error:
        sys.exit(f"the model does not answer at {url}: {error}")
    if status != 200:
        sys.exit(f"the model refused ({status}): {text}")
    return json.loads(text)["choices"][0]["message"]


def main():
    key = os.environ.get("NOTEGATE_KEY")
    if not key or len(sys.argv) != 2:
        sys.exit(__doc__)
    messages = [{"role": "user", "content": sys.argv[1]}]
    for _ in range(MOST_TURNS):
        # Asked anew each time: what the person allows may have changed since.
        message = ask(messages, tools(key))
        messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            print(message.get("content") or "")
            return
        for wanted in calls:
            function = wanted["function"]
            print(f"* {function['name']} {function['arguments']}", file=sys.stderr)
            said = call(key, function["name"], function["arguments"])
            messages.append({"role": "tool", "tool_call_id": wanted["id"], "content": said})
    sys.exit(f"the model was still calling tools after {MOST_TURNS} turns")


if __name__ == "__main__":
    main()
