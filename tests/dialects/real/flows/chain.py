"""A LangChain retrieval chain, for whoever instruments it."""

from common import DOCUMENTS, MODEL_URL
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from langchain_openai import ChatOpenAI


class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [
            Document(id=d["id"], page_content=d["text"], metadata={"source": d["source"]}) for d in DOCUMENTS
        ]


def build():
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Answer from the passages; cite as [n].\n{context}"), ("human", "{question}")]
    )
    model = ChatOpenAI(model="gpt-4o-mini", api_key="none", base_url=MODEL_URL)
    join = lambda docs: "\n".join(f"[{n}] {d.page_content}" for n, d in enumerate(docs, 1))  # noqa: E731
    return (
        {"context": Retriever() | join, "question": RunnablePassthrough()}
        | prompt
        | model
        | StrOutputParser()
    )
