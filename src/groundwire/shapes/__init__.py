"""Answer shapes of providers, frameworks and applications.

In goes any value that a RAG function may return or a trace may hold a dump of: text, mappings, pydantic
models, dataclasses, plain objects, tuples, lists of messages or passages, the chunks of a stream. Out come
plain dicts and lists with the field names of ``groundwire.record``, offsets in code points.

It reads what is *stored* and runs no code of the value: nothing raises, hangs, logs or is consumed. Standard
library only, since it works inside production calls. It deliberately knows no span, no trace and no grade,
imports no provider's package, and reads no ``[1]`` markers out of the text (that is ``groundwire.text``).
"""

from groundwire.shapes.citations import settle_sources
from groundwire.shapes.documents import read_documents
from groundwire.shapes.messages import read_history, read_question
from groundwire.shapes.offsets import resolve_offsets
from groundwire.shapes.results import join_chunks, read_answer, read_citations, read_contexts, read_result
from groundwire.shapes.stream_texts import read_texts
from groundwire.shapes.usage import read_usage

__all__ = [
    "join_chunks",
    "read_answer",
    "read_citations",
    "read_contexts",
    "read_documents",
    "read_history",
    "read_question",
    "read_result",
    "read_texts",
    "read_usage",
    "resolve_offsets",
    "settle_sources",
]
