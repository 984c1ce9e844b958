"""Redaction before anything is set on the span: a built-in kind, and a function of one's own.

Run: python examples/redaction_hook.py
"""

from __future__ import annotations

import re

from groundwire import instrument
from groundwire.testing import capture_spans

CUSTOMER = re.compile(r"\bC-\d{6}\b")


def hide_customer_numbers(text: str) -> str:
    return CUSTOMER.sub("[customer]", text)


def main() -> None:
    with capture_spans() as spans:

        @instrument(redact="email", tracer_provider=spans.provider)
        def by_kind(question: str) -> str:
            return "Write to help@example.org; help@example.org answers."

        @instrument(redact=hide_customer_numbers, tracer_provider=spans.provider)
        def by_hook(question: str) -> str:
            return "Your number is C-123456."

        print("returned:", by_kind("How do I reach you?"))
        print("recorded:", spans.attributes()["output.value"])
        print("returned:", by_hook("What is my number?"))
        print("recorded:", spans.attributes()["output.value"])


if __name__ == "__main__":
    main()
