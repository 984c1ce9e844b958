"""``groundwire audit``: the log as evidence. Reading commands never change it; writing ones only append."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundwire.cli.output import Output, speaks
from groundwire.errors import ConfigError

if TYPE_CHECKING:
    from groundwire.audit.append import Writing
    from groundwire.audit.erase import Erasure

_FOLDER = click.argument("folder", metavar="AUDIT", type=click.Path(path_type=Path))
_ACTOR = click.option("--actor", default="groundwire", help="Who does this: recorded as typed, not proved.")
_SIGN = click.option(
    "--sign-key",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="GROUNDWIRE_SIGNING_KEY",
    help="Sign the new checkpoint with this key file (see keygen).",
)
_UNITS = {"d": 1, "w": 7, "y": 365}


@click.group("audit")
def command() -> None:
    """Verify, show, prove, export, erase: the log as evidence."""


# --- reading ------------------------------------------------------------------------------------------
@command.command("verify")
@_FOLDER
@click.option("--checkpoint", metavar="FILE|LINE", help="A checkpoint or anchor line that you kept.")
@click.option("--public-key", metavar="KEY|FILE", help="The writer's public key.")
@speaks
def verify(output: Output, folder: Path, checkpoint: str | None, public_key: str | None) -> int:
    """Check the whole log; say what is proved and what is not.

    Changes nothing. Exit codes: 0 intact, 1 changed, 2 unreadable, 3 incomplete (a torn last line, a run
    that is not finished).
    """
    from groundwire.audit import AuditLog
    from groundwire.audit.render import render_verification, verification_data

    log = AuditLog.open(folder)
    kept, key = _text_or_file(checkpoint), _text_or_file(public_key)
    with output.progress("verifying") as update:
        found = log.verify(checkpoint=kept, public_key=key, on_progress=update)
    output.result(render_verification(found, str(folder)), verification_data(found), schema="audit.verify")
    return found.exit_code


@command.command("show")
@_FOLDER
@click.argument("seq", type=click.IntRange(min=0))
@speaks
def show(output: Output, folder: Path, seq: int) -> int:
    """Print record SEQ: what was judged, how it came out, and on what evidence.

    The record, its links and its content are checked first; exit code 1 and a line that says so where
    they do not fit. `verify` checks the whole log.
    """
    from groundwire.audit import AuditLog
    from groundwire.audit.render import render_entry, render_problems
    from groundwire.audit.schema import Graded
    from groundwire.report import render_answer

    log = AuditLog.open(folder)
    entry = log.entry(seq)
    problems = log.problems([seq])
    text = "\n\n".join(filter(None, (render_problems(problems), render_entry(entry))))
    if isinstance(entry, Graded):
        text = f"{text}\n\n{render_answer(log.answer(entry), log.explained_grades(entry))}"
    content = log.content(entry.record_id) if isinstance(entry, Graded) else None
    data = {"record": log.line(seq), "content": content, "problems": problems.get(seq, [])}
    output.result(text, data, schema="audit.show")
    return 1 if problems else 0


@command.command("prove")
@_FOLDER
@click.argument("seq", type=click.IntRange(min=0), required=False)
@click.option("--from-size", type=click.IntRange(min=1), help="Prove that a log of this size only grew.")
@speaks
def prove(output: Output, folder: Path, seq: int | None, from_size: int | None) -> int:
    """Print a proof, as JSON, that record SEQ stands in the log of its newest checkpoint.

    The proof is all that a third party needs; FORMAT.md says how to check it. With --from-size instead of
    SEQ: that the log began as an earlier checkpoint of that size says.
    """
    import json

    from groundwire.audit import AuditLog
    from groundwire.audit.proof import prove as prove_record, prove_growth

    if (seq is None) == (from_size is None):
        raise click.UsageError("Name what to prove: a record's number SEQ, or --from-size.")
    log = AuditLog.open(folder)
    proof = prove_growth(log, from_size) if from_size is not None else prove_record(log, seq or 0)
    output.result(json.dumps(proof, ensure_ascii=False, indent=2), proof, schema="audit.proof")
    return 0


@command.command("anchor")
@_FOLDER
@click.option("--timestamp", metavar="URL", help="Also have this RFC 3161 authority stamp the checkpoint.")
@speaks
def anchor(output: Output, folder: Path, timestamp: str | None) -> int:
    """Print the log's head as one line, to keep where the writer can not change it.

    A ticket, a commit message, a mail, a job summary: `verify --checkpoint` takes the line back.
    """
    from groundwire.audit import AuditLog
    from groundwire.audit.proof import anchor_line

    log = AuditLog.open(folder)
    line = anchor_line(log)
    data: dict[str, Any] = {"line": line}
    if timestamp is not None:
        from groundwire.audit.stamp import stamp

        path = stamp(log, timestamp)
        data["timestamp"] = str(path)
        output.talk(f"{path}: a token of {timestamp}; keep it with the line")
    output.result(line, data, schema="audit.anchor")
    return 0


@command.command("schema")
@click.argument("name", type=click.Choice(["record", "content", "manifest"]), default="record")
@speaks
def schema(output: Output, name: str) -> int:
    """Print the published JSON Schema of a record, a content file or a manifest.

    With --json it stands under the key json_schema, as every command's result has a schema of its own.
    """
    import json

    from groundwire.audit.published import schema_bytes

    text = schema_bytes()[f"audit-{name}.v1.schema.json"].decode().removesuffix("\n")
    output.result(text, {"name": name, "json_schema": json.loads(text)}, schema="audit.schema")
    return 0


@command.command("keygen")
@click.argument("name")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="The secret key's new file."
)
@speaks
def keygen(output: Output, name: str, out: Path) -> int:
    """Make a key to sign checkpoints with; print its public half.

    NAME says whose it is, by custom a host and a path of yours: audit.example.com/rag. The secret file
    (mode 0600) goes to the writer only, and never into the log's folder.
    """
    from groundwire.audit import Signer

    signer = Signer.generate(name)
    handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(signer.render() + "\n")
    output.talk(f"{out}: the secret key; hand out the line below")
    output.result(str(signer.public_key), {"public_key": str(signer.public_key)}, schema="audit.keygen")
    return 0


# --- appending ----------------------------------------------------------------------------------------
@command.command("export")
@_FOLDER
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="A new or empty folder.")
@click.option("--where", multiple=True, metavar="NAME=VALUE", help="Only such records (and proofs for them).")
@click.option("--run", help="Only records that this run wrote.")
@click.option("--since", metavar="TIME", help="Only answers from this UTC date or time on.")
@click.option("--until", metavar="TIME", help="Only answers before this UTC date or time.")
@click.option("--with-content", is_flag=True, help="Texts too; the copy is then recorded in the log.")
@_ACTOR
@_SIGN
@speaks
def export(output: Output, folder: Path, out: Path, with_content: bool, actor: str, **options: Any) -> int:
    """Write a folder for a reviewer, who needs nothing of ours to check it.

    It begins with READ-ME-FIRST.txt and carries the log (or a selection with proofs), its checkpoint,
    a verify.py that needs Python alone, and a report to read.
    """
    from groundwire.audit.export import export as make

    where = _selector(options)
    bundle = make(
        folder,
        out,
        where=where,
        with_content=with_content,
        actor=actor,
        writing=_writing(options["sign_key"]),
    )
    texts = "with texts" if with_content else "without texts"
    text = (
        f"{out}: {bundle.answers} answers in {bundle.records} records, {texts}; begin with READ-ME-FIRST.txt"
    )
    data = {name: getattr(bundle, name) for name in bundle.__struct_fields__}
    output.result(text, data, schema="audit.export")
    return 0 if bundle.answers or where is None else 3


@command.command("erase")
@_FOLDER
@click.option("--record", "records", multiple=True, metavar="ID", help="A record id, or its beginning.")
@click.option("--trace", "traces", multiple=True, metavar="ID", help="All answers of a trace.")
@click.option("--subject", "subjects", multiple=True, metavar="ID", help="All answers to a person.")
@click.option("--fields", default="", metavar="A,B", help="Only these: question, answer, contexts, …")
@click.option("--reason", default="erasure_request", metavar="CODE", help="A code, never a sentence.")
@_ACTOR
@_SIGN
@speaks
def erase(output: Output, folder: Path, fields: str, sign_key: Path | None, **options: Any) -> int:
    """Erase texts for good; the log still verifies, and says what was erased.

    A person is named by the subject id (user.id) that the traces carry, keyed or not. Backups, the trace
    store and exported copies are out of reach; exports made with content are listed.
    """
    from groundwire.audit.erase import erase as do

    if not options["records"] and not options["traces"] and not options["subjects"]:
        raise click.UsageError("Name what to erase: --record, --trace or --subject.")
    names = tuple(name.strip() for name in fields.split(",") if name.strip())
    done = do(folder, fields=names, writing=_writing(sign_key), **options)
    return _report_erasure(output, folder, done, "audit.erase")


@command.command("retire")
@_FOLDER
@click.option("--older-than", required=True, metavar="AGE", help="180d, 26w, 7y: by the answers' own time.")
@click.option("--whole-segments", is_flag=True, help="Remove the records of old days too.")
@click.option("--reason", default="retention", metavar="CODE", help="A code, never a sentence.")
@_ACTOR
@_SIGN
@speaks
def retire(output: Output, folder: Path, older_than: str, sign_key: Path | None, **options: Any) -> int:
    """Erase the texts of old answers, as erase does; the records stay.

    With --whole-segments the records of whole days go too, from the oldest on; what is left still
    verifies, and says what went. How long logs must be kept is for you to know; COMPLIANCE.md lists
    what to look up.
    """
    from groundwire.audit.retire import retire as do

    done = do(folder, older_than=_age(older_than), writing=_writing(sign_key), **options)
    if done.segments:
        output.talk(f"{folder}: {done.segments} segments with {done.records} records removed")
    return _report_erasure(output, folder, done.erasure, "audit.retire")


@command.command("correct")
@_FOLDER
@click.option("--about", metavar="ID", help="The record that is meant: its id, or its beginning.")
@click.option("--reason", required=True, metavar="CODE", help="A code, never a sentence.")
@click.option("--comment", help="A sentence; lies apart from the log and can be erased.")
@_ACTOR
@_SIGN
@speaks
def correct(output: Output, folder: Path, sign_key: Path | None, **options: Any) -> int:
    """Append a correction; nothing that is there is changed."""
    from groundwire.audit.append import correct as do

    seq = do(folder, writing=_writing(sign_key), **options)
    return _report_append(output, folder, seq, options["actor"])


@command.command("review")
@_FOLDER
@click.argument("about", metavar="ID")
@click.option("--grade", required=True, help="The grade that is meant.")
@click.option("--outcome", required=True, metavar="OUTCOME", help="pass, fail, not_applicable or unknown.")
@click.option("--label", help="A label, as the grade has them.")
@click.option("--comment", help="A sentence; lies apart from the log and can be erased.")
@_ACTOR
@_SIGN
@speaks
def review(output: Output, folder: Path, about: str, sign_key: Path | None, **options: Any) -> int:
    """Append a person's verdict on a grade of the record ID."""
    from groundwire.audit.append import review as do

    seq = do(folder, about=about, writing=_writing(sign_key), **options)
    return _report_append(output, folder, seq, options["actor"])


