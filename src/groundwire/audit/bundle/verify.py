#!/usr/bin/env python3
"""Checks an exported groundwire audit log. Needs Python 3.9 or newer and nothing else; changes nothing.

    python3 verify.py [--checkpoint FILE] [--public-key KEY] [FOLDER]

FOLDER is the folder this file lies in unless you name another. Exit code 0: everything that was checked
fits. 1: something was changed. 2: it can not be read. 3: it fits, but does not end as it should.

What is checked, and how you could write this script yourself, stands in FORMAT.md beside this file.
"""

# ruff: noqa: T201, B905, RUF005
# mypy: disable-error-code="no-untyped-def, no-untyped-call, var-annotated, arg-type, index, has-type"

import argparse
import base64
import hashlib
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

RECORD, COMMIT = b"groundwire/record/v1\0", b"groundwire/commit/v1\0"
CONTENT = "groundwire.audit.content/v1"
problems = []


def bad(where, what):
    """Note one thing that does not fit; what could steer a terminal is written as its code."""
    shown = (one if one.isprintable() else f"<{ord(one):x}>" for one in f"{where}: {what}")
    problems.append("".join(shown))


# --- canonical JSON, RFC 8785 ----------------------------------------------------------------------------
def canonical(value):
    """Return the canonical text of a JSON value."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"


def number(value):
    """Return a real as ECMAScript prints it."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + int(exponent)
    if len(text) <= point <= 21:
        text = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
        text = f"{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return "-" + text if sign else text


def read_json(data):
    """Parse JSON; a key that comes twice is an error."""

    def no_twins(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key comes twice")
        return dict(pairs)

    return json.loads(data, object_pairs_hook=no_twins)


def is_canonical(value, data):
    """Say whether data are the canonical bytes of value."""
    return canonical(value).encode("utf-8", "surrogatepass") == data


# --- the Merkle tree, RFC 6962 ---------------------------------------------------------------------------
def leaf(line):
    """Return the hash of a record's line."""
    return hashlib.sha256(b"\0" + line).digest()


def node(left, right):
    """Return the hash of two subtrees."""
    return hashlib.sha256(b"\1" + left + right).digest()


def fold(peaks):
    """Return the root over complete subtrees, largest first."""
    if not peaks:
        return hashlib.sha256(b"").digest()
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node(peak, root)
    return root


def push(peaks, size, item):
    """Add a leaf; size counts it already."""
    peaks.append(item)
    while size % 2 == 0:
        right = peaks.pop()
        peaks[-1] = node(peaks[-1], right)
        size //= 2


def root_from_proof(item, index, size, proof):
    """Return the root that a proof of inclusion leads to, None if it does not fit."""
    last = size - 1
    for sibling in proof:
        if last == 0:
            return None
        if index % 2 or index == last:
            item = node(sibling, item)
            while index % 2 == 0 and index:
                index, last = index // 2, last // 2
        else:
            item = node(item, sibling)
        index, last = index // 2, last // 2
    return item if last == 0 else None


# --- checkpoints -----------------------------------------------------------------------------------------
def read_checkpoint(text):
    """Return (origin, size, root, signed text, signature lines) of a checkpoint or an anchor line."""
    words = text.split()
    if len(words) == 3 and "\n" not in text.strip():
        text = "\n".join(words) + "\n"
    signed, _, tail = text.partition("\n\n")
    origin, size, root = signed.rstrip("\n").split("\n")
    root, signed = base64.b64decode(root, validate=True), signed.rstrip("\n") + "\n"
    return origin, int(size), root, signed, tail.splitlines()


P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(a, b):
    """Add two points of edwards25519 (extended coordinates)."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e, f = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    g, h = 2 * D * t1 * t2, 2 * z1 * z2
    w, x, y, z = f - e, h - g, h + g, f + e
    return w * x % P, y * z % P, x * y % P, w * z % P


def times(scalar, point):
    """Multiply a point."""
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def read_point(data):
    """Decode a point; raises ValueError."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point")
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


BASE = read_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signature(key, message, signature):
    """Check an Ed25519 signature (RFC 8032)."""
    try:
        a, r = read_point(key), read_point(signature[:32])
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, BASE), add(r, times(k, a))
    same = (left[0] * right[2] - right[0] * left[2]) % P or (left[1] * right[2] - right[1] * left[2]) % P
    return len(signature) == 64 and s < L and not same


def is_signed(signed, lines, key_text):
    """Say whether one of the signature lines is a good one of the key."""
    name, key_id, data = key_text.strip().split("+", 2)
    key = base64.b64decode(data, validate=True)[1:]
    for line in lines:
        _, signer, raw = line.split(" ")
        raw = base64.b64decode(raw, validate=True)
        if signer == name and raw[:4].hex() == key_id and is_signature(key, signed.encode(), raw[4:]):
            return True
    return False


