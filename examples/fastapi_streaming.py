"""A FastAPI service whose answer is streamed: the span lasts as long as the body.

Run: python examples/fastapi_streaming.py      (needs: pip install fastapi httpx)
Serve: uvicorn examples.fastapi_streaming:app
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient
from pydantic import BaseModel

import groundwire
from groundwire import current_call, instrument, retriever

PASSAGES = [
    {"id": "guide#3", "text": "Refunds are paid within 14 days of the return.", "score": 0.91},
    {"id": "guide#7", "text": "Returns are free for members.", "score": 0.62},
]
app = FastAPI()


class Question(BaseModel):
    question: str
    session: str


@retriever
async def search(query: str) -> list[dict[str, Any]]:
    await asyncio.sleep(0)
    return PASSAGES


@instrument(name="shop-helpdesk", conversation="session")
async def answer(question: str, session: str) -> AsyncIterator[str]:
    """Stream the answer token by token; the usage is known at the end only."""
    passages = await search(question)
    for token in f"Within 14 days [1]. ({len(passages)} sources)".split(" "):
        await asyncio.sleep(0)
        yield token + " "
    call = current_call()
    call.set_model("example-1", provider="example")
    call.set_usage(input_tokens=120, output_tokens=9)


@instrument
async def tenant() -> str:
    """Decorated functions work as dependencies, with their signatures."""
    return "shop"


@app.post("/ask")
async def ask(body: Question, owner: Annotated[str, Depends(tenant)]) -> StreamingResponse:
    return StreamingResponse(answer(body.question, body.session), media_type="text/plain")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        groundwire.configure(file=path)
        with TestClient(app) as client:
            print(client.post("/ask", json={"question": "When is my refund paid?", "session": "s1"}).text)
        groundwire.flush()
        for line in path.read_text(encoding="utf-8").splitlines():
            for resource in json.loads(line)["resourceSpans"]:
                print([span["name"] for scope in resource["scopeSpans"] for span in scope["spans"]])


if __name__ == "__main__":
    main()
