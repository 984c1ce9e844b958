"""Phoenix's registration and its tracer's decorators, with OpenInference's OpenAI instrumentation."""

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client
from openinference.instrumentation.openai import OpenAIInstrumentor
from phoenix.otel import register

provider = register(
    endpoint=f"{STUB}/v1/traces", protocol="http/protobuf", project_name="flow", verbose=False
)
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = provider.get_tracer("app")


@tracer.retriever
def retrieve(question):
    return [
        {"document.id": d["id"], "document.content": d["text"], "document.score": d["score"]}
        for d in DOCUMENTS
    ]


@tracer.chain
def ask(question):
    retrieve(question)
    return client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
provider.shutdown()
