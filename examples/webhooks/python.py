"""Receives webhooks with nothing but Python's standard library: WEBHOOK_SECRET=whsec_… python3 python.py"""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_SECONDS = 300


def is_signed(body: bytes, header: str) -> bool:
    """Whether the header (X-Service-Signature) signs the raw body and is not older than 5 minutes."""
    parts = [part.partition("=") for part in header.split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]+", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # After a rotation of the secret there are two v1 values. One of them must match.
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, _, value in parts)


# In production, keep these ids in your database.
processed = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        signed = is_signed(body, self.headers.get("X-Service-Signature", ""))
        self.send_response(204 if signed else 401)
        self.end_headers()
        event_id = self.headers.get("webhook-id")
        if not signed or event_id in processed:
            return
        processed.add(event_id)
        delivery = json.loads(body)
        print(delivery["event"], delivery["data"], flush=True)


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