# --- shared -------------------------------------------------------------------------------------------
def _report_append(output: Output, folder: Path, seq: int, actor: str) -> int:
    text = f"{folder}: record {seq} appended, by {actor} (as typed, not proved)"
    output.result(text, {"seq": seq}, schema="audit.append")
    return 0


def _report_erasure(output: Output, folder: Path, done: Erasure, schema: str) -> int:
    from groundwire.audit import AuditLog

    log = AuditLog.open(folder)
    records = "1 record" if done.records == 1 else f"{done.records} records"
    lines = [f"{folder}: content of {records} erased"]
    if done.seqs:
        lines[0] += f", as record {', '.join(map(str, done.seqs))} says"
    if done.orphans:
        lines.append(f"  and {done.orphans} texts that a killed run had left")
    copies = [(log.content(copy.record_id) or {}).get("place") or "unknown place" for copy in done.copies]
    if done.records:
        lines += [f"  a copy with texts was exported to {place}: erase it there too" for place in copies]
    data = {"records": done.records, "seqs": list(done.seqs), "orphans": done.orphans, "copies": copies}
    output.result("\n".join(lines), data, schema=schema)
    if done.records:
        output.talk("Out of reach: backups, the trace store, caches elsewhere, blocks that a disk keeps.")
    return 0


def _selector(options: dict[str, Any]) -> Callable[[Any], bool] | None:
    from groundwire.audit.selector import parse_selector

    where, bounds = options["where"], {name: options[name] for name in ("run", "since", "until")}
    return parse_selector(where, **bounds) if where or any(bounds.values()) else None


def _writing(sign_key: Path | None) -> Writing:
    from groundwire.audit import Signer
    from groundwire.audit.append import Writing

    if sign_key is None:
        return Writing()
    return Writing(signer=Signer.read(sign_key))


def _age(text: str) -> timedelta:
    match = re.fullmatch(r"(\d{1,5})([dwy])", text)
    if match is None:
        raise ConfigError("is no age", where="--older-than", expected="180d, 26w or 7y", got=repr(text))
    return timedelta(days=int(match[1]) * _UNITS[match[2]])


def _text_or_file(value: str | None) -> str | None:
    if value is None or not Path(value).is_file():
        return value
    return Path(value).read_text(encoding="utf-8")
