"""A third party's word on when a checkpoint existed: an RFC 3161 timestamp (extra ``[timestamp]``)."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from groundwire.audit.folder import replace_file
from groundwire.audit.log import AuditLog
from groundwire.audit.proof import newest_note
from groundwire.errors import AuditError, ConfigError, MissingExtraError

MAX_REPLY_BYTES = 64 * 1024
TIMEOUT_S = 30


def stamp(log: AuditLog, url: str) -> Path:
    """Have the authority at ``url`` stamp the newest checkpoint; return the token's path.

    The token ``checkpoint-<size>.tsr`` lies beside the log's folder, never in it. It covers the bytes of
    the file ``checkpoint``. Raises AuditError where the authority does not answer or refuses.
    """
    client = _client()
    if not url.startswith(("https://", "http://")):
        raise ConfigError("is no address", where="timestamp", expected="https://…", got=repr(url))
    note = newest_note(log)
    request = client.TimestampRequestBuilder().data(note.render().encode()).build()
    reply = _post(url, request.as_bytes())
    try:
        answer = client.decode_timestamp_response(reply)
    except ValueError as cause:
        raise AuditError("the authority's answer can not be read", where=url) from cause
    if answer.status not in (0, 1):
        raise AuditError("the authority refused", where=url, got=f"status {answer.status}")
    path = log.path.with_name(f"{log.path.name}.checkpoint-{note.checkpoint.size}.tsr")
    replace_file(path, reply)
    return path


def _post(url: str, body: bytes) -> bytes:
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, data=body, headers=headers), timeout=TIMEOUT_S
        ) as reply:
            return bytes(reply.read(MAX_REPLY_BYTES))
    except (urllib.error.URLError, TimeoutError) as cause:
        raise AuditError("the authority does not answer", where=url, got=str(cause)) from cause


def _client() -> Any:
    try:
        import rfc3161_client
    except ImportError as missing:
        raise MissingExtraError.of("timestamp", module="rfc3161-client") from missing
    return rfc3161_client
