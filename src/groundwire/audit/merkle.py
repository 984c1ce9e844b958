"""The Merkle tree of RFC 6962: a root for n records, and short proofs about it. Bytes in, bytes out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from groundwire.audit.digests import node_hash

EMPTY_ROOT = hashlib.sha256(b"").digest()


class Tree:
    """A growing tree in O(log n) memory: only the roots of its complete subtrees are kept.

    >>> tree = Tree()
    >>> tree.append(hashlib.sha256(b"\\0").digest())
    >>> tree.root().hex()[:8], tree.size
    ('6e340b9c', 1)
    """

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        """Start empty, or from the ``peaks`` of an earlier tree of ``size`` leaves (left to right)."""
        self.size = size
        self.peaks = list(peaks)

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash."""
        self.peaks.append(leaf)
        self.size += 1
        size = self.size
        while size & 1 == 0:
            right = self.peaks.pop()
            self.peaks[-1] = node_hash(self.peaks[-1], right)
            size >>= 1

    def root(self) -> bytes:
        """Return the root over all leaves so far."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = node_hash(peak, root)
        return root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes."""
    tree = Tree()
    for leaf in leaves:
        tree.append(leaf)
    return tree.root()


def inclusion_proof(
    leaves: Sequence[bytes], index: int, *, before: int = 0, peaks: Sequence[bytes] = ()
) -> list[bytes]:
    """Return the audit path of the leaf at ``index`` (0-based), leaf to root.

    ``leaves`` are those from number ``before`` on; ``peaks`` are the subtree roots of the first
    ``before`` ones (see :class:`Tree`), which is all that a proof of a later leaf needs of them.
    """
    low, high = 0, before + len(leaves)
    if not before <= index < high:
        raise IndexError(f"no leaf {index} from {before} to {high - 1}")
    known = _places(before, peaks)
    path = []
    while high - low > 1:
        split = low + _split(high - low)
        sibling = (split, high) if index < split else (low, split)
        low, high = (low, split) if index < split else (split, high)
        path.append(_range_root(*sibling, leaves, before, known))
    return path[::-1]


def _range_root(
    low: int, high: int, leaves: Sequence[bytes], before: int, known: dict[tuple[int, int], bytes]
) -> bytes:
    """Return the root over leaves ``low`` to ``high``, of which the first may be known by a peak only."""
    if low >= before:
        return root_of(leaves[low - before : high - before])
    if (low, high) in known:
        return known[low, high]
    split = low + _split(high - low)
    left = _range_root(low, split, leaves, before, known)
    return node_hash(left, _range_root(split, high, leaves, before, known))


def _places(size: int, peaks: Sequence[bytes]) -> dict[tuple[int, int], bytes]:
    """Return which leaves, from and up to, each peak stands for."""
    places, at = {}, 0
    for peak in peaks:
        width = 1 << ((size - at).bit_length() - 1)
        places[at, at + width] = peak
        at += width
    return places


def consistency_proof(leaves: Sequence[bytes], size: int) -> list[bytes]:
    """Return the proof that the tree over the first ``size`` leaves is a prefix of the whole."""
    if not 0 < size <= len(leaves):
        raise IndexError(f"no tree of size {size} in one of {len(leaves)}")
    return _subproof(leaves, size, whole=True)


def _subproof(leaves: Sequence[bytes], size: int, *, whole: bool) -> list[bytes]:
    if size == len(leaves):
        return [] if whole else [root_of(leaves)]
    split = _split(len(leaves))
    if size <= split:
        return [*_subproof(leaves[:split], size, whole=whole), root_of(leaves[split:])]
    return [*_subproof(leaves[split:], size - split, whole=False), root_of(leaves[:split])]


def _split(count: int) -> int:
    return 1 << ((count - 1).bit_length() - 1)


def root_from_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """Return the root that an inclusion proof leads to (RFC 9162 §2.1.3.2), None if it does not fit."""
    if not 0 <= index < size:
        return None
    at, last, node = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            node = node_hash(sibling, node)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        at, last = at >> 1, last >> 1
    return node if last == 0 else None


def is_consistent(size1: int, root1: bytes, size2: int, root2: bytes, proof: Sequence[bytes]) -> bool:
    """Say whether ``proof`` shows that tree 1 is a prefix of tree 2 (RFC 9162 §2.1.4.2)."""
    if size1 == size2:
        return not proof and root1 == root2
    if not 0 < size1 < size2 or not proof:
        return False
    path = list(proof) if size1 & (size1 - 1) else [root1, *proof]
    at, last = size1 - 1, size2 - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while at & 1 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and old == root1 and new == root2
