"""What the scripts ask about the workspace, answered by `cargo metadata` and by nothing else.

Only the standard library of Python 3.9 is used here and in the scripts beside this file, so that
they run wherever Python does.
"""

import json
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The one registry that members may be published to; see CONTRIBUTING.md, "Publish".
REGISTRY = "internal"


@dataclass(frozen=True)
class Library:
    """A member of the workspace that is published as a library."""

    name: str
    directory: Path
    version: str
    features: tuple
    root_module: Path

    @property
    def import_name(self):
        return self.name.replace("-", "_")

    @property
    def has_surface(self):
        """Whether the crate exports anything.

        The rule: its root module has a line that begins with `pub`. Modules are private here and
        the surface is re-exported by name, so a crate without such a line exports nothing.
        """
        return re.search(r"^pub\s", self.root_module.read_text(encoding="utf-8"), re.MULTILINE) is not None


def metadata(*arguments, directory=ROOT):
    """`cargo metadata` of the workspace in `directory`."""
    command = ["cargo", "metadata", "--format-version", "1", *arguments]
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def libraries(directory=ROOT):
    """The members that go to the registry, in the order of the workspace's member list."""
    found = []
    for package in metadata("--no-deps", directory=directory)["packages"]:
        if package["publish"] != [REGISTRY]:
            continue
        target = next(target for target in package["targets"] if "lib" in target["kind"])
        found.append(
            Library(
                name=package["name"],
                directory=Path(package["manifest_path"]).parent,
                version=package["version"],
                features=tuple(sorted(set(package["features"]) - {"default"})),
                root_module=Path(target["src_path"]),
            )
        )
    return found


def end_on_terminate():
    """Makes a request to terminate unwind like an error, so that temporary directories go and
    child processes end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
