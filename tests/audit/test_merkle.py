import hashlib

import pytest
from hypothesis import given, strategies as st

from groundwire.audit.digests import leaf_hash
from groundwire.audit.merkle import (
    Tree,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    root_from_inclusion,
    root_of,
)  # fmt: skip

LEAVES = [
    leaf_hash(bytes.fromhex(text))
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = """
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
""".split()


@pytest.mark.parametrize("size", range(9))
def test_roots_of_the_published_vectors(size):
    """The tree is RFC 6962's: its published roots come out, at once and leaf by leaf."""
    assert root_of(LEAVES[:size]).hex() == ROOTS[size]


def test_inclusion_proofs_of_the_published_vectors():
    """The audit paths of RFC 6962 come out."""
    assert [node.hex() for node in inclusion_proof(LEAVES, 5)] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    assert [node.hex() for node in inclusion_proof(LEAVES[:3], 2)] == [ROOTS[2]]


def test_consistency_proofs_of_the_published_vectors():
    """The consistency proofs of RFC 6962 come out; a tree needs none with itself."""
    assert [node.hex() for node in consistency_proof(LEAVES, 6)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    assert [node.hex() for node in consistency_proof(LEAVES[:5], 2)] == [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ]
    assert consistency_proof(LEAVES, 8) == []


@given(st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1))))
def test_every_leaf_is_proved_and_no_other(case):
    """A proof of inclusion leads to the root from its own leaf and place only."""
    size, index = case
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(size)]
    proof, root = inclusion_proof(leaves, index), root_of(leaves)
    assert root_from_inclusion(leaves[index], index, size, proof) == root
    assert root_from_inclusion(b"\0" * 32, index, size, proof) != root
    assert size == 1 or root_from_inclusion(leaves[index], (index + 1) % size, size, proof) != root


@given(st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(1, size))))
def test_every_prefix_is_proved_and_no_other(case):
    """A proof of consistency holds for the true roots only."""
    size, part = case
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(size)]
    proof, old, new = consistency_proof(leaves, part), root_of(leaves[:part]), root_of(leaves)
    assert is_consistent(part, old, size, new, proof)
    assert not is_consistent(part, b"\0" * 32, size, new, proof)
    assert not is_consistent(part, old, size, b"\0" * 32, proof)


@given(
    st.integers(1, 40).flatmap(
        lambda size: st.tuples(st.just(size), st.integers(0, size - 1), st.integers(0, size - 1))
    )
)
def test_a_proof_needs_only_the_peaks_of_what_is_gone(case):
    """Of leaves that were retired their peaks are enough to prove any later leaf."""
    size, one, other = case
    before, index = min(one, other), max(one, other)
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(size)]
    tree = Tree()
    for leaf in leaves[:before]:
        tree.append(leaf)
    proof = inclusion_proof(leaves[before:], index, before=before, peaks=tree.peaks)
    assert proof == inclusion_proof(leaves, index)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_tree_goes_on_from_its_peaks(first, more):
    """The peaks of a tree are all that is needed to go on."""
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(first + more)]
    tree = Tree()
    for leaf in leaves[:first]:
        tree.append(leaf)
    later = Tree(tree.size, tree.peaks)
    for leaf in leaves[first:]:
        later.append(leaf)
    assert later.root() == root_of(leaves)
