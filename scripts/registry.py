"""A sparse registry for cargo on loopback: enough of one to publish into and to install from.

The protocol is that of The Cargo Book, "Registry Index" and "Registry Web API". Crates live in
memory. The server is a thread of the program that opens it and ends with it.
"""

import hashlib
import io
import json
import secrets
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Registry:
    """`with Registry() as registry:` serves on a free port until the block is left."""

    def __init__(self):
        self.token = secrets.token_hex(16)
        self._lines = {}
        self._archives = {}
        registry = self

        class Handler(_Handler):
            def setup(self):
                self.registry = registry
                super().setup()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self.index = f"sparse+{self.address}/index/"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def names(self):
        """The names of the published crates."""
        return set(self._lines)

    def archive(self, name, version):
        """The `.crate` file of a published version, as a stream."""
        return io.BytesIO(self._archives[name, version])

    def publish(self, body):
        """Takes the body of a publication: two lengths, the description, the archive."""
        (length,) = struct.unpack_from("<I", body)
        description = json.loads(body[4 : 4 + length])
        archive = body[8 + length :]
        if struct.unpack_from("<I", body, 4 + length) != (len(archive),):
            raise ValueError("the length of the archive is not the one that was announced")
        name, version = description["name"], description["vers"]
        if (name, version) in self._archives:
            raise ValueError(f"{name} {version} is already published")
        self._archives[name, version] = archive
        self._lines.setdefault(name, []).append(json.dumps(_index_line(description, archive)))

    def get(self, path):
        """The file at a path of the server; `None` where there is none."""
        if path == "/index/config.json":
            return json.dumps({"dl": f"{self.address}/crates", "api": self.address}).encode()
        for name, lines in self._lines.items():
            if path == f"/index/{_index_path(name)}":
                return "\n".join(lines).encode()
        for (name, version), archive in self._archives.items():
            if path == f"/crates/{name}/{version}/download":
                return archive
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.registry.get(self.path)
        self._answer(404 if body is None else 200, body or b"")

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path != "/api/v1/crates/new":
            self._answer(404, b"")
        elif self.headers["Authorization"] != self.registry.token:
            self._answer(403, b'{"errors": [{"detail": "wrong token"}]}')
        else:
            try:
                self.registry.publish(body)
                self._answer(200, b"{}")
            except ValueError as error:
                self._answer(400, json.dumps({"errors": [{"detail": str(error)}]}).encode())

    def _answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Silent: cargo reports what fails."""


def _index_path(name):
    lower = name.lower()
    if len(lower) < 3:
        return f"{len(lower)}/{lower}"
    if len(lower) == 3:
        return f"3/{lower[0]}/{lower}"
    return f"{lower[:2]}/{lower[2:4]}/{lower}"


def _index_line(description, archive):
    """The index describes a version almost as the publication does; these are the differences."""
    dependencies = [
        {
            "name": dependency.get("explicit_name_in_toml") or dependency["name"],
            "package": dependency["name"] if dependency.get("explicit_name_in_toml") else None,
            "req": dependency["version_req"],
            **{
                key: dependency.get(key)
                for key in ("features", "optional", "default_features", "target", "kind", "registry")
            },
        }
        for dependency in description["deps"]
    ]
    return {
        "name": description["name"],
        "vers": description["vers"],
        "deps": dependencies,
        "features": description["features"],
        "cksum": hashlib.sha256(archive).hexdigest(),
        "yanked": False,
        "links": description.get("links"),
        "rust_version": description.get("rust_version"),
        "v": 2,
    }
