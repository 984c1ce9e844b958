"""A LangChain chain with a fake model: its documents and its answer are read as they are.

Run: python examples/langchain_chain.py        (needs: pip install langchain-core)
"""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

from groundwire import instrument, retriever
from groundwire.testing import capture_spans

DOCUMENTS = [
    Document(id="guide#3", page_content="Refunds are paid within 14 days.", metadata={"source": "guide.md"}),
    Document(id="guide#7", page_content="Returns are free for members.", metadata={"source": "guide.md"}),
]


class Guide(BaseRetriever):
    """Finds every passage that shares a word with the query."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        words = set(query.lower().rstrip("?").split())
        return [document for document in DOCUMENTS if words & set(document.page_content.lower().split())]


def main() -> None:
    with capture_spans() as spans:
        guide = Guide()
        search = retriever(tracer_provider=spans.provider)(guide.invoke)
        prompt = ChatPromptTemplate.from_messages([("system", "Use: {context}"), ("user", "{question}")])
        model = FakeListChatModel(responses=["Within 14 days [1]."])
        chain = RunnablePassthrough() | prompt | model

        @instrument(name="helpdesk", tracer_provider=spans.provider)
        def answer(question: str) -> Any:
            documents = search(question)
            context = "\n".join(document.page_content for document in documents)
            return chain.invoke({"question": question, "context": context})

        print(answer("When are refunds paid?").content)
        found = spans.attributes()
        print(spans.names())
        print(found["output.value"], found["gen_ai.retrieval.documents"])


if __name__ == "__main__":
    main()
