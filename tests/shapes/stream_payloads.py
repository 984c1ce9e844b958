"""The same answers as their providers stream them: events in order, beside what must be read of them all."""

from __future__ import annotations

from typing import Any

from shapes.payloads import (
    ANSWER,
    ANTHROPIC,
    ANTHROPIC_READ,
    BEDROCK_CONVERSE_READ,
    BEDROCK_GENERATED,
    BEDROCK_GENERATED_READ,
    COHERE_V1,
    COHERE_V1_READ,
    COHERE_V2,
    COHERE_V2_READ,
    FIRST,
    GEMINI,
    GEMINI_READ,
    LINKED,
    MISTRAL,
    MISTRAL_READ,
    OPENAI_CHAT,
    OPENAI_CHAT_READ,
    OPENAI_RESPONSES,
    OPENAI_RESPONSES_READ,
    QUOTE,
    SECOND,
    utf8,
)

Event = dict[str, Any]


def pieces(text: str, size: int = 7) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _chat_chunk(delta: Event, finish: str | None = None) -> Event:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt-4.1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}],
        "usage": None,
    }


OPENAI_CHAT_EVENTS: list[Event] = [
    _chat_chunk({"role": "assistant", "content": ""}),
    *(_chat_chunk({"content": piece}) for piece in pieces(LINKED)),
    _chat_chunk({"annotations": OPENAI_CHAT["choices"][0]["message"]["annotations"]}),
    _chat_chunk({}, "stop"),
    {**_chat_chunk({}), "choices": [], "usage": OPENAI_CHAT["usage"]},
]

_TEXT_PARTS = OPENAI_RESPONSES["output"][1]["content"]


def _responses_text(index: int) -> list[Event]:
    place = {"item_id": "msg_1", "output_index": 1, "content_index": index, "sequence_number": 3}
    text, annotations = _TEXT_PARTS[index]["text"], _TEXT_PARTS[index]["annotations"]
    deltas = [
        {"type": "response.output_text.delta", "delta": d, "logprobs": [], **place} for d in pieces(text)
    ]
    kind = "response.output_text.annotation.added"
    return [*deltas, {"type": kind, "annotation": annotations[0], "annotation_index": 0, **place}]


_SEARCH_DONE = {
    "type": "response.output_item.done",
    "output_index": 0,
    "sequence_number": 2,
    "item": OPENAI_RESPONSES["output"][0],
}
_COMPLETED = {"type": "response.completed", "sequence_number": 9, "response": OPENAI_RESPONSES}
OPENAI_RESPONSES_EVENTS: list[Event] = [_SEARCH_DONE, *_responses_text(0), *_responses_text(1), _COMPLETED]
OPENAI_RESPONSES_CUT: list[Event] = OPENAI_RESPONSES_EVENTS[:-1]
OPENAI_RESPONSES_CUT_READ = {
    name: OPENAI_RESPONSES_READ[name] for name in ("answer", "citations", "contexts")
}

_USAGE_AT_START = {**ANTHROPIC["usage"], "output_tokens": 1}
ANTHROPIC_EVENTS: list[Event] = [
    {
        "type": "message_start",
        "message": {**ANTHROPIC, "content": [], "stop_reason": None, "usage": _USAGE_AT_START},
    },
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "thinking", "thinking": "", "signature": ""},
    },
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_stop", "index": 0},
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "text", "text": "", "citations": []},
    },
    *(
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "citations_delta", "citation": citation},
        }
        for citation in ANTHROPIC["content"][1]["citations"]
    ),
    *(
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": piece}}
        for piece in pieces(FIRST)
    ),
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "text", "text": "", "citations": None},
    },
    {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": SECOND}},
    {"type": "content_block_stop", "index": 2},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 90},
    },
    {"type": "message_stop"},
]


def _gemini_chunk(parts: list[Event], **further: Any) -> Event:
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, **further}],
        "modelVersion": "gemini-2.5-flash",
    }


_SUPPORT = {
    "segment": {"endIndex": utf8(FIRST), "text": FIRST},
    "groundingChunkIndices": [0, 1],
}
_LATER_SUPPORT = {
    "segment": {"startIndex": utf8(FIRST) + 1, "endIndex": utf8(ANSWER), "text": SECOND[1:]},
    "groundingChunkIndices": [1],
}
_GROUNDING = GEMINI["candidates"][0]["groundingMetadata"]
GEMINI_EVENTS: list[Event] = [
    *(_gemini_chunk([{"text": piece}]) for piece in pieces(ANSWER)),
    {
        **_gemini_chunk(
            [{"text": ""}],
            finishReason="STOP",
            groundingMetadata={**_GROUNDING, "groundingSupports": [_SUPPORT, _LATER_SUPPORT]},
        ),
        "usageMetadata": GEMINI["usageMetadata"],
    },
]

