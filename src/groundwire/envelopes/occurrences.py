"""How often a key came so far, for any number of keys in little memory."""

from __future__ import annotations

import sqlite3

_HELD_KEYS = 100_000


class Occurrences:
    """Counts keys in a dict, and beyond ``held`` of them in a temporary database that SQLite removes.

    >>> seen = Occurrences(held=1)
    >>> [seen.count(key) for key in (b"a", b"b", b"a", b"b", b"a")]
    [1, 1, 2, 2, 3]
    """

    def __init__(self, held: int = _HELD_KEYS) -> None:
        self._held = held
        self._counts: dict[bytes, int] = {}
        self._store: sqlite3.Connection | None = None

    def count(self, key: bytes) -> int:
        """Count one more occurrence of ``key`` and return how many there were, from 1."""
        if self._store is not None:
            return self._count_stored(self._store, key)
        number = self._counts[key] = self._counts.get(key, 0) + 1
        if len(self._counts) > self._held:
            self._move()
        return number

    def __del__(self) -> None:
        if self._store is not None:
            self._store.close()

    def _move(self) -> None:
        self._store = store = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        store.execute("PRAGMA journal_mode = OFF")
        store.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, count INTEGER) WITHOUT ROWID")
        store.execute("BEGIN")
        store.executemany("INSERT INTO seen VALUES (?, ?)", self._counts.items())
        self._counts = {}

    @staticmethod
    def _count_stored(store: sqlite3.Connection, key: bytes) -> int:
        if store.execute("INSERT OR IGNORE INTO seen VALUES (?, 1)", (key,)).rowcount == 1:
            return 1
        store.execute("UPDATE seen SET count = count + 1 WHERE key = ?", (key,))
        found: tuple[int] = store.execute("SELECT count FROM seen WHERE key = ?", (key,)).fetchone()
        return found[0]
