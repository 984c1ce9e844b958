"""OpenLIT over the OpenAI client, below its decorator."""

import os

from common import MESSAGES, QUESTION, STUB, client

os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = STUB

import openlit

openlit.init(application_name="flow", disable_batch=True)


@openlit.trace
def ask(question):
    return client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
