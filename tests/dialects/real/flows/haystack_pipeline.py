"""Haystack's own tracing over a retrieval pipeline, content switched on."""

from common import DOCUMENTS, MODEL_URL, QUESTION, tracer_provider
from haystack import Document, Pipeline, tracing
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret
from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer

provider = tracer_provider()
tracing.tracer.is_content_tracing_enabled = True
tracing.enable_tracing(OpenTelemetryTracer(provider.get_tracer("haystack")))
store = InMemoryDocumentStore()
store.write_documents(
    [Document(id=d["id"], content=d["text"], meta={"source": d["source"]}) for d in DOCUMENTS]
)
template = [
    ChatMessage.from_system(
        "Cite as [n].\n{% for d in documents %}[{{ loop.index }}] {{ d.content }}\n{% endfor %}"
    ),
    ChatMessage.from_user("{{ question }}"),
]
pipeline = Pipeline()
pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=2))
pipeline.add_component(
    "prompt", ChatPromptBuilder(template=template, required_variables=["documents", "question"])
)
pipeline.add_component("llm", OpenAIChatGenerator(api_key=Secret.from_token("none"), api_base_url=MODEL_URL))
pipeline.add_component("answers", AnswerBuilder())
pipeline.connect("retriever.documents", "prompt.documents")
pipeline.connect("prompt.prompt", "llm.messages")
pipeline.connect("llm.replies", "answers.replies")
pipeline.connect("retriever.documents", "answers.documents")
pipeline.run(
    {"retriever": {"query": QUESTION}, "prompt": {"question": QUESTION}, "answers": {"query": QUESTION}}
)
provider.shutdown()