# --- records ---------------------------------------------------------------------------------------------
def check_record(seq, line, prev, seen):
    """Check one line; return its hash."""
    try:
        record = read_json(line)
        if not is_canonical(record, line):
            bad(f"record {seq}", "is not canonical JSON")
    except ValueError as error:
        bad(f"record {seq}", f"is not JSON ({error})")
        return None
    declared = record.pop("hash", None)
    digest = hashlib.sha256(RECORD + canonical(record).encode()).hexdigest()
    if declared != digest:
        bad(f"record {seq}", "was changed: its hash does not fit its bytes")
    if prev is not None and record.get("prev") != prev:
        bad(f"record {seq}", "does not follow the one before it")
    if record.get("seq") != seq:
        bad(f"record {seq}", "has another number")
    seen.append(record)
    return digest


def find_start(folder):
    """Return (hash before, number, peaks, origin) of the first record: not 0 where segments were retired."""
    lines = [line for path in segments(folder) for line in path.open("rb") if line.endswith(b"\n")]
    size = read_json(lines[0])["seq"] if lines else 0
    for line in lines if size else []:
        record = read_json(line)
        if record.get("type") == "retired" and record["size"] == size:
            return (
                record["last_hash"],
                size,
                [bytes.fromhex(peak) for peak in record["peaks"]],
                record["origin"],
            )
    if size:
        bad("record 0", f"and those up to {size} are gone, and no record says why")
    return "0" * 64, 0, [], ""


def segments(folder):
    """Return the files with records, in order."""
    return sorted(folder.glob("records-*.jsonl")) + [folder / "records.jsonl"]


def check_chain(folder, heads, look):
    """Check a whole log: chain and root. Return (number of records, torn)."""
    prev, size, peaks, name = find_start(folder)
    for where in [where for where in heads if heads[where][1] < size]:
        print(f"{where} is older than what is left of the log")
        heads.pop(where)
    for path in segments(folder):
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return size, True
                seen = []
                prev = check_record(size, line[:-1], prev, seen)
                size, name = size + 1, name or f"groundwire.audit/{(prev or '?')[:32]}"
                push(peaks, size, leaf(line[:-1]))
                for where in [where for where in heads if heads[where][1] == size]:
                    origin, _, root = heads.pop(where)[:3]
                    if root != fold(peaks):
                        bad(where, f"the first {size} records are not its own")
                    if origin != name:
                        bad(where, "is of another log")
                for record in seen:
                    look(record)
    for where, head in heads.items():
        bad(where, f"counts {head[1]} records, here are {size}")
    return size, False


def check_subset(folder, head, look):
    """Check single records of a log, each by its proof of inclusion. Return how many there are."""
    with (folder / "records.jsonl").open("rb") as lines, (folder / "proofs.jsonl").open("rb") as proofs:
        lines, proofs = lines.read().splitlines(), proofs.read().splitlines()
    if len(lines) != len(proofs):
        bad("proofs.jsonl", f"{len(proofs)} proofs for {len(lines)} records")
    name = ""
    for line, text in zip(lines, proofs):
        proof, seen = read_json(text), []
        digest = check_record(proof["seq"], line, None, seen) or ""
        if proof["seq"] == 0:
            name = f"groundwire.audit/{digest[:32]}"
        name = name or "".join(record.get("origin", "") for record in seen)
        path = [bytes.fromhex(item) for item in proof["proof"]]
        if root_from_proof(leaf(line), proof["seq"], head[1], path) != head[2]:
            bad(f"record {proof['seq']}", "is not in the log of the checkpoint")
        for record in seen:
            look(record)
    if head[0] != name:
        bad("checkpoint", "is not of the log whose first record is here")
    return len(lines)


