"""Answers in each provider's documented form, beside what must be read of them.

The answer is not ASCII, so that characters, UTF-16 units and UTF-8 bytes differ: 🏮 is one code point, two
UTF-16 units and four bytes.
"""

from __future__ import annotations

from typing import Any

FIRST = "🏮 Das Café öffnet um 9 Uhr."
SECOND = " Der Eintritt kostet 5 €."
ANSWER = FIRST + SECOND
SOURCE = "Öffnungszeiten: Das Café öffnet um 9 Uhr. Montags geschlossen."
QUOTE = "Das Café öffnet um 9 Uhr."
URL = "https://museum.example/hours"
LINKED = f"{FIRST} ([Zeiten]({URL})){SECOND}"


def utf8(text: str) -> int:
    return len(text.encode())


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


FIRST_RANGE = {"answer_start": 0, "answer_end": len(FIRST)}
LINK_RANGE = {"answer_start": len(FIRST) + 1, "answer_end": len(FIRST) + len(f" ([Zeiten]({URL}))")}

OPENAI_CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4.1",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": LINKED,
                "refusal": None,
                "annotations": [
                    {
                        "type": "url_citation",
                        "url_citation": {
                            "start_index": LINK_RANGE["answer_start"],
                            "end_index": LINK_RANGE["answer_end"],
                            "url": URL,
                            "title": "Hours",
                        },
                    }
                ],
            },
        }
    ],
    "usage": {
        "prompt_tokens": 17_903,
        "completion_tokens": 120,
        "total_tokens": 18_023,
        "prompt_tokens_details": {"cached_tokens": 17_817, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 64, "audio_tokens": 0},
    },
}
OPENAI_CHAT_READ = {
    "answer": LINKED,
    "citations": [{"source_id": URL, "resolved": "code_points", **LINK_RANGE}],
    "usage": {
        "input_tokens": 17_903,
        "output_tokens": 120,
        "cache_read_input_tokens": 17_817,
        "reasoning_output_tokens": 64,
    },
    "model": "gpt-4.1",
    "finish_reason": "stop",
    "provider": "openai",
}

OPENAI_RESPONSES: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1.0,
    "model": "gpt-4.1",
    "status": "completed",
    "error": None,
    "incomplete_details": None,
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "conversation": {"id": "conv_1"},
    "output": [
        {
            "id": "fs_1",
            "type": "file_search_call",
            "status": "completed",
            "queries": ["hours"],
            "results": [
                {"file_id": "file-1", "filename": "hours.md", "score": 0.9, "text": SOURCE, "attributes": {}}
            ],
        },
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [
                {"type": "output_text", "text": "Hours: nine. ", "annotations": [
                    {"type": "file_citation", "file_id": "file-1", "filename": "hours.md", "index": 12}
                ]},
                {"type": "output_text", "text": LINKED, "annotations": [
                    {"type": "url_citation", "url": URL, "title": "Hours",
                     "start_index": LINK_RANGE["answer_start"], "end_index": LINK_RANGE["answer_end"]}
                ]},
            ],
        },
    ],
    "usage": {
        "input_tokens": 300,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 90,
        "output_tokens_details": {"reasoning_tokens": 50},
        "total_tokens": 390,
    },
}  # fmt: skip
OPENAI_RESPONSES_READ = {
    "answer": "Hours: nine. " + LINKED,
    "contexts": [{"text": SOURCE, "id": "file-1", "title": "hours.md", "score": 0.9}],
    "citations": [
        {"source_id": "file-1", "answer_start": 12, "answer_end": 12, "resolved": "code_points"},
        {
            "source_id": URL,
            "resolved": "code_points",
            "answer_start": 13 + LINK_RANGE["answer_start"],
            "answer_end": 13 + LINK_RANGE["answer_end"],
        },
    ],
    "usage": {
        "input_tokens": 300,
        "output_tokens": 90,
        "cache_read_input_tokens": 0,
        "cache_write_input_tokens": 0,
        "reasoning_output_tokens": 50,
    },
    "model": "gpt-4.1",
    "finish_reason": "completed",
    "conversation_id": "conv_1",
    "provider": "openai",
}

