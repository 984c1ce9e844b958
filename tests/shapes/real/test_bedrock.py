"""Bedrock's answers as botocore parses them from the wire, against its own service models."""

from __future__ import annotations

import json
from typing import Any

import pytest

from groundwire.shapes import read_documents, read_result
from shapes import payloads


def parsed(real, service: str, operation: str, body: dict[str, Any]) -> dict[str, Any]:
    """Let botocore parse a wire answer of ``operation``: what its model does not know falls away."""
    model = real("botocore.session").Session().get_service_model(service)
    parser = real("botocore.parsers").create_parser("rest-json")
    response = {"status_code": 200, "headers": {}, "body": json.dumps(body).encode()}
    return parser.parse(response, model.operation_model(operation).output_shape)


@pytest.mark.parametrize(
    ("service", "operation", "payload", "expected"),
    [
        ("bedrock-runtime", "Converse", payloads.BEDROCK_CONVERSE, payloads.BEDROCK_CONVERSE_READ),
        (
            "bedrock-agent-runtime",
            "RetrieveAndGenerate",
            payloads.BEDROCK_GENERATED,
            payloads.BEDROCK_GENERATED_READ,
        ),
    ],
)
def test_parsed_answer(real, service: str, operation: str, payload: Any, expected: Any) -> None:
    """The parsed answer, with its ResponseMetadata, is read like the documented form."""
    answer = parsed(real, service, operation, payload)
    assert "ResponseMetadata" in answer
    assert read_result(answer) == expected


def test_retrieved_passages(real) -> None:
    """Retrieve's results become passages with text, address and score."""
    body = {
        "retrievalResults": [
            {**payloads.BEDROCK_GENERATED["citations"][0]["retrievedReferences"][0], "score": 0.5}
        ]
    }
    answer = parsed(real, "bedrock-agent-runtime", "Retrieve", body)
    documents = read_documents(answer)
    assert documents is not None
    assert [(d["text"], d["uri"], d["score"]) for d in documents] == [(payloads.SOURCE, "s3://b/h.md", 0.5)]
