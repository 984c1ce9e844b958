"""Files that hold no traces: what they seem to be, and what to do, in one sentence."""

from __future__ import annotations

import re

from groundwire.envelopes.csvfiles import find_delimiter, list_columns
from groundwire.envelopes.lines import BOM

_EXPORT = "name a file of traces or records, for example what a Collector's file exporter writes"
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "is a zip archive; unpack it and name what was in it"),
    (b"BZh", "is compressed with bzip2; unpack it (bunzip2), or compress with gzip or zstd"),
    (b"\xfd7zXZ\x00", "is compressed with xz; unpack it (unxz), or compress with gzip or zstd"),
    (b"\x04\x22\x4d\x18", "is compressed with LZ4; unpack it (lz4 -d), or compress with gzip or zstd"),
    (b"\xff\x06\x00\x00sNaPpY", "is compressed with Snappy; unpack it, or compress with gzip or zstd"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive; unpack it and name what was in it"),
    (b"%PDF-", f"is a PDF; {_EXPORT}"),
    (b"\x89PNG", f"is a picture; {_EXPORT}"),
    (b"\xff\xd8\xff", f"is a picture; {_EXPORT}"),
    (b"GIF8", f"is a picture; {_EXPORT}"),
    (b"SQLite format 3\x00", "is an SQLite data base; export its traces as JSON first"),
    (b"ARROW1", "is an Arrow (Feather) file; write it as Parquet"),
    (b"ORC", "is an ORC file; write it as Parquet"),
    (b"Obj\x01", "is an Avro file; write it as Parquet or JSON lines"),
    (b"\x89HDF", "is an HDF5 file; write it as Parquet"),
    (b"\x93NUMPY", "is a NumPy array; write records as Parquet or JSON lines"),
    (b"\x7fELF", f"is a program; {_EXPORT}"),
    (b"\xff\xfe", "is UTF-16; write it as UTF-8"),
    (b"\xfe\xff", "is UTF-16; write it as UTF-8"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05](?:\x95|[\x28-\x7d])")
_PICKLED = "is a Python pickle, which would run code when it is read; write JSON lines or Parquet instead"
_HTML = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_XML = re.compile(rb"\s*<(?:\?xml|[a-zA-Z][\w:.-]*[\s>/])")
_JSON_INSIDE = re.compile(rb'\{\s*"|\[\s*[\[{"]')
_YAML = re.compile(r"(?:^---\s*$|^[\w.-]+:(?: .*)?$)", re.MULTILINE)
_NO_TRACES = "holds no traces; expected JSON, protobuf, Parquet or CSV of a tracing tool, or records"


def name_signature(head: bytes) -> str | None:
    """Return what a file is that begins in a telling way, as a sentence without its subject; else None.

    >>> name_signature(b"%PDF-1.7")[:8], name_signature(b"{}")
    ('is a PDF', None)
    """
    head = head.removeprefix(BOM)
    for signature, sentence in _SIGNATURES:
        if head.startswith(signature):
            return sentence
    if _PICKLE.match(head):
        return _PICKLED
    if head[257:262] == b"ustar":
        return "is a tar archive; unpack it and name what was in it"
    if _HTML.match(head):
        return (
            "is an HTML page, perhaps a log-in or error page that was saved in place of an export; "
            "download the export again with its credentials"
        )
    return f"is XML; {_EXPORT}" if _XML.match(head) else None


def name_text(head: bytes) -> str | None:
    """Return what a text without any JSON in it seems to be; None where it holds some.

    >>> name_text(b"a,b\\n1,2\\n")[:28], name_text(b'started\\n{"question": "Who?"}')
    ('is CSV with the columns a, b', None)
    """
    if _JSON_INSIDE.search(head):
        return None
    delimiter = find_delimiter(head)
    if delimiter is not None:
        names = ", ".join(name[:40] for name in list_columns(head, delimiter)[:8])
        wanted = "expected those of a trace export, or question and answer"
        return f"is CSV with the columns {names}, none of which is known here; {wanted}"
    text = head.decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith((" ", "-", "#"))]
    if lines and all(_YAML.match(line) for line in lines):
        return f"looks like YAML (a configuration or a suite, perhaps), which {_NO_TRACES}"
    return f"is plain text, which {_NO_TRACES}"
