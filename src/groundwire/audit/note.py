"""The checkpoint: a C2SP signed note that says how many records there are and which root they have.

Text of three lines (origin, size, base64 of the root), an empty line, then at most a few signature lines
``— <name> <base64(key id, 4 bytes, then the Ed25519 signature)>``. Keys are written as Go's ``sumdb/note``
and other C2SP tools write them. Signing and checking a signature need the extra ``[sign]``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import AuditError, ConfigError, MissingExtraError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ed25519

_ED25519 = b"\1"
_NAME = re.compile(r"[^\s+]+")
MAX_NOTE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log: ``size`` records with the Merkle ``root`` (32 bytes), of the log ``origin``."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Return the three signed lines."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


@dataclass(frozen=True)
class Note:
    """A checkpoint with its signatures: ``(name, key id, signature)``."""

    checkpoint: Checkpoint
    signatures: tuple[tuple[str, bytes, bytes], ...] = ()

    def render(self) -> str:
        """Return the whole note as it is written to disk."""
        lines = [
            f"— {name} {base64.b64encode(key_id + signature).decode()}\n"
            for name, key_id, signature in self.signatures
        ]
        return self.checkpoint.text() + ("\n" + "".join(lines) if lines else "")


def parse_note(text: str, *, where: str = "checkpoint") -> Note:
    """Read a note, signed or not; raises AuditError unless it is just as :meth:`Note.render` writes it."""
    body, _, tail = text.partition("\n\n")
    lines = (body if tail else body.removesuffix("\n")).split("\n")
    try:
        origin, size, root = lines
        note = Note(
            Checkpoint(origin, int(size), base64.b64decode(root, validate=True)),
            tuple(_parse_signature(line) for line in tail.splitlines()),
        )
    except (ValueError, binascii.Error) as cause:
        raise AuditError(
            "is neither a checkpoint nor a file",
            where=where,
            expected="three lines: origin, size, root",
            got=repr(text[:60]),
        ) from cause
    if note.render() != text or len(note.checkpoint.root) != 32 or not note.checkpoint.origin:
        raise AuditError("is not written as a checkpoint is", where=where, mend="Compare with a kept copy.")
    return note


def parse_kept(text: str) -> Note:
    """Read a checkpoint that someone kept: the file, or the three lines as one (``audit anchor``).

    >>> root = base64.b64encode(bytes(32)).decode()
    >>> parse_kept(f"groundwire.audit/ab 7 {root}").checkpoint.size
    7
    """
    words = text.split()
    is_line = len(words) == 3 and "\n" not in text.strip()
    return parse_note("\n".join(words) + "\n" if is_line else text, where="the checkpoint you gave")


def _parse_signature(line: str) -> tuple[str, bytes, bytes]:
    dash, name, data = line.split(" ")
    raw = base64.b64decode(data, validate=True)
    if dash != "—" or len(raw) < 5:
        raise ValueError(line)
    return name, raw[:4], raw[4:]


@dataclass(frozen=True)
class PublicKey:
    """A verifier key: ``<name>+<key id, hex>+<base64(0x01, then 32 bytes)>``."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> bytes:
        """The first four bytes of SHA-256(name, line feed, 0x01, key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.raw).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(_ED25519 + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Read a verifier key; raises ConfigError."""
        try:
            name, key_id, data = text.strip().split("+", 2)
            raw = base64.b64decode(data, validate=True)
            key = cls(name, raw[1:])
            if raw[:1] != _ED25519 or len(raw) != 33 or key.key_id.hex() != key_id:
                raise ValueError(text)
        except (ValueError, binascii.Error) as cause:
            raise ConfigError(
                "is neither a public key nor a file",
                where="public key",
                expected="name+keyid+base64, as keygen prints it",
                got=repr(text[:60]),
            ) from cause
        return key

    def is_signed_by(self, note: Note) -> bool:
        """Say whether the note carries a good signature of this key."""
        message = note.checkpoint.text().encode()
        return any(
            name == self.name and key_id == self.key_id and self._is_good(signature, message)
            for name, key_id, signature in note.signatures
        )

    def _is_good(self, signature: bytes, message: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            _ed25519().Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, repr=False)
class Signer:
    """A signing key: ``PRIVATE+KEY+<name>+<key id>+<base64(0x01, then the 32-byte seed)>``."""

    name: str
    seed: bytes

    def _key(self) -> ed25519.Ed25519PrivateKey:
        return _ed25519().Ed25519PrivateKey.from_private_bytes(self.seed)  # type: ignore[no-any-return]

    @property
    def public_key(self) -> PublicKey:
        """The verifier key that belongs to this one."""
        return PublicKey(self.name, self._key().public_key().public_bytes_raw())

    def sign(self, checkpoint: Checkpoint) -> Note:
        """Return the checkpoint with one signature."""
        signature = self._key().sign(checkpoint.text().encode())
        return Note(checkpoint, ((self.name, self.public_key.key_id, signature),))

    def render(self) -> str:
        """Return the secret line that :meth:`parse` reads. Keep it out of the log's folder."""
        data = base64.b64encode(_ED25519 + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{self.public_key.key_id.hex()}+{data}"

    @classmethod
    def parse(cls, text: str) -> Signer:
        """Read a signing key; raises ConfigError (which never shows the key)."""
        try:
            private, word, name, _, data = text.strip().split("+", 4)
            raw = base64.b64decode(data, validate=True)
            if (private, word, raw[:1], len(raw)) != ("PRIVATE", "KEY", _ED25519, 33):
                raise ValueError
        except (ValueError, binascii.Error):
            raise ConfigError(
                "is not a signing key", where="signing key", expected="PRIVATE+KEY+…, as keygen writes it"
            ) from None
        return cls(name, raw[1:])

    @classmethod
    def read(cls, path: str | Path) -> Signer:
        """Read a signing key from a file; raises ConfigError or OSError."""
        return cls.parse(Path(path).read_text(encoding="utf-8"))

    @classmethod
    def generate(cls, name: str) -> Signer:
        """Make a new key. ``name`` has no spaces and no plus sign, by custom a host and path of yours."""
        if not _NAME.fullmatch(name):
            raise ConfigError("is not a key name", where="name", expected="no spaces, no '+'", got=repr(name))
        return cls(name, _ed25519().Ed25519PrivateKey.generate().private_bytes_raw())


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as missing:
        raise MissingExtraError.of("sign", module="cryptography") from missing
    return ed25519
