"""Langfuse's LangChain callback over an agent, or over a chain where the environment says so."""

import os

from common import QUESTION, STUB

os.environ.update(
    LANGFUSE_PUBLIC_KEY="pk", LANGFUSE_SECRET_KEY="sk", LANGFUSE_HOST=STUB, LANGFUSE_BASE_URL=STUB
)

from langfuse import get_client
from langfuse.langchain import CallbackHandler

callbacks = [CallbackHandler()]
if os.environ["RUNS"] == "chain":
    from chain import build

    assert build().invoke(QUESTION, config={"callbacks": callbacks})
else:
    from agent import run

    assert run(callbacks=callbacks)
get_client().flush()
get_client().shutdown()
