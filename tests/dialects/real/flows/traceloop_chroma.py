"""Traceloop's SDK with Chroma and OpenAI: the passages stand in events of the vector store's span."""

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import task, workflow

Traceloop.init(app_name="flow", api_endpoint=STUB, disable_batch=True, telemetry_enabled=False)

import chromadb

store = chromadb.EphemeralClient().create_collection("passages", embedding_function=None)
store.add(
    ids=[d["id"] for d in DOCUMENTS], documents=[d["text"] for d in DOCUMENTS],
    metadatas=[{"source": d["source"]} for d in DOCUMENTS], embeddings=[[0.1, 0.2], [0.3, 0.1]],
)  # fmt: skip


@task(name="retrieve")
def retrieve(question):
    return store.query(query_embeddings=[[0.1, 0.2]], n_results=2)["documents"][0]


@workflow(name="ask")
def ask(question):
    retrieve(question)
    return client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
