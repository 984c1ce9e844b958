"""Retrieved passages in every container."""

from __future__ import annotations

from collections import UserDict, namedtuple
from dataclasses import dataclass, field
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from groundwire.shapes import read_documents

TEXT = "Ada wrote it."
PASSAGE = {"id": "7", "text": TEXT, "score": 0.5}
Row = namedtuple("Row", "id text score")


@dataclass
class Passage:
    text: str
    id: str = "7"
    score: float = 0.5
    embedding: list[float] = field(default_factory=lambda: [0.1])


class Slotted:
    __slots__ = ("id", "score", "text")

    def __init__(self) -> None:
        self.id, self.text, self.score = 7, TEXT, 0.5


CONTAINERS: dict[str, Any] = {
    "mapping": [{"id": 7, "text": TEXT, "score": 0.5}],
    "one mapping": {"id": 7, "text": TEXT, "score": 0.5},
    "dataclass": [Passage(TEXT)],
    "slots": (Slotted(),),
    "namespace": [SimpleNamespace(id="7", content=TEXT, score=0.5)],
    "named tuple": [Row("7", TEXT, 0.5)],
    "proxy": [MappingProxyType({"id": "7", "body": TEXT, "score": 0.5})],
    "user dict": [UserDict(id="7", text=TEXT, score=0.5)],
    "document and score": [({"id": "7", "text": TEXT}, 0.5)],
    "score and document": [(0.5, {"id": "7", "text": TEXT})],
    "documents, scores": ([{"id": "7", "text": TEXT}], [0.5]),
    "elasticsearch": {
        "took": 1,
        "hits": {"total": 1, "hits": [{"_id": "7", "_score": 0.5, "_source": {"text": TEXT}}]},
    },
    "pinecone": {"matches": [{"id": "7", "score": 0.5, "metadata": {"text": TEXT}}], "namespace": ""},
    "qdrant": {"points": [{"id": 7, "version": 1, "score": 0.5, "payload": {"page_content": TEXT}}]},
    "weaviate": SimpleNamespace(
        objects=[SimpleNamespace(uuid="7", properties={"text": TEXT}, metadata={"score": 0.5})]
    ),
    "azure search": {"value": [{"id": "7", "content": TEXT, "@search.score": 0.5}]},
    "openai vector store": {
        "data": [{"file_id": "7", "score": 0.5, "content": [{"type": "text", "text": TEXT}]}]
    },
    "rerank": {"results": [{"index": 0, "relevance_score": 0.5, "document": {"id": "7", "text": TEXT}}]},
    "rows in columns": {"ids": ["7"], "documents": [TEXT], "scores": [0.5]},
    "serialized langchain": [
        {"lc": 1, "kwargs": {"id": "7", "page_content": TEXT, "metadata": {"score": 0.5}}}
    ],
    "list of lists": [[{"id": 7, "text": TEXT, "score": 0.5}]],
    "node": [{"node": {"id_": "7", "text": TEXT}, "score": 0.5}],
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_passage_is_read_from_every_container(name: str) -> None:
    """Id, text and score are read of the answers of retrievers, vector stores and search engines."""
    (found,) = read_documents(CONTAINERS[name]) or ()
    assert {key: found.get(key) for key in PASSAGE} == PASSAGE


def test_chroma_keeps_a_distance_as_metadata() -> None:
    """A distance is lower for better passages, so it is never passed on as a score."""
    answer = {"ids": [["a", "b"]], "documents": [["A", "B"]], "metadatas": [[{"source": "a.md"}, None]],
              "distances": [[0.1, 0.9]], "embeddings": None}  # fmt: skip
    assert read_documents(answer) == [
        {"text": "A", "id": "a", "metadata": {"source": "a.md", "distance": 0.1}, "uri": "a.md"},
        {"text": "B", "id": "b", "metadata": {"distance": 0.9}},
    ]


def test_milvus_and_lancedb_distances() -> None:
    """Hits with their fields beside or below a distance are read."""
    for hit in (
        {"id": 7, "distance": 0.2, "entity": {"text": TEXT}},
        {"id": 7, "_distance": 0.2, "text": TEXT},
    ):
        assert read_documents([[hit]]) == [{"text": TEXT, "id": "7", "metadata": {"distance": 0.2}}]


def test_texts_become_passages_and_addresses_become_uris() -> None:
    """A list of texts; a text that is nothing but an address names a passage whose text is not known."""
    assert read_documents([TEXT, "https://a.example/x"]) == [{"text": TEXT}, {"uri": "https://a.example/x"}]
    assert read_documents(TEXT) == [{"text": TEXT}]
    assert read_documents((TEXT, "B")) == [{"text": TEXT}, {"text": "B"}]
    assert read_documents({"a": "A", "b": "B"}) == [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]


def test_known_to_be_none_differs_from_unknown() -> None:
    """An empty list says that there were none; what is no list of passages says nothing."""
    assert (
        read_documents([]) == [] and read_documents("") == [] and read_documents({"hits": {"hits": []}}) == []
    )
    for value in (None, 3, object(), iter([TEXT]), {"total": 3}, True, print):
        assert read_documents(value) is None


def test_generator_is_not_consumed() -> None:
    """A lazy result stays whole for its consumer."""
    lazy = (text for text in [TEXT])
    assert read_documents(lazy) is None and list(lazy) == [TEXT]


def test_chunks_of_one_document_keep_their_own_ids() -> None:
    """A chunk's id wins over its document's, and a shared source never becomes an id."""
    chunks = [{"document_id": "d", "chunk_id": f"d-{n}", "text": TEXT} for n in range(2)]
    assert [found["id"] for found in read_documents(chunks) or ()] == ["d-0", "d-1"]
    sourced = [{"page_content": TEXT, "metadata": {"source": "a.md"}}]
    assert read_documents(sourced) == [{"text": TEXT, "metadata": {"source": "a.md"}, "uri": "a.md"}]


def test_many_and_long_passages_are_read_whole() -> None:
    """Five hundred passages and one of five megabytes come through uncut."""
    many = read_documents([{"id": n, "text": "x" * 2_000} for n in range(500)]) or []
    assert len(many) == 500 and len(many[-1]["text"]) == 2_000
    (long,) = read_documents(["y" * 5_000_000]) or ()
    assert len(long["text"]) == 5_000_000


def test_data_frame_rows_become_passages() -> None:
    """A pandas DataFrame is read row by row."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed. Run: pip install pandas")
    frame = pandas.DataFrame({"id": [7], "text": [TEXT], "score": [0.5]})
    assert read_documents(frame) == [{"text": TEXT, "id": "7", "score": 0.5}]


def test_list_without_one_passage_says_nothing() -> None:
    """Pictures of objects, numbers and tools are no passages; a list of only these is unknown, not empty."""
    pictures = ["<NodeWithScore(node=TextNode(id_=a), score=0.9)>", "<app.Doc object at 0x7f00>"]
    for value in (
        pictures,
        [1, None],
        [{"type": "function", "name": "search", "parameters": {}}],
        [object()],
    ):
        assert read_documents(value) is None
    assert read_documents([TEXT, *pictures]) == [{"text": TEXT}]
