"""A TruLens app of decorated methods over the OpenAI client, exported by its own OTLP exporter."""

import os

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client

os.environ.update(TRULENS_OTEL_TRACING="1", OPENAI_API_KEY="none")  # without a key no costs are counted

from trulens.apps.app import TruApp
from trulens.core import TruSession
from trulens.core.otel.instrument import instrument
from trulens.otel.semconv.trace import SpanAttributes

session = TruSession(otel_exporter="otlp", otlp_endpoint=f"{STUB}/v1/traces", otlp_protocol="http/protobuf")


class App:
    @instrument(
        span_type=SpanAttributes.SpanType.RETRIEVAL,
        attributes={
            SpanAttributes.RETRIEVAL.QUERY_TEXT: "question",
            SpanAttributes.RETRIEVAL.RETRIEVED_CONTEXTS: "return",
        },
    )
    def retrieve(self, question):
        return [d["text"] for d in DOCUMENTS]

    @instrument(span_type=SpanAttributes.SpanType.GENERATION)
    def generate(self, question):
        return (
            client()
            .chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
            .choices[0]
            .message.content
        )

    @instrument()
    def ask(self, question):
        self.retrieve(question)
        return self.generate(question)


app = App()
with TruApp(app, app_name="flow", app_version="1", main_method=app.ask):
    app.ask(QUESTION)
session.force_flush()
