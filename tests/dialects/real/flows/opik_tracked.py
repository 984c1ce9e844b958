"""Opik's decorator and OpenAI client; then its own command exports the project's traces to files."""

import os
import subprocess
import sys
from pathlib import Path

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client

os.environ.update(
    OPIK_URL_OVERRIDE=f"{STUB}/api", OPIK_SENTRY_ENABLE="false", OPIK_PROJECT_NAME="flow",
    OPIK_WORKSPACE="default",
)  # fmt: skip

import opik
from opik.integrations.openai import track_openai


@opik.track(type="tool")
def retrieve(question):
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


@opik.track
def ask(question):
    retrieve(question)
    model = track_openai(client())
    return model.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
opik.flush_tracker()
command = [str(Path(sys.executable).parent / "opik"), "export", "default", "flow", "traces"]
subprocess.run([*command, "--path", os.environ["OUT"]], check=True)
