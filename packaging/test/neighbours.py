"""What stands beside Notegate on a computer without a network: a kernel of SiYuan, as far as one call needs it, and a
name server that knows nothing and writes down whoever asked. Prints the kernel's port; ends with its standard input.

    neighbours.py LOOKUPS     LOOKUPS: the file that gets a line for each name that was asked for
"""

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = {
    "/api/system/version": "3.8.0",
    "/api/system/bootProgress": {"progress": 100, "details": ""},
    "/api/system/getWorkspaceInfo": {"workspaceDir": "/home/person/SiYuan", "siyuanVer": "3.8.0"},
    "/api/system/getWorkspaces": [],
    "/api/notebook/lsNotebooks": {"notebooks": [{"id": "20260101000000-abcdefg", "name": "Garden", "icon": "", "sort": 0, "closed": False}]},
}


class Kernel(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        known = self.path in ANSWERS
        body = json.dumps({"code": 0 if known else -1, "msg": "", "data": ANSWERS.get(self.path)}).encode()
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def log_message(self, *_):
        pass


def write_down(names: socket.socket, file) -> None:
    while True:
        question, sender = names.recvfrom(4096)
        labels, at = [], 12
        while at < len(question) and (length := question[at]):
            labels.append(question[at + 1 : at + 1 + length].decode(errors="replace"))
            at += length + 1
        file.write(".".join(labels) + "\n")
        file.flush()
        # The same question comes back with "no such name".
        names.sendto(question[:2] + b"\x81\x83" + question[4:], sender)


def main() -> None:
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    threading.Thread(target=write_down, args=(names, open(sys.argv[1], "a")), daemon=True).start()
    kernel = ThreadingHTTPServer(("127.0.0.1", 0), Kernel)
    threading.Thread(target=kernel.serve_forever, daemon=True).start()
    print(kernel.server_port, flush=True)
    sys.stdin.read()


main()
