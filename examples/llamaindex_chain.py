"""A LlamaIndex query engine with a mock model: the response object is returned as it is, and read.

Run: python examples/llamaindex_chain.py       (needs: pip install llama-index-core)
"""

from __future__ import annotations

from typing import Any

from llama_index.core import Settings
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from groundwire import instrument
from groundwire.testing import capture_spans


class Guide(BaseRetriever):
    """Always finds the same two passages."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        texts = {"guide#3": "Refunds are paid within 14 days.", "guide#7": "Returns are free for members."}
        nodes = [TextNode(id_=name, text=text) for name, text in texts.items()]
        return [NodeWithScore(node=node, score=0.9 - 0.2 * rank) for rank, node in enumerate(nodes)]


def main() -> None:
    Settings.llm = MockLLM(max_tokens=16)
    engine = RetrieverQueryEngine.from_args(Guide(), llm=Settings.llm)
    with capture_spans() as spans:

        @instrument(name="helpdesk", tracer_provider=spans.provider)
        def answer(question: str) -> Any:
            return engine.query(question)

        response = answer("When are refunds paid?")
        assert isinstance(response, Response)
        found = spans.attributes()
        print(spans.names(), found["output.value"] == str(response))
        print(found["gen_ai.retrieval.documents"])


if __name__ == "__main__":
    main()
