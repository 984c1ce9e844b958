"""The wheel without extras: decorating works and loads nothing of the offline side."""

import subprocess
import sys

import groundwire
from groundwire import instrument


@instrument
def answer(question: str) -> str:
    return question.upper()


assert answer("ok") == "OK"
loaded = {name.split(".")[0] for name in sys.modules}
assert not loaded & {"pydantic", "msgspec", "click", "rich", "grpc"}, loaded
assert not any(name.startswith("opentelemetry.sdk") for name in sys.modules)
try:
    groundwire.RagRecord  # noqa: B018 - the access itself must raise
except groundwire.MissingExtraError as error:
    print(error)
else:
    raise SystemExit("RagRecord must ask for [score]")
demo = [sys.executable, "-m", "groundwire", "demo"]
run = subprocess.run(demo, capture_output=True, text=True, check=False)
assert run.returncode == 2 and "pip install 'groundwire[score]'" in run.stderr, run
print("bare import: ok")
