#!/usr/bin/env python3
"""A host that takes records over HTTP, and fails as it is told.

motion-host.py BEHAVIOURS [CERTIFICATE.pem KEY.pem]

BEHAVIOURS: what it does with one request after another, separated by commas, the last one for all further
ones: a status (200, 503), 'redirect', 'reset' (closes with a reset after the body), 'deaf' (before the
body), 'half' (a 200 whose body is cut short), 'slow' (no answer for 3 s), 'later' (a 503 that asks for a
second), 'endless' (an answer that doesn't end). Prints its port on the first line, then a line of JSON for
each request: its path, headers of interest, body, and behaviour.
"""
import json, socket, ssl, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

behaviours = sys.argv[1].split(",")
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def do_POST(self):
        with lock:
            behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        if behaviour == "deaf":
            print(json.dumps({"behaviour": behaviour}), flush=True)
            return self.reset()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        print(json.dumps({"path": self.path, "type": self.headers["Content-Type"],
                          "body": json.loads(body), "behaviour": behaviour}), flush=True)
        if behaviour == "reset":
            return self.reset()
        if behaviour == "slow":
            time.sleep(3)
            behaviour = "200"
        status = {"half": 200, "later": 503, "redirect": 302, "endless": 200}.get(behaviour)
        answer = b'{"status": "' + behaviour.encode() + b'"}'
        self.send_response(status or int(behaviour))
        if behaviour == "redirect":
            self.send_header("Location", "/elsewhere")
        if behaviour == "later":
            self.send_header("Retry-After", "1")
        if behaviour == "endless":
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                return
        self.send_header("Content-Length", str(len(answer) * (2 if behaviour == "half" else 1)))
        self.end_headers()
        self.wfile.write(answer)
        if behaviour == "half":
            self.wfile.flush()
            self.close_connection = True


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
