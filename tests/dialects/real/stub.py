"""A loopback server that answers as a model provider would, and keeps the telemetry it is sent."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from dialects.real.opik_rows import OpikRows

ANSWER = "The gate at Oldham lifts eight metres [1]. It was painted green in 1911 [2]. Größe: 8 m 🚪."
CUT = ANSWER.index(" It was")
QUESTION = "How high does the gate at Oldham lift?"
TEXTS = ["The gate at Oldham lifts eight metres in one minute.", "In 1911 the gate was painted green."]


def _counts(given: int, said: int, *, cached: int) -> dict[str, Any]:
    return {
        "prompt_tokens": given, "completion_tokens": said, "total_tokens": given + said,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip


USAGE = _counts(120, 24, cached=32)
CITED = {
    "type": "url_citation",
    "url_citation": {"url": "https://example.org/gate", "title": "Gate", "start_index": 0, "end_index": 38},
}


def chat_completion(number: int, request: dict[str, Any]) -> dict[str, Any]:
    """The answer; where the request has tools, the first of them is called before it."""
    if not request.get("tools"):
        return _completion(number, {"content": ANSWER, "annotations": [CITED]}, "stop", USAGE)
    if request["messages"][-1]["role"] == "tool":
        return _completion(number, {"content": ANSWER}, "stop", _counts(100, 20, cached=32))
    asked = {"name": request["tools"][0]["function"]["name"], "arguments": json.dumps({"query": QUESTION})}
    calls = [{"id": "call_1", "type": "function", "function": asked}]
    return _completion(number, {"content": None, "tool_calls": calls}, "tool_calls", _counts(20, 4, cached=0))


def _completion(number: int, message: dict[str, Any], reason: str, usage: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", **message}}
    return {
        "id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1_760_000_000,
        "model": "gpt-4o-mini-2024-07-18", "usage": usage, "choices": [choice],
    }  # fmt: skip


def chunks(number: int) -> Iterator[dict[str, Any]]:
    base = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt-4o-mini",
    }
    for word in ANSWER.split(" "):
        piece = {"role": "assistant", "content": word if word.startswith("The") else f" {word}"}
        yield {**base, "choices": [{"index": 0, "delta": piece, "finish_reason": None}]}
    yield {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    yield {**base, "choices": [], "usage": USAGE}


def message(number: int) -> dict[str, Any]:
    """Anthropic's answer: one block a claim, each with what it quotes of which document."""
    said = [(ANSWER[:CUT], 0, "lifts eight metres", 19), (ANSWER[CUT:], 1, "painted green", 21)]
    blocks = [
        {
            "type": "text",
            "text": text,
            "citations": [
                {
                    "type": "char_location", "cited_text": quote, "document_index": index,
                    "document_title": None, "file_id": None,
                    "start_char_index": start, "end_char_index": start + len(quote),
                }
            ],
        }
        for text, index, quote, start in said
    ]  # fmt: skip
    counts = {
        "input_tokens": 88, "output_tokens": 24, "cache_read_input_tokens": 32,
        "cache_creation_input_tokens": 0,
    }  # fmt: skip
    return {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": blocks, "stop_reason": "end_turn", "stop_sequence": None, "usage": counts,
    }  # fmt: skip


def response(number: int) -> dict[str, Any]:
    """OpenAI's answer from its own file search, with the passages that it found and what it cites of them."""
    found = [("gate-1", "gate.md", TEXTS[0], 0.9), ("gate-2", "paint.md", TEXTS[1], 0.5)]
    results = [
        {"file_id": file, "filename": name, "text": text, "score": score, "attributes": {}}
        for file, name, text, score in found
    ]
    cited = [
        {"type": "file_citation", "file_id": file, "filename": name, "index": index}
        for (file, name, _, _), index in zip(found, (CUT - 1, ANSWER.index("[2]")), strict=True)
    ]
    said = [{"type": "output_text", "text": ANSWER, "annotations": cited}]
    search = {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": [QUESTION]}
    return {
        "id": f"resp_{number}", "object": "response", "created_at": 1_760_000_000, "status": "completed",
        "model": "gpt-4o-mini-2024-07-18", "parallel_tool_calls": True, "tool_choice": "auto",
        "tools": [{"type": "file_search", "vector_store_ids": ["vs_1"]}],
        "output": [
            {**search, "results": results},
            {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": said},
        ],
        "usage": {
            "input_tokens": 120, "input_tokens_details": {"cached_tokens": 32}, "output_tokens": 24,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 144,
        },
    }  # fmt: skip


def embedding(count: int) -> dict[str, Any]:
    rows = [{"object": "embedding", "index": i, "embedding": [0.1, 0.2]} for i in range(count)]
    return {
        "object": "list",
        "data": rows,
        "model": "embed",
        "usage": {"prompt_tokens": 3, "total_tokens": 3},
    }


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = self._read_body()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        path = self.path.partition("?")[0]
        if path.endswith(("/v1/traces", "/v1/logs", "/v1/metrics")):
            self.server.keep(path.rpartition("/")[2], body)
            self._send("application/x-protobuf", b"")
        elif path.endswith("/chat/completions"):
            self._chat(json.loads(body))
        elif "/v1/private/" in path:
            self._send("application/json", json.dumps(self.server.opik.post(path, body)).encode())
        elif path.endswith("/responses"):
            self._send("application/json", json.dumps(response(self.server.next_number())).encode())
        elif path.endswith("/messages"):
            self._send("application/json", json.dumps(message(self.server.next_number())).encode())
        elif path.endswith("/embeddings"):
            given = json.loads(body)["input"]
            self._send(
                "application/json",
                json.dumps(embedding(1 if isinstance(given, str) else len(given))).encode(),
            )
        else:
            self.send_error(404)

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_GET(self) -> None:
        is_opik = "/v1/private/" in self.path
        found = self.server.opik.get(self.path) if is_opik else {}
        self._send("application/json", json.dumps(found).encode())

    def _chat(self, request: dict[str, Any]) -> None:
        number = self.server.next_number()
        if request.get("stream"):
            lines = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks(number))
            self._send("text/event-stream", f"{lines}data: [DONE]\n\n".encode())
        else:
            self._send("application/json", json.dumps(chat_completion(number, request)).encode())

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        return


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder, self.lock, self.number = folder, threading.Lock(), 0
        self.opik = OpikRows()

    def next_number(self) -> int:
        with self.lock:
            self.number += 1
            return self.number

    def keep(self, signal: str, body: bytes) -> None:
        if signal != "metrics" and body:
            (self.folder / f"{signal}-{self.next_number()}.binpb").write_bytes(body)


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Run the server; yields its base URL. What is sent to it lies in ``folder`` afterwards."""
    server = _Server(folder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
