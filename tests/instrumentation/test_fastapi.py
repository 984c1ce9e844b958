"""Decorated functions in a real FastAPI application: dependencies, body models, streams, the schema."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from groundwire.instrumentation import instrument
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, question_of

fastapi = pytest.importorskip("fastapi", reason="pip install -r examples/requirements.txt")
pytest.importorskip("httpx", reason="pip install -r examples/requirements.txt")
from fastapi.responses import StreamingResponse  # noqa: E402
from fastapi.testclient import TestClient  # noqa: E402
from pydantic import BaseModel  # noqa: E402

Decorate = Callable[[Any], Any]


class Body(BaseModel):
    question: str
    k: int = 3


def application(decorate: Decorate) -> Any:
    """The same application with decorated or bare functions."""
    app = fastapi.FastAPI()
    closed: list[str] = []
    app.state.closed = closed

    @decorate
    async def tenant(q: str = "none") -> str:
        return q

    @decorate
    async def session(q: str = "none") -> AsyncIterator[str]:
        yield f"session {q}"
        closed.append("async")

    @decorate
    def connection(q: str = "none") -> Iterator[str]:
        yield f"connection {q}"
        closed.append("sync")

    def ask(
        body: Body,
        a: str = fastapi.Depends(tenant),
        b: str = fastapi.Depends(session),
        c: str = fastapi.Depends(connection),
    ) -> dict[str, Any]:
        return {"answer": f"{body.question} {body.k} {a} {b} {c}"}

    def stream(q: str) -> StreamingResponse:
        return StreamingResponse(iter([q, "!"]))

    for function in (ask, stream):  # not by string annotations: FastAPI must see the classes
        function.__annotations__ = (
            {**function.__annotations__, "body": Body} if function is ask else {"q": str}
        )
    app.post("/ask", response_model=None)(decorate(ask))
    app.get("/stream", response_model=None)(decorate(stream))
    return app


def decorated(spans: CapturedSpans) -> Any:
    return application(instrument(tracer_provider=spans.provider))


def test_the_schema_is_that_of_the_bare_application(spans: CapturedSpans) -> None:
    """No parameter appears or disappears in the HTTP API."""
    assert decorated(spans).openapi() == application(lambda function: function).openapi()


def test_dependencies_of_every_kind_and_body_models(spans: CapturedSpans) -> None:
    """Sync, async and generator dependencies are resolved, and closed after the response."""
    app = decorated(spans)
    with TestClient(app) as client:
        response = client.post("/ask?q=x", json={"question": "Who?"})
    assert response.json() == {"answer": "Who? 3 x session x connection x"}
    assert sorted(app.state.closed) == ["async", "sync"]
    names = [name for name in spans.names() if name.startswith("invoke_workflow")]
    assert len(names) == 4


def test_a_streaming_response_is_recorded_to_its_end(spans: CapturedSpans) -> None:
    """A decorated endpoint that returns a StreamingResponse is recorded with the whole body."""
    with TestClient(decorated(spans)) as client:
        assert client.get("/stream?q=Who").text == "Who!"
    span = next(span for span in spans.spans if span.name.endswith("stream"))
    assert (question_of(span), answer_of(span)) == ("Who", "Who!")
    assert (span.attributes or {})["groundwire.stream.end"] == "exhausted"
