"""Moves content from the span into a store (a folder or any fsspec URL), in the background.

Each distinct content is written once, under the digest of its bytes. The call only queues: a slow or dead
store costs it nothing, and what could not be written is counted.
"""

from __future__ import annotations

import atexit
import hashlib
import threading
import time
from collections import OrderedDict, deque
from pathlib import Path
from typing import Any

from groundwire import semconv
from groundwire.errors import MissingExtraError
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.process import after_fork, remaining_exit_seconds, started

REFERENCES = {
    semconv.INPUT_MESSAGES: semconv.INPUT_MESSAGES_REF,
    semconv.OUTPUT_MESSAGES: semconv.OUTPUT_MESSAGES_REF,
    semconv.RETRIEVAL_DOCUMENTS: semconv.DOCUMENTS_REF,
    semconv.CITATIONS: semconv.CITATIONS_REF,
}
_COPIES = (semconv.INPUT_VALUE, semconv.OUTPUT_VALUE)
MAX_QUEUED_BYTES = 64 * 1024 * 1024
MAX_REMEMBERED = 65_536
EXIT_SECONDS = 5.0


class Store:
    """One destination with its queue and its thread, which starts with the first content."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")
        self._renew()
        after_fork(self._renew)

    def _renew(self) -> None:
        self._queue: deque[tuple[str, bytes]] = deque()
        self._queued_bytes = 0
        self._known: OrderedDict[str, None] = OrderedDict()
        self._changed = threading.Condition(threading.Lock())
        self._worker: threading.Thread | None = None
        self._is_busy = False

    def put(self, content: bytes) -> str:
        """Queue ``content`` unless it is known, and return its URI. Never waits."""
        name = hashlib.sha256(content).hexdigest() + ".json"
        uri = f"{self.base}/{name}"
        with self._changed:
            if name in self._known:
                return uri
            if self._queued_bytes + len(content) > MAX_QUEUED_BYTES:
                count_loss("offload_full")
                return uri
            self._remember(name)
            self._queue.append((name, content))
            self._queued_bytes += len(content)
            if self._worker is None:
                self._worker = started(self._work, "groundwire-offload")
            self._changed.notify_all()
        return uri

    def _remember(self, name: str) -> None:
        self._known[name] = None
        if len(self._known) > MAX_REMEMBERED:
            self._known.popitem(last=False)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                while not self._queue:
                    self._changed.wait()
                name, content = self._queue.popleft()
                self._queued_bytes -= len(content)
                self._is_busy = True
            self._write(name, content)

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_content(self.base, name, content)
        except BaseException as cause:  # noqa: BLE001 - nor may it end the only thread that writes
            count_loss("offload_failed", cause)
            with self._changed:
                self._known.pop(name, None)

    def give_up(self) -> None:
        """Count what is not written as lost; the process ends."""
        left = len(self._queue) + self._is_busy
        if left:
            count_loss("offload_failed", count=left)

    def flush(self, timeout: float) -> bool:
        """Wait until all is written, for at most ``timeout`` seconds; True if it is."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while self._queue or self._is_busy:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self._changed.wait(remaining)
        return True


def write_content(base: str, name: str, content: bytes) -> None:
    """Write one file under ``base``, a folder or an fsspec URL; written whole or not at all in a folder."""
    if "://" not in base or base.startswith("file://"):
        folder = Path(base.removeprefix("file://"))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        if not path.exists():
            partial = path.with_suffix(f".{threading.get_ident()}.part")
            try:
                partial.write_bytes(content)
                partial.replace(path)
            except BaseException:  # a full disk shall not hold half a file besides
                partial.unlink(missing_ok=True)
                raise
        return
    try:
        import fsspec
    except ImportError as missing:
        raise MissingExtraError.of("offload", module="fsspec") from missing
    with fsspec.open(f"{base}/{name}", "wb") as stream:
        stream.write(content)


_stores: dict[str, Store] = {}
_lock = threading.Lock()


def store_of(base: str) -> Store:
    """Return the one store of this process for ``base``."""
    store = _stores.get(base)
    if store is None:
        with _lock:
            store = _stores.setdefault(base, Store(base))
    return store


def flush_stores(timeout: float) -> bool:
    """Wait until every store has written what it had queued; True if all have."""
    deadline = time.monotonic() + timeout
    done = [store.flush(max(0.0, deadline - time.monotonic())) for store in list(_stores.values())]
    return all(done)


def _finish() -> None:
    flush_stores(remaining_exit_seconds(EXIT_SECONDS))
    for store in _stores.values():
        store.give_up()


atexit.register(_finish)


def move_content(attributes: dict[str, Any], base: str) -> None:
    """Replace the content attributes by references to the store."""
    store = store_of(base)
    for attribute, reference in REFERENCES.items():
        content = attributes.pop(attribute, None)
        if content is not None:
            attributes[reference] = store.put(content.encode())
    for attribute in _COPIES:
        attributes.pop(attribute, None)
