"""What is settled once for a decorated function: name, options, where its arguments are, its tracer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Self

from opentelemetry import trace

from groundwire import __version__, semconv
from groundwire.instrumentation.arguments import ArgumentFinder
from groundwire.instrumentation.hooks import label_text
from groundwire.instrumentation.policy import Policy

_CONSTANT_FIELDS = ("prompt_id", "prompt_version", "index_version", "tenant")
_NO_TRACER = object()


class Site:
    """One decorated function. Picklable: function and options travel, the rest is made anew."""

    __slots__ = (
        "_baggage", "_given_provider", "_provider", "_tracer", "constants", "conversation", "extract",
        "finder", "function", "label", "options", "policy", "reads_more", "span_name", "static", "usual",
    )  # fmt: skip

    operation: str = semconv.OPERATION_WORKFLOW
    kind: str = "CHAIN"
    decorator: ClassVar = "instrument"

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self.function, self.options = function, dict(options)
        if options:
            self._check(function)
        self.label = options.get("name") or _name_of(function)
        self.span_name = f"{self.operation} {self.label}"
        self.finder = ArgumentFinder(function, options.get("question"), options.get("contexts"))
        if options and self.finder.parameters is not None:
            self._check(function, self.finder.parameters)
        self.usual = self.finder.usual
        self.extract = options.get("extract")
        self.conversation = options.get("conversation")
        self.constants = {name: options[name] for name in _CONSTANT_FIELDS if options.get(name) is not None}
        if options.get("tags"):
            self.constants["tags"] = dict(options["tags"])
        self._baggage = _baggage_fields(options.get("baggage"))
        self.reads_more = bool(
            self._baggage
            or self.conversation
            or self.extract
            or self.constants
            or self.finder.looks_for_contexts
        )
        self._given_provider = options.get("tracer_provider")
        self._provider: Any = _NO_TRACER
        self._tracer: trace.Tracer | None = None

    def _check(self, function: Any, parameters: tuple[str, ...] | None = None) -> None:
        """Raise ConfigError on an option that can not be right; while decorating, so never from a call."""
        from groundwire.instrumentation import options as rules

        where = f"@{self.decorator} on {_name_of(function)}"
        if parameters is None:
            known = rules.RETRIEVER_OPTIONS if self.decorator == "retriever" else rules.INSTRUMENT_OPTIONS
            rules.check_options(self.options, known, where)
        else:
            rules.check_parameters(self.options, parameters, where)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {name: value for name, value in self.options.items() if name != "tracer_provider"}
        return type(self), (self.function, kept)

    def on(self, function: Callable[..., Any]) -> Self:
        """Return the same site for another function of the same signature (a method, bound anew)."""
        twin = object.__new__(type(self))
        for name in Site.__slots__:
            if hasattr(self, name):
                setattr(twin, name, getattr(self, name))
        twin.function = function
        return twin

    def tracer(self) -> trace.Tracer | None:
        """Return the tracer, or None as long as no SDK is set up (or it is disabled)."""
        provider = self._given_provider or trace.get_tracer_provider()
        if provider is not self._provider:
            self._settle(provider)
        return self._tracer

    def _settle(self, provider: Any) -> None:
        options = self.options
        policy = self.policy = Policy(options.get("capture"), options.get("redact"), options.get("offload"))
        if options.get("name") and (policy.redact_kinds or policy.redact_call):
            from groundwire.instrumentation.redaction import redact_text

            self.label = redact_text(str(options["name"]), policy)
            self.span_name = f"{self.operation} {self.label}"
        self.static = self._static_attributes()
        self._tracer = tracer_of(provider)
        self._provider = provider

    def read_more(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the record fields that come from the conversation's parameter and from baggage."""
        from opentelemetry import baggage

        fields: dict[str, Any] = {}
        if self.conversation is not None:
            given = kwargs if self.conversation in kwargs else self.finder.bind(args, kwargs)
            found = given.get(self.conversation)
            fields["conversation_id"] = label_text(found)
        for key, field in self._baggage:
            value = baggage.get_baggage(key)
            if isinstance(value, str):
                if field == "tags":
                    fields.setdefault("tags", {})[key] = value
                else:
                    fields[field] = value
        return fields

    def _static_attributes(self) -> dict[str, Any]:
        attributes: dict[str, Any] = {
            semconv.OPERATION_NAME: self.operation,
        }
        if not self.policy.full:
            attributes[semconv.CAPTURE] = self.policy.capture
        if self.policy.openinference:
            attributes[semconv.OPENINFERENCE_KIND] = self.kind
        return attributes


def _baggage_fields(baggage_option: Any) -> tuple[tuple[str, str], ...]:
    if not baggage_option:
        return ()
    if isinstance(baggage_option, Mapping):
        return tuple(baggage_option.items())
    keys = (baggage_option,) if isinstance(baggage_option, str) else baggage_option
    return tuple((key, "tags") for key in keys)


def tracer_of(provider: Any) -> trace.Tracer | None:
    """Return our tracer of ``provider``, or None if its spans would be no-ops."""
    if isinstance(provider, (trace.ProxyTracerProvider, trace.NoOpTracerProvider)):
        return None
    tracer = provider.get_tracer(semconv.SCOPE_NAME, __version__, semconv.SCHEMA_URL)
    return None if isinstance(tracer, trace.NoOpTracer) else tracer


def _name_of(function: Any) -> str:
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    if name is None and issubclass(type(function), partial):
        return _name_of(function.func)
    name = name if isinstance(name, str) else type(function).__qualname__
    return name.rpartition("<locals>.")[2]