COHERE_V1_EVENTS: list[Event] = [
    {"event_type": "stream-start", "generation_id": "g1"},
    {"event_type": "search-results", "documents": COHERE_V1["documents"]},
    *({"event_type": "text-generation", "text": piece} for piece in pieces(ANSWER)),
    {"event_type": "citation-generation", "citations": COHERE_V1["citations"]},
    {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": COHERE_V1},
]
_V2_CITATIONS = COHERE_V2["message"]["citations"]
COHERE_V2_EVENTS: list[Event] = [
    {"type": "message-start", "id": "c2", "delta": {"message": {"role": "assistant"}}},
    {
        "type": "content-start",
        "index": 0,
        "delta": {"message": {"content": {"type": "thinking", "thinking": ""}}},
    },
    {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"thinking": "hm"}}}},
    {"type": "content-end", "index": 0},
    {"type": "content-start", "index": 1, "delta": {"message": {"content": {"type": "text", "text": ""}}}},
    *(
        {"type": "content-delta", "index": 1, "delta": {"message": {"content": {"text": piece}}}}
        for piece in pieces(ANSWER)
    ),
    {"type": "citation-start", "index": 0, "delta": {"message": {"citations": _V2_CITATIONS[0]}}},
    {"type": "citation-end", "index": 0},
    {"type": "content-end", "index": 1},
    {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": COHERE_V2["usage"]}},
]


def _mistral_chunk(content: Any, finish: str | None = None, **further: Any) -> Event:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish}
    return {"data": {"id": "1", "model": "mistral-large-latest", "choices": [choice], **further}}


MISTRAL_EVENTS: list[Event] = [
    *(_mistral_chunk(piece) for piece in pieces(FIRST)),
    _mistral_chunk([{"type": "reference", "reference_ids": [1, "h2"]}]),
    *(_mistral_chunk(piece) for piece in pieces(SECOND)),
    _mistral_chunk("", "stop", usage=MISTRAL["usage"]),
]


def _converse(index: int, **delta: Any) -> Event:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


CONVERSE_EVENTS: list[Event] = [
    {"messageStart": {"role": "assistant"}},
    _converse(0, reasoningContent={"text": "hm"}),
    {"contentBlockStop": {"contentBlockIndex": 0}},
    *(_converse(1, text=piece) for piece in pieces(FIRST)),
    _converse(
        1,
        citation={
            "title": "Hours",
            "sourceContent": [{"text": QUOTE}],
            "location": {"documentChar": {"documentIndex": 0, "start": 16, "end": 41}},
        },
    ),
    _converse(
        1,
        citation={
            "sourceContent": [{"text": QUOTE}],
            "location": {"documentPage": {"documentIndex": 1, "start": 1, "end": 2}},
        },
    ),
    _converse(2, text=SECOND),
    {"messageStop": {"stopReason": "end_turn"}},
    {
        "metadata": {
            "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 115, "cacheReadInputTokens": 100},
            "metrics": {"latencyMs": 812},
        }
    },
]
GENERATED_EVENTS: list[Event] = [
    {"output": {"text": FIRST}},
    {"citation": {"citation": BEDROCK_GENERATED["citations"][0]}},
    {"output": {"text": SECOND}},
    {"citation": BEDROCK_GENERATED["citations"][1]},
]
GENERATED_READ = {
    name: stored for name, stored in BEDROCK_GENERATED_READ.items() if name != "conversation_id"
}

ALL: dict[str, tuple[list[Event], dict[str, Any]]] = {
    "openai chat": (OPENAI_CHAT_EVENTS, OPENAI_CHAT_READ),
    "openai responses": (OPENAI_RESPONSES_EVENTS, OPENAI_RESPONSES_READ),
    "openai responses, cut": (OPENAI_RESPONSES_CUT, OPENAI_RESPONSES_CUT_READ),
    "anthropic": (ANTHROPIC_EVENTS, ANTHROPIC_READ),
    "gemini": (GEMINI_EVENTS, GEMINI_READ),
    "cohere v1": (COHERE_V1_EVENTS, COHERE_V1_READ),
    "cohere v2": (COHERE_V2_EVENTS, COHERE_V2_READ),
    "mistral": (MISTRAL_EVENTS, MISTRAL_READ),
    "bedrock converse": (CONVERSE_EVENTS, BEDROCK_CONVERSE_READ),
    "bedrock retrieve-and-generate": (GENERATED_EVENTS, GENERATED_READ),
}
