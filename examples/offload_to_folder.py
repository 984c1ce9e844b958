"""Content goes to a folder (or any fsspec URL), and only references go onto the span.

Run: python examples/offload_to_folder.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import groundwire
from groundwire.testing import capture_spans


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, capture_spans() as spans:

        @groundwire.instrument(offload=folder, tracer_provider=spans.provider)
        def answer(question: str) -> dict[str, Any]:
            return {"answer": "Within 14 days.", "contexts": ["Refunds are paid within 14 days."]}

        for _ in range(3):
            answer("When are refunds paid?")
        groundwire.flush()
        reference = spans.attributes()["groundwire.documents_ref"]
        print("on the span:", Path(reference).name)
        print("in the file:", Path(reference).read_text(encoding="utf-8"))
        print("three equal calls,", len(list(Path(folder).iterdir())), "files")


if __name__ == "__main__":
    main()
