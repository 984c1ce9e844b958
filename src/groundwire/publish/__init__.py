"""Sends grades back to where people already look: a backend's OTLP endpoint, or Phoenix's annotations.

In goes an audit log, out go ``gen_ai.evaluation.result`` events (log records of the judged spans), spans of
their own, or one gauge for dashboards, over OTLP/HTTP. A ledger beside the log remembers what has arrived, so
that a second run sends nothing twice and a broken one goes on. It deliberately does not know how a grade came
about, sends no content unless asked, and uses no OpenTelemetry SDK: requests are built from the protocol's
own messages.
"""

from groundwire.publish.evaluations import Evaluation, explain_from, read_evaluations
from groundwire.publish.ledger import Ledger
from groundwire.publish.metrics import publish_metrics
from groundwire.publish.publishing import Published, publish, record_copy
from groundwire.publish.transport import Refused, Sender

__all__ = [
    "Evaluation",
    "Ledger",
    "Published",
    "Refused",
    "Sender",
    "explain_from",
    "publish",
    "publish_metrics",
    "read_evaluations",
    "record_copy",
]
