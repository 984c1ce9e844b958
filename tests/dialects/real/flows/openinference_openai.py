"""OpenInference's OpenAI instrumentation under a hand-written retriever span, with a stream."""

from common import DOCUMENTS, MESSAGES, QUESTION, client, tracer_provider
from openinference.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = provider.get_tracer("app")
with tracer.start_as_current_span("ask"):
    with tracer.start_as_current_span("retrieve") as span:
        span.set_attribute("openinference.span.kind", "RETRIEVER")
        span.set_attribute("input.value", QUESTION)
        for i, document in enumerate(DOCUMENTS):
            span.set_attribute(f"retrieval.documents.{i}.document.id", document["id"])
            span.set_attribute(f"retrieval.documents.{i}.document.content", document["text"])
            span.set_attribute(f"retrieval.documents.{i}.document.score", document["score"])
    stream = client().chat.completions.create(
        model="gpt-4o-mini", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
    )
    assert "".join(c.choices[0].delta.content or "" for c in stream if c.choices)
provider.shutdown()
