"""Where the environments of the real instrumentations lie: one a requirements file, named by its content.

Run as a script with a group's name it prints the folder; ``.ci/instrumentations`` makes it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements"


def find_environment(group: str) -> Path:
    """Return the folder of a group's environment, which may not exist."""
    pins = find_pins(group).read_bytes()
    digest = hashlib.sha256(pins + sys.version.encode()).hexdigest()[:12]
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "groundwire" / "instrumentations" / f"{group}-{digest}"


def find_pins(group: str) -> Path:
    """Return the file with a group's versions: pip's, or npm's where there is a folder of that name.

    The installer, ``uv``, is no group: its pin stands beside the groups'.
    """
    package = REQUIREMENTS / group / "package.json"
    if group == "uv":
        return HERE / "uv.txt"
    return package if package.exists() else REQUIREMENTS / f"{group}.txt"


if __name__ == "__main__":
    print(find_environment(sys.argv[1]))
