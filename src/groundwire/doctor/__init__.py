"""Checks a live set-up: does what the service sends arrive, whole, and can its sampling be undone?

In go an endpoint and a folder of traces, out come findings, each with what to do. It sends empty requests
and one test span over OTLP, which is no answer and never graded. It deliberately does not know how the
findings are shown, and changes nothing.
"""

from groundwire.doctor.endpoint import examine_arrival, examine_endpoint
from groundwire.doctor.findings import Finding
from groundwire.doctor.traces import examine_traces

__all__ = ["Finding", "examine_arrival", "examine_endpoint", "examine_traces"]
