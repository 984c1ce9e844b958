"""Anthropic's client traces its calls itself; the environment says whether with content."""

from claude import ask
from common import tracer_provider

provider = tracer_provider()
assert ask().content
provider.shutdown()