ASSISTANTS: dict[str, Any] = {
    "id": "msg_1",
    "object": "thread.message",
    "created_at": 1,
    "thread_id": "thread_1",
    "assistant_id": "asst_1",
    "run_id": "run_1",
    "status": "completed",
    "role": "assistant",
    "metadata": {},
    "attachments": [],
    "completed_at": 2,
    "incomplete_at": None,
    "incomplete_details": None,
    "content": [
        {
            "type": "text",
            "text": {
                "value": f"{FIRST}【4:0†source】",
                "annotations": [
                    {
                        "type": "file_citation",
                        "text": "【4:0†source】",
                        "start_index": len(FIRST),
                        "end_index": len(FIRST) + 12,
                        "file_citation": {"file_id": "file-1"},
                    }
                ],
            },
        }
    ],
}
ASSISTANTS_READ = {
    "answer": f"{FIRST}【4:0†source】",
    "citations": [
        {
            "source_id": "file-1",
            "answer_start": len(FIRST),
            "answer_end": len(FIRST) + 12,
            "resolved": "code_points",
        }
    ],
    "conversation_id": "thread_1",
}

AZURE: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4o",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": "Nine o'clock [doc1].",
                "refusal": None,
                "context": {
                    "citations": [
                        {"content": SOURCE, "title": "Hours", "url": URL, "filepath": "h.md", "chunk_id": "0"}
                    ],
                    "intent": '["hours"]',
                },
            },
        }
    ],
}
AZURE_READ = {
    "answer": "Nine o'clock [doc1].",
    "contexts": [{"text": SOURCE, "id": "doc1", "uri": URL, "title": "Hours"}],
    "model": "gpt-4o",
    "finish_reason": "stop",
    "provider": "azure.ai.openai",
}

PERPLEXITY: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "sonar",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "At nine [1]."}}
    ],
    "citations": [URL],
    "search_results": [{"title": "Hours", "url": URL, "date": None, "snippet": SOURCE}],
    "usage": {
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "total_tokens": 13,
        "cost": {"input_tokens_cost": 0.001, "output_tokens_cost": 0.001, "total_cost": 0.007},
    },
}
PERPLEXITY_READ = {
    "answer": "At nine [1].",
    "contexts": [{"text": SOURCE, "uri": URL, "title": "Hours"}],
    "usage": {"input_tokens": 9, "output_tokens": 4},
    "model": "sonar",
    "finish_reason": "stop",
    "provider": "perplexity",
    "recorded_cost": {"amount": "0.007", "currency": "USD", "source": "usage.cost"},
}

_ANTHROPIC_PLACES: list[dict[str, Any]] = [
    {"type": "char_location", "document_index": 0, "document_title": "Hours", "file_id": None,
     "start_char_index": 16, "end_char_index": 41},
    {"type": "page_location", "document_index": 1, "document_title": None, "file_id": None,
     "start_page_number": 1, "end_page_number": 2},
    {"type": "content_block_location", "document_index": 2, "document_title": None, "file_id": None,
     "start_block_index": 0, "end_block_index": 1},
    {"type": "search_result_location", "search_result_index": 0, "source": URL, "title": "Hours",
     "start_block_index": 0, "end_block_index": 1},
    {"type": "web_search_result_location", "url": URL, "title": "Hours", "encrypted_index": "x"},
]  # fmt: skip
ANTHROPIC: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": FIRST, "citations": [{**p, "cited_text": QUOTE} for p in _ANTHROPIC_PLACES]},
        {"type": "text", "text": SECOND, "citations": None},
    ],
    "usage": {
        "input_tokens": 10,
        "output_tokens": 90,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 100,
        "service_tier": "standard",
    },
}
_ANTHROPIC_CLAIM = {"quote": QUOTE, "claim": FIRST, **FIRST_RANGE}
ANTHROPIC_READ = {
    "answer": ANSWER,
    "citations": [
        {
            **_ANTHROPIC_CLAIM,
            "source_id": "Hours",
            "source_start": 16,
            "source_end": 41,
            "resolved": "unresolved",
        },
        {**_ANTHROPIC_CLAIM, "source_id": "2"},
        {**_ANTHROPIC_CLAIM, "source_id": "3"},
        {**_ANTHROPIC_CLAIM, "source_id": URL},
        {**_ANTHROPIC_CLAIM, "source_id": URL},
    ],
    "usage": {
        "input_tokens": 1_010,
        "output_tokens": 90,
        "cache_read_input_tokens": 900,
        "cache_write_input_tokens": 100,
    },
    "model": "claude-sonnet-4-5",
    "finish_reason": "end_turn",
    "provider": "anthropic",
}

