"""With a MeterProvider: calls, their duration and losses; sampled or not."""

from __future__ import annotations

from instrumentation.processes import run_script


def test_calls_durations_and_losses_are_measured() -> None:
    """Every call is counted with its outcome, recorded ones have a duration, losses have their reason."""
    done = run_script(
        """
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from groundwire import instrument, sampler
reader = InMemoryMetricReader()
metrics.set_meter_provider(MeterProvider([reader]))
kept, dropped = TracerProvider(), TracerProvider(sampler=sampler(0.0))

@instrument(name="a", tracer_provider=kept, extract=lambda arguments, result: 1 / 0)
def a(q): return "x"
@instrument(name="a", tracer_provider=dropped)
def b(q): return "x"
@instrument(name="s", tracer_provider=kept)
def s(q): yield "x"
a("q"); b("q"); b("q"); list(s("q")); next(s("q"))
try: instrument(name="f", tracer_provider=kept)(lambda q: 1 / 0)("q")
except ZeroDivisionError: pass
data = reader.get_metrics_data().resource_metrics[0].scope_metrics[0]
for metric in sorted(data.metrics, key=lambda metric: metric.name):
    for point in metric.data.data_points:
        attributes = dict(point.attributes)
        print(metric.name, *attributes.values(), getattr(point, "count", None) or point.value)
"""
    )
    assert done.stderr == ""
    assert sorted(done.stdout.splitlines()) == [
        "groundwire.call.duration a returned 1",
        "groundwire.call.duration f failed 1",
        "groundwire.call.duration s abandoned 1",
        "groundwire.call.duration s exhausted 1",
        "groundwire.calls a returned 3",
        "groundwire.calls f failed 1",
        "groundwire.calls s abandoned 1",
        "groundwire.calls s exhausted 1",
        "groundwire.loss extract 1",
    ]
