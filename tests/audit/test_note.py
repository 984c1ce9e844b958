import base64

import pytest
from hypothesis import given, strategies as st

from groundwire.audit.digests import leaf_hash
from groundwire.audit.merkle import root_of
from groundwire.audit.note import Checkpoint, Note, PublicKey, Signer, parse_kept, parse_note
from groundwire.errors import AuditError, ConfigError

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
NAME = "example.com/groundwire-test"
HEAD = Checkpoint(NAME, 8, root_of([leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]))


def test_the_key_of_rfc_8032():
    """The seed of test 1 gives its public key, written as a verifier key."""
    key = Signer(NAME, SEED).public_key
    assert key.raw.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert str(key) == f"{NAME}+07c0f3da+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"


def test_the_signed_checkpoint_of_the_published_vector():
    """Root line and signature line come out as published."""
    lines = Signer(NAME, SEED).sign(HEAD).render().splitlines()
    signature = "B8Dz2gRLyWiJaon9F2LzylnJygWSk71mv+xhRBP9slq1Sm0XNB/fl7I4zvKavmmSV8Txm4k12L+e/H6HodDodTn9Tgc="
    assert lines == [NAME, "8", "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=", "", f"— {NAME} {signature}"]


def test_a_signature_is_checked():
    """It holds for this checkpoint and this key only."""
    note, key = Signer(NAME, SEED).sign(HEAD), Signer(NAME, SEED).public_key
    assert key.is_signed_by(note)
    assert not key.is_signed_by(Note(Checkpoint(NAME, 9, HEAD.root), note.signatures))
    assert not Signer(NAME, bytes(32)).public_key.is_signed_by(note)
    assert not key.is_signed_by(Note(HEAD))


def test_keys_are_read_back():
    """What keygen writes, the tools read; a damaged key is refused and never shown."""
    signer = Signer.generate("a.example/log")
    assert Signer.parse(signer.render() + "\n") == signer
    assert PublicKey.parse(str(signer.public_key)) == signer.public_key
    with pytest.raises(ConfigError) as refused:
        Signer.parse(signer.render()[:-4])
    assert signer.render()[-20:-8] not in str(refused.value)
    with pytest.raises(ConfigError):
        PublicKey.parse(str(signer.public_key).replace("+", "+0", 1))
    with pytest.raises(ConfigError, match="key name"):
        Signer.generate("with space")


@given(
    st.text(st.characters(exclude_categories=["Cs", "C", "Z"]), min_size=1),
    st.integers(0, 2**53),
    st.binary(min_size=32, max_size=32),
)
def test_notes_are_read_as_written(origin, size, root):
    """Any checkpoint comes back from its text, signed or not, from the file or from one line."""
    head = Checkpoint(origin, size, root)
    assert parse_note(Note(head).render()) == Note(head)
    signed = Note(head, (("name", b"1234", bytes(64)),))
    assert parse_note(signed.render()) == signed
    assert parse_kept(head.text().replace("\n", " ")) == Note(head)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        "a\nx\nAAAA\n",
        "a\n1\nAAAA\n",
        f"a\n01\n{base64.b64encode(bytes(32)).decode()}\n",
        "a b c",
        "a\n" * 9,
    ],
)
def test_what_is_no_checkpoint_is_refused(text):
    """Each with an error, none with a guess."""
    with pytest.raises(AuditError):
        parse_kept(text)