GEMINI: dict[str, Any] = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [{"text": "hm", "thought": True}, {"text": FIRST}, {"text": SECOND}],
            },
            "finishReason": "STOP",
            "groundingMetadata": {
                "groundingChunks": [
                    {"web": {"uri": URL, "title": "Hours"}},
                    {"retrievedContext": {"uri": "gs://b/h.md", "title": "h.md", "text": SOURCE}},
                ],
                "groundingSupports": [
                    {
                        "segment": {"partIndex": 1, "endIndex": utf8(FIRST), "text": FIRST},
                        "groundingChunkIndices": [0, 1],
                        "confidenceScores": [0.9, 0.8],
                    },
                    {
                        "segment": {
                            "partIndex": 2, "startIndex": 1, "endIndex": utf8(SECOND), "text": SECOND[1:]
                        },
                        "groundingChunkIndices": [1],
                    },
                ],
            },
        }
    ],
    "usageMetadata": {
        "promptTokenCount": 40,
        "toolUsePromptTokenCount": 5,
        "cachedContentTokenCount": 30,
        "candidatesTokenCount": 20,
        "thoughtsTokenCount": 7,
        "totalTokenCount": 72,
    },
    "modelVersion": "gemini-2.5-flash",
}  # fmt: skip
_GEMINI_FIRST = {"claim": FIRST, "resolved": "utf8_bytes", **FIRST_RANGE}
GEMINI_READ = {
    "answer": ANSWER,
    "contexts": [
        {"uri": URL, "title": "Hours"},
        {"text": SOURCE, "uri": "gs://b/h.md", "title": "h.md"},
    ],
    "citations": [
        {**_GEMINI_FIRST, "source_id": URL},
        {**_GEMINI_FIRST, "source_id": "gs://b/h.md"},
        {
            "claim": SECOND[1:],
            "resolved": "utf8_bytes",
            "answer_start": len(FIRST) + 1,
            "answer_end": len(ANSWER),
            "source_id": "gs://b/h.md",
        },
    ],
    "usage": {
        "input_tokens": 45,
        "output_tokens": 27,
        "cache_read_input_tokens": 30,
        "reasoning_output_tokens": 7,
    },
    "model": "gemini-2.5-flash",
    "finish_reason": "STOP",
    "provider": "gcp.gen_ai",
}

_COHERE_DOCUMENT = {"id": "d1", "text": SOURCE, "title": "Hours"}
COHERE_V1: dict[str, Any] = {
    "text": ANSWER,
    "generation_id": "g1",
    "response_id": "r1",
    "citations": [
        {
            "start": 2,
            "end": len(FIRST),
            "text": FIRST[2:],
            "document_ids": ["d1", "d2"],
            "type": "TEXT_CONTENT",
        }
    ],
    "documents": [_COHERE_DOCUMENT, {"id": "d2", "snippet": "Museum"}],
    "finish_reason": "COMPLETE",
    "meta": {
        "api_version": {"version": "1"},
        "billed_units": {"input_tokens": 20.0, "output_tokens": 10.0},
        "tokens": {"input_tokens": 500.0, "output_tokens": 12.0},
    },
}
_COHERE_CLAIM = {
    "claim": FIRST[2:],
    "resolved": "code_points",
    "answer_start": 2,
    "answer_end": len(FIRST),
}
COHERE_V1_READ = {
    "answer": ANSWER,
    "contexts": [{"text": SOURCE, "id": "d1", "title": "Hours"}, {"text": "Museum", "id": "d2"}],
    "citations": [{**_COHERE_CLAIM, "source_id": "d1"}, {**_COHERE_CLAIM, "source_id": "d2"}],
    "usage": {"input_tokens": 500, "output_tokens": 12},
    "finish_reason": "COMPLETE",
    "provider": "cohere",
}
COHERE_V2: dict[str, Any] = {
    "id": "c2",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": ANSWER}],
        "citations": [
            {
                "start": 2,
                "end": len(FIRST),
                "text": FIRST[2:],
                "content_index": 1,
                "type": "TEXT_CONTENT",
                "sources": [{"type": "document", "id": "d1", "document": _COHERE_DOCUMENT}],
            },
            {
                "start": 0,
                "end": 2,
                "text": "hm",
                "content_index": 0,
                "type": "THINKING_CONTENT",
                "sources": [{"type": "document", "id": "d1", "document": _COHERE_DOCUMENT}],
            },
        ],
    },
    "usage": {
        "billed_units": {"input_tokens": 20.0, "output_tokens": 10.0},
        "tokens": {"input_tokens": 500.0, "output_tokens": 12.0},
        "cached_tokens": 64.0,
    },
}
COHERE_V2_READ = {
    "answer": ANSWER,
    "contexts": [{"text": SOURCE, "id": "d1", "title": "Hours"}],
    "citations": [{**_COHERE_CLAIM, "source_id": "d1"}],
    "usage": {"input_tokens": 500, "output_tokens": 12, "cache_read_input_tokens": 64},
    "finish_reason": "COMPLETE",
    "provider": "cohere",
    "metadata": {"contexts": "cited only"},
}

