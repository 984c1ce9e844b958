"""The call that is being recorded, what may be told to it, and the no-op that stands in elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from opentelemetry import trace

from groundwire.instrumentation.context import CALL_KEY, get_current
from groundwire.instrumentation.hooks import label_text
from groundwire.instrumentation.late import values
from groundwire.instrumentation.losses import count_loss

if TYPE_CHECKING:
    from groundwire.instrumentation.recording import AnswerSite


class Call:
    """One answer in the making. Everything told to it wins over what is read from the return value.

    Methods never raise; what comes after the end of the call is counted as a loss (``late``).
    """

    is_recording = True

    # Class-level defaults: a call that is told nothing stores nothing.
    _told: list[tuple[type | None, str, Any]] | None = None
    contexts_argument: Any = None
    history: list[dict[str, Any]] | None = None
    question: str | None = None
    retrieved: list[list[dict[str, Any]]] | None = None
    site: AnswerSite
    span: trace.Span

    @property
    def ref(self) -> str | None:
        """The answer's reference for :func:`feedback`: a W3C traceparent; None where there is no span."""
        return ref_of(self.span)

    def update(self, **fields: Any) -> None:
        """Set fields of the record by name (``answer``, ``tenant``, ``expected``, …); None is ignored."""
        self._tell(None, lambda: fields)

    def _tell(self, join: type | None, read: Callable[[], Mapping[str, Any]]) -> None:
        """Note the fields that ``read`` gives; with ``join`` list or dict they add to those told before."""
        try:
            if not self.span.is_recording():
                count_loss("late")
                return
            new = [(join, name, value) for name, value in read().items() if value is not None]
            # Both steps are atomic: threads of one call may tell it things at once.
            vars(self).setdefault("_told", []).extend(new)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("update", cause)

    def told(self) -> dict[str, Any]:
        """Return what was told so far, by field name."""
        fields: dict[str, Any] = {}
        for join, name, value in self._told or ():
            known = fields.get(name)
            if join is list:
                value = [*known, *value] if type(known) is list else value
            elif join is dict:
                value = {**known, **value} if type(known) is dict else value
            fields[name] = value
        return fields

    def _extend(self, name: str, items: Any) -> None:
        if items is not None:
            self._tell(list, lambda: {name: _as_list(items)})

    def _merge(self, name: str, more: Mapping[str, Any]) -> None:
        self._tell(dict, lambda: {name: values.plain_items(more)})

    def set_question(self, question: str) -> None:
        """State the question."""
        self.update(question=question)

    def set_answer(self, answer: str) -> None:
        """State the answer's text."""
        self.update(answer=answer)

    def add_contexts(self, contexts: Any) -> None:
        """Add retrieved passages: texts, mappings, a framework's documents; ``[]``: none were found."""
        self._extend("contexts", contexts)

    def add_citations(self, citations: Any) -> None:
        """Add citations: mappings with the fields of Citation."""
        self._extend("citations", citations)

    def set_usage(
        self,
        *,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cache_read_input_tokens: int | None = None,
        cache_write_input_tokens: int | None = None,
        reasoning_output_tokens: int | None = None,
    ) -> None:
        """State the tokens of all model calls of this answer; input includes cached, output reasoning."""
        given = {
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "cache_read_input_tokens": cache_read_input_tokens,
            "cache_write_input_tokens": cache_write_input_tokens,
            "reasoning_output_tokens": reasoning_output_tokens,
        }
        self._merge("usage", {name: value for name, value in given.items() if value is not None})

    def set_model(self, model: str, *, provider: str | None = None) -> None:
        """State the model that answered, and its provider (``openai``, ``anthropic``, …)."""
        self.update(model=model, provider=provider)

    def set_tags(self, tags: Mapping[str, str] | None = None, **more: str) -> None:
        """Add tags; a tag that is set again is replaced."""
        if tags is not None:
            self._merge("tags", tags)
        if more:
            self._merge("tags", more)

    def set_prompt(self, prompt_id: str | None = None, *, version: str | None = None) -> None:
        """State which prompt was used, and its version."""
        self.update(prompt_id=prompt_id, prompt_version=version)

    def set_conversation(self, conversation_id: str, *, subject_id: str | None = None) -> None:
        """State the conversation, and the pseudonymous id of the person it is with."""
        self.update(conversation_id=conversation_id, subject_id=subject_id)

    def abstain(self, abstained: bool = True) -> None:
        """State that the application declined to answer (or, with False, that it did not)."""
        self.update(abstained=abstained)

    def set_cost(self, amount: str | float, *, currency: str = "USD", source: str = "application") -> None:
        """State what this answer cost, as a decimal string or a number, in an ISO 4217 currency."""
        known = {"currency": currency, "source": source}
        self._tell(None, lambda: {"recorded_cost": {"amount": _decimal(amount), **known}})


def _as_list(items: Any) -> list[Any]:
    """Return the items of a list or tuple, without running code of theirs; anything else is one item."""
    kind = type(items)
    if issubclass(kind, list):
        return list.copy(items)
    if issubclass(kind, tuple) and not hasattr(kind, "_fields"):
        return [*tuple.__iter__(items)]
    return [items]


def _decimal(amount: str | float) -> str:
    """Return a number as a decimal string without exponent; text as it is."""
    text = label_text(amount)
    if text is None:
        raise TypeError("no amount")
    if "e" not in text.lower():
        return text
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return format(number, "f") if abs(number.adjusted()) < _MAX_EXPONENT else text


_MAX_EXPONENT = 64
"""Costs with a larger exponent are no costs, and would be written with as many digits."""


class _NoCall(Call):
    """Stands in where nothing is recorded: every method does nothing."""

    is_recording = False

    @property
    def ref(self) -> str | None:
        return ref_of(trace.get_current_span())

    def _tell(self, join: type | None, read: Callable[[], Mapping[str, Any]]) -> None:
        return

    def told(self) -> dict[str, Any]:
        return {}


NO_CALL = _NoCall()


def current_call() -> Call:
    """Return the call that is being recorded here; never None.

    Outside a decorated function, or where the call is not sampled, it is a shared object whose methods do
    nothing.

    >>> current_call().set_usage(input_tokens=812, output_tokens=90)
    """
    found = get_current().get(CALL_KEY)
    return found if isinstance(found, Call) else NO_CALL


def ref_of(span: trace.Span) -> str | None:
    """Return a span's place as a W3C traceparent, or None if it is not valid. Never raises."""
    try:
        where = span.get_span_context()
        if not where.is_valid:
            return None
        return f"00-{where.trace_id:032x}-{where.span_id:016x}-{where.trace_flags & 0xFF:02x}"
    except Exception as cause:  # noqa: BLE001 - another provider's span
        count_loss("ref", cause)
        return None
