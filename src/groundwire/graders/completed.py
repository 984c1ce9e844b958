"""Did the answer arrive whole?"""

from __future__ import annotations

from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.record import RagRecord

_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "token_limit", "incomplete"})
_FILTERED = frozenset(
    {"content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content"}
)
_WHOLE = frozenset(
    {"stop", "end_turn", "stop_sequence", "complete", "completed", "finished", "eos", "eos_token"}
)
_BROKEN_STREAMS = frozenset({"failed", "cancelled"})
_LEFT_STREAMS = frozenset({"closed", "abandoned"})
_REASONS = {
    "error": "The call ended with an error.",
    "stream": "The stream ended before it was exhausted.",
    "cut": "The model stopped at its token limit.",
    "filtered": "The provider's filter stopped the answer.",
    "empty": "The call ended well, with an empty answer.",
}


class Completed(GradeMaker):
    """Whether the answer arrived whole: no error, a stream read to its end, not cut, not filtered, not empty.

    *Definition*: the first of these that holds makes it ``fail``, with that label: the record has an error
    (``error``); the stream failed or was cancelled, or its reader left before the model said that it was done
    (``stream``); the finish reason is a token limit (``cut``) or a content filter (``filtered``); the
    answer is empty (``empty``). *Score*: None. *Outcomes*: pass, fail; unknown when the answer was not
    captured and nothing says how the call ended. *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> Completed().grade(Shared(RagRecord(answer="Thirty d", finish_reason="length"))).label
    'cut'
    """

    name = "completed"
    version = "1"
    basis = Basis.CHECKED

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        record = shared.record
        fault = _fault(record)
        if fault is not None:
            return self.make(Outcome.FAIL, fault, _REASONS[fault])
        if record.answer is None and record.finish_reason is None and record.stream_end is None:
            return self.make(
                Outcome.UNKNOWN, "not_captured", "Nothing on the record says how the call ended."
            )
        return self.make(Outcome.PASS, "whole", "The answer arrived whole.")


def _fault(record: RagRecord) -> str | None:
    if record.error is not None or record.status == "error":
        return "error"
    reason = (record.finish_reason or "").lower()
    if record.stream_end in _BROKEN_STREAMS or (record.stream_end in _LEFT_STREAMS and reason not in _WHOLE):
        return "stream"
    if reason in _CUT:
        return "cut"
    if reason in _FILTERED:
        return "filtered"
    if record.answer is not None and not record.answer.strip():
        return "empty"
    return None
