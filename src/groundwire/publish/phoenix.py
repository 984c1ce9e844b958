"""Evaluations → Phoenix's span annotations (its HTTP API, ``POST /v1/span_annotations``). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from groundwire import semconv
from groundwire.publish.evaluations import Evaluation

ANNOTATIONS_PATH = "/v1/span_annotations?sync=true"
_SHOWN_APART = frozenset(
    (
        semconv.EVALUATION_NAME,
        semconv.EVALUATION_SCORE,
        semconv.EVALUATION_LABEL,
        semconv.EVALUATION_EXPLANATION,
    )
)


def encode_annotations(evaluations: Iterable[Evaluation]) -> bytes:
    """Return the body. An annotation replaces the one of its name on its span: sending is idempotent."""
    return json.dumps({"data": [_annotation(one) for one in evaluations]}).encode()


def parse_absent(answer: str) -> frozenset[str]:
    """Return the span ids that Phoenix says it does not have; it takes nothing of such a request.

    >>> sorted(parse_absent("Spans with IDs 00000000000000bb, 00000000000000aa do not exist."))
    ['00000000000000aa', '00000000000000bb']
    """
    return frozenset(re.findall(r"\b[0-9a-f]{16}\b", answer))


def _annotation(one: Evaluation) -> dict[str, Any]:
    result = {
        "label": one.outcome,
        "score": one.attributes.get(semconv.EVALUATION_SCORE),
        "explanation": one.attributes.get(semconv.EVALUATION_EXPLANATION),
    }
    return {
        "span_id": one.span_id,
        "name": one.name,
        "annotator_kind": "LLM" if one.attributes.get(semconv.GRADE_METHOD) == "judge" else "CODE",
        "identifier": "groundwire",
        "result": {key: value for key, value in result.items() if value is not None},
        "metadata": {key: value for key, value in one.attributes.items() if key not in _SHOWN_APART},
    }
