"""As much of Opik's backend as its SDK writes to and its export command reads: rows of traces and spans."""

from __future__ import annotations

import json
from typing import Any

PROJECT = {"id": "01a22e91-0000-7000-8000-000000000001", "name": "flow"}


class OpikRows:
    """The traces and spans of one project; what is posted again for an id replaces what is known of it."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, dict[str, Any]]] = {"traces": {}, "spans": {}}

    def post(self, path: str, body: bytes) -> dict[str, Any]:
        """Keep a batch; any other call asks for the project."""
        kind = path.rpartition("/v1/private/")[2].partition("/")[0]
        if path.endswith("/batch") and kind in self.rows:
            for row in json.loads(body)[kind]:
                known = self.rows[kind].setdefault(row["id"], {"project_id": PROJECT["id"]})
                known.update({key: value for key, value in row.items() if value is not None})
        return PROJECT

    def get(self, path: str) -> dict[str, Any]:
        """Answer with all rows of the asked kind, as one page."""
        kind = path.rpartition("/v1/private/")[2].partition("/")[0].partition("?")[0]
        content = list(self.rows.get(kind, {}).values()) if kind != "projects" else [PROJECT]
        return {"page": 1, "size": len(content), "total": len(content), "content": content}