# --- what the records point at ---------------------------------------------------------------------------
class Content:
    """Checks manifests and content files as the records come by."""

    def __init__(self, folder):
        self.folder, self.is_here = folder, (folder / "content").is_dir()
        self.checked = self.erased = self.manifests = self.elsewhere = 0
        self.missing, self.open_run = {}, None

    def look(self, record):
        """Follow what one record points at."""
        kind = record.get("type")
        if kind == "run_started":
            self.open_run = record["run_id"]
            self.check_manifest(record)
        elif kind == "run_finished":
            self.open_run = None
        elif kind == "erased":
            for target in record["targets"]:
                self.explain(target["record_id"], set(target["fields"]))
        slots = {}
        for name, slot in record.get("inputs", {}).items():
            many = isinstance(slot, list)
            slots.update({f"{name}.{i}": s for i, s in enumerate(slot)} if many else {name: slot})
        slots.update({name: record[name] for name in ("comment", "place") if name in record})
        self.check_file(record.get("record_id"), slots)

    def check_manifest(self, record):
        """Compare a run's manifest with the digest in its first record."""
        run_id = record["run_id"]
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", run_id):
            return bad("manifests", "a run id that is none")
        path = self.folder / "manifests" / f"{run_id}.json"
        data = path.read_bytes() if path.is_file() else None
        if data is None or hashlib.sha256(data).hexdigest() != record["manifest"]["commit"]:
            return bad(f"manifests/{run_id}.json", "is missing or was changed")
        self.manifests += 1
        manifest = read_json(data)
        slots = {name: manifest[name] for name in ("config", "command", "selector") if name in manifest}
        for index, item in enumerate(manifest.get("inputs", [])):
            slots[f"inputs.{index}"] = item["name"]
        return self.check_file(hashlib.sha256(b"groundwire/run/v1\0" + run_id.encode()).hexdigest(), slots)

    def check_file(self, name, slots):
        """Compare a content file with the commitments to its fields."""
        slots = {
            field: slot["commit"] for field, slot in slots.items() if slot.get("alg") == "sha256-salted/v1"
        }
        if not slots or not re.fullmatch("[0-9a-f]{64}", str(name)):
            return
        if not self.is_here:
            self.elsewhere += 1
            return
        path = self.folder / "content" / name[:2] / f"{name}.json"
        fields = self.read_fields(path) if path.is_file() else {}
        for field, item in fields.items():
            opened = canonical([field, item["value"]]).encode("utf-8", "surrogatepass")
            commit = hashlib.sha256(COMMIT + bytes.fromhex(item["salt"]) + opened).hexdigest()
            if commit != slots.get(field):
                bad(f"content {name[:12]}", f"{field} is not what was graded")
        if set(slots) - set(fields):
            self.missing[name] = set(slots) - set(fields)
        else:
            self.checked += 1

    def read_fields(self, path):
        """Return the fields of a content file."""
        data = path.read_bytes()
        try:
            file = read_json(data)
            if not is_canonical(file, data[:-1]) or data[-1:] != b"\n" or file["schema"] != CONTENT:
                raise ValueError
            return file["fields"]
        except (ValueError, KeyError):
            bad(f"content {path.stem[:12]}", "is not as it was written")
            return {}

    def explain(self, name, fields):
        """Take an erasure as the reason why content is missing."""
        if name in self.missing:
            self.missing[name] -= fields
            if not self.missing[name]:
                del self.missing[name]
                self.erased += 1


def main():
    """Check and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=str(Path(__file__).resolve().parent))
    parser.add_argument("--checkpoint", help="a checkpoint, or an anchor line, that you kept yourself")
    parser.add_argument("--public-key", help="the writer's public key: name+id+base64")
    options = parser.parse_args()
    folder = Path(options.folder)
    own = read_checkpoint((folder / "checkpoint").read_text(encoding="utf-8"))
    kept = (
        read_checkpoint(Path(options.checkpoint).read_text(encoding="utf-8")) if options.checkpoint else None
    )
    content, torn = Content(folder), False
    is_subset = (folder / "proofs.jsonl").exists()
    if is_subset:
        size = check_subset(folder, own, content.look)
        if kept and kept[1:3] != own[1:3]:
            bad(
                "your checkpoint",
                "is not the one these proofs lead to; ask for: groundwire audit prove LOG --from-size",
            )
    else:
        heads = {"checkpoint": own, **({"your checkpoint": kept} if kept else {})}
        size, torn = check_chain(folder, heads, content.look)
    for name in content.missing:
        bad(f"content {name[:12]}", "is missing, and no erasure explains it")
    if options.public_key and not is_signed(own[3], own[4], options.public_key):
        bad("checkpoint", "is not signed by this key")
    return report(options, own, kept, size, torn, content, is_subset)


def say(is_proved, what):
    """Print one claim."""
    print(f"{'PROVED' if is_proved else 'NOT PROVED':<11} {what}")


def report(options, own, kept, size, torn, content, is_subset):
    """Print what was found; return the exit code."""
    print(f"{size} records, {content.manifests} manifests, {content.checked} content files checked")
    print(f"{content.erased} erased on purpose, {content.elsewhere} whose content is not in this copy")
    for problem in problems[:20]:
        print(f"  {problem}")
    if problems:
        print(f"CHANGED: {len(problems)} things do not fit")
        return 1
    relation = "are part of" if is_subset else "are"
    say(True, "these records are unchanged since they were written")
    say(True, f"they {relation} the log of size {own[1]} in the file `checkpoint`")
    say(content.checked, "the texts in content/ are those that were graded")
    if kept:
        say(True, f"records 0 to {kept[1] - 1} are those of your checkpoint: none cut off or rewritten")
    else:
        say(False, "that nothing was cut off or rewritten (compare with a checkpoint of yours)")
    say(options.public_key, "who wrote it")
    say(False, "when, that every answer is in here, that the grades are right")
    if torn or size == 0 or (content.open_run and not is_subset):
        print("INCOMPLETE: " + ("the last run is not finished" if size else "there is no record"))
        return 3
    print("INTACT")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, AttributeError, LookupError, ValueError, TypeError) as error:
        print(f"can not be read: {error!r}")
        sys.exit(2)