MISTRAL: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "mistral-large-latest",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": FIRST},
                    {"type": "reference", "reference_ids": [1, "h2"]},
                    {"type": "text", "text": SECOND},
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42},
}
MISTRAL_READ = {
    "answer": ANSWER,
    "citations": [
        {"source_id": "1", "claim": FIRST, **FIRST_RANGE},
        {"source_id": "h2", "claim": FIRST, **FIRST_RANGE},
    ],
    "usage": {"input_tokens": 30, "output_tokens": 12},
    "model": "mistral-large-latest",
    "finish_reason": "stop",
    "provider": "mistral_ai",
}

_REFERENCE = {
    "content": {"type": "TEXT", "text": SOURCE},
    "location": {"type": "S3", "s3Location": {"uri": "s3://b/h.md"}},
    "metadata": {"x-amz-bedrock-kb-chunk-id": "k1"},
}
BEDROCK_GENERATED: dict[str, Any] = {
    "sessionId": "s1",
    "output": {"text": ANSWER},
    "citations": [
        {
            "generatedResponsePart": {
                "textResponsePart": {"text": FIRST, "span": {"start": 0, "end": len(FIRST) - 1}}
            },
            "retrievedReferences": [_REFERENCE],
        },
        {
            "generatedResponsePart": {
                "textResponsePart": {
                    "text": SECOND[1:], "span": {"start": len(FIRST) + 1, "end": len(ANSWER) - 1}
                }
            },
            "retrievedReferences": [],
        },
    ],
}  # fmt: skip
BEDROCK_GENERATED_READ = {
    "answer": ANSWER,
    "contexts": [{"text": SOURCE, "id": "k1", "uri": "s3://b/h.md", "metadata": _REFERENCE["metadata"]}],
    "citations": [{"claim": FIRST, "resolved": "code_points_inclusive", **FIRST_RANGE, "source_id": "k1"}],
    "conversation_id": "s1",
    "metadata": {"contexts": "cited only"},
    "provider": "aws.bedrock",
}
BEDROCK_CONVERSE: dict[str, Any] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                {
                    "citationsContent": {
                        "content": [{"text": FIRST}],
                        "citations": [
                            {
                                "title": "Hours",
                                "sourceContent": [{"text": QUOTE}],
                                "location": {"documentChar": {"documentIndex": 0, "start": 16, "end": 41}},
                            },
                            {
                                "sourceContent": [{"text": QUOTE}],
                                "location": {"documentPage": {"documentIndex": 1, "start": 1, "end": 2}},
                            },
                        ],
                    }
                },
                {"text": SECOND},
            ],
        }
    },
    "stopReason": "end_turn",
    "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 115, "cacheReadInputTokens": 100},
    "metrics": {"latencyMs": 812},
}
BEDROCK_CONVERSE_READ = {
    "answer": ANSWER,
    "citations": [
        {
            "quote": QUOTE,
            "source_id": "Hours",
            "source_start": 16,
            "source_end": 41,
            "resolved": "unresolved",
            "claim": FIRST,
            **FIRST_RANGE,
        },
        {"quote": QUOTE, "source_id": "2", "claim": FIRST, **FIRST_RANGE},
    ],
    "usage": {"input_tokens": 110, "output_tokens": 5, "cache_read_input_tokens": 100},
    "finish_reason": "end_turn",
    "provider": "aws.bedrock",
}

ALL: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "openai chat": (OPENAI_CHAT, OPENAI_CHAT_READ),
    "openai responses": (OPENAI_RESPONSES, OPENAI_RESPONSES_READ),
    "openai assistants": (ASSISTANTS, ASSISTANTS_READ),
    "azure on your data": (AZURE, AZURE_READ),
    "perplexity": (PERPLEXITY, PERPLEXITY_READ),
    "anthropic": (ANTHROPIC, ANTHROPIC_READ),
    "gemini": (GEMINI, GEMINI_READ),
    "cohere v1": (COHERE_V1, COHERE_V1_READ),
    "cohere v2": (COHERE_V2, COHERE_V2_READ),
    "mistral": (MISTRAL, MISTRAL_READ),
    "bedrock retrieve-and-generate": (BEDROCK_GENERATED, BEDROCK_GENERATED_READ),
    "bedrock converse": (BEDROCK_CONVERSE, BEDROCK_CONVERSE_READ),
}
