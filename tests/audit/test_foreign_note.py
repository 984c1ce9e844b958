"""Signed checkpoints as Go's own implementation of signed notes reads them.

Needs Go and its module golang.org/x/mod; skips where either is missing:
``go mod download golang.org/x/mod@v0.22.0`` in any module.
"""

import shutil
import subprocess

import pytest

from audit.samples import answer, write_log
from groundwire.audit import Signer

PROGRAM = """
package main

import (
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
)

func main() {
	data, _ := os.ReadFile(os.Args[1])
	verifier, err := note.NewVerifier(os.Args[2])
	if err != nil {
		fmt.Println("key:", err)
		os.Exit(1)
	}
	opened, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		fmt.Println("note:", err)
		os.Exit(1)
	}
	fmt.Print(opened.Text)
}
"""
MODULE = "module check\n\ngo 1.21\n\nrequire golang.org/x/mod v0.22.0\n"


@pytest.fixture(scope="module")
def opener(tmp_path_factory):
    """A small Go program that opens a note with a verifier key."""
    if shutil.which("go") is None:
        pytest.skip("no Go here: https://go.dev/dl/")
    folder = tmp_path_factory.mktemp("go")
    (folder / "go.mod").write_text(MODULE)
    (folder / "main.go").write_text(PROGRAM)
    command = ["go", "build", "-mod=mod", "-o", "opener", "."]
    try:
        built = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("Go found no module proxy")
    if built.returncode:
        pytest.skip("golang.org/x/mod is not here: go mod download golang.org/x/mod@v0.22.0")
    return folder / "opener"


def test_go_opens_our_signed_checkpoint(opener, tmp_path):
    """Key, note and signature are those of the C2SP formats, not of our own."""
    signer = Signer("example.com/log", bytes(range(32)))
    write_log(tmp_path, map(answer, range(3)), signer=signer)
    command = [opener, tmp_path / "checkpoint", str(signer.public_key)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "5")


def test_go_refuses_a_changed_checkpoint(opener, tmp_path):
    """And so does it find what was changed."""
    signer = Signer("example.com/log", bytes(range(32)))
    write_log(tmp_path, [answer()], signer=signer)
    path = tmp_path / "checkpoint"
    path.write_text(path.read_text().replace("\n3\n", "\n4\n"))
    command = [opener, path, str(signer.public_key)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
