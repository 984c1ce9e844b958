"""Langfuse's OpenAI client over the provider's own search."""

import os

from common import MODEL_URL, STUB

os.environ.update(
    LANGFUSE_PUBLIC_KEY="pk", LANGFUSE_SECRET_KEY="sk", LANGFUSE_HOST=STUB, LANGFUSE_BASE_URL=STUB
)

from file_search import ask
from langfuse import get_client
from langfuse.openai import OpenAI

assert ask(OpenAI(api_key="none", base_url=MODEL_URL)).output_text
get_client().flush()
get_client().shutdown()
