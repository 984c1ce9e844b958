"""A TruLens app of decorated methods over the OpenAI client, exported by its own OTLP exporter.

Its retriever returns texts or mappings, as the environment says; the contexts are texts all the same.
"""

import os

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client

os.environ.update(TRULENS_OTEL_TRACING="1", OPENAI_API_KEY="none")  # without a key no costs are counted

from trulens.apps.app import TruApp
from trulens.core import TruSession
from trulens.core.otel.instrument import instrument
from trulens.otel.semconv.trace import SpanAttributes

session = TruSession(otel_exporter="otlp", otlp_endpoint=f"{STUB}/v1/traces", otlp_protocol="http/protobuf")


def name_contexts(found, exception, *args, **kwargs):
    return {
        SpanAttributes.RETRIEVAL.QUERY_TEXT: args[1],
        SpanAttributes.RETRIEVAL.RETRIEVED_CONTEXTS: [
            item["content"] if isinstance(item, dict) else item for item in found
        ],
    }


class App:
    @instrument(span_type=SpanAttributes.SpanType.RETRIEVAL, attributes=name_contexts)
    def retrieve(self, question):
        if os.environ["RETURNS"] == "texts":
            return [d["text"] for d in DOCUMENTS]
        return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]

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
