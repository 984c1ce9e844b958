"""A LlamaIndex query engine, for whoever instruments it."""

from common import DOCUMENTS, MODEL_URL
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai import OpenAI


class Retriever(BaseRetriever):
    def _retrieve(self, query_bundle):
        nodes = [TextNode(id_=d["id"], text=d["text"], metadata={"source": d["source"]}) for d in DOCUMENTS]
        return [NodeWithScore(node=n, score=d["score"]) for n, d in zip(nodes, DOCUMENTS, strict=True)]


def build():
    model = OpenAI(model="gpt-4o-mini", api_key="none", api_base=MODEL_URL)
    return RetrieverQueryEngine(Retriever(), get_response_synthesizer(llm=model))
