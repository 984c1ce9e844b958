"""The four digests of the format, each with a prefix of its own so that none can pass for another."""

from __future__ import annotations

import hashlib

RECORD_TAG = b"groundwire/record/v1\0"
COMMIT_TAG = b"groundwire/commit/v1\0"
IDENTITY_TAG = b"groundwire/identity/v1\0"
NO_HASH = "0" * 64
"""``prev`` of the first record."""


def record_hash(body: bytes) -> str:
    """Return the hash of a record: of its canonical bytes without the member ``hash``."""
    return hashlib.sha256(RECORD_TAG + body).hexdigest()


def identity(statement: bytes) -> str:
    """Return the ``record_id`` of a statement (canonical bytes that hold no commitment)."""
    return hashlib.sha256(IDENTITY_TAG + statement).hexdigest()


def commitment(salt: bytes, field: bytes, value: bytes) -> str:
    """Return the commitment to a field: ``field`` and ``value`` are canonical JSON bytes.

    >>> commitment(bytes(range(32)), b'"answer"', b'"My SSN is 078-05-1120"')
    'd0d4584cc8884a36572eda744e3db9b539b0f706d7ed09ff651560badacde2b7'
    """
    return hashlib.sha256(b"%b%b[%b,%b]" % (COMMIT_TAG, salt, field, value)).hexdigest()


def leaf_hash(line: bytes) -> bytes:
    """Return the RFC 6962 leaf hash of a record's line (without the line feed)."""
    return hashlib.sha256(b"\0" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the RFC 6962 hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()
