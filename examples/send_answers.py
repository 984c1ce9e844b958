"""Answers ten questions from three passages, decorated, and sends the spans to the Collector on this machine.

    python examples/send_answers.py

Where it listens elsewhere, set OTEL_EXPORTER_OTLP_ENDPOINT. One of the citations is false: find it with
`groundwire score traces -o audit`.
"""

import groundwire as gw

PASSAGES = {
    "engine": "Charles Babbage designed the Analytical Engine in 1837. It was never completed.",
    "notes": "Ada Lovelace published notes on the engine in 1843, with a program for Bernoulli numbers.",
    "mill": "The part of the engine that calculates is called the mill; the part that remembers, the store.",
}


@gw.retriever
def search(query: str) -> list[dict[str, str]]:
    words = set(query.lower().strip("?").split())
    ranked = sorted(PASSAGES, key=lambda name: -len(words & set(PASSAGES[name].lower().split())))
    return [{"id": name, "text": PASSAGES[name]} for name in ranked]


@gw.instrument(prompt_version="7")
def answer(question: str, number: int) -> dict[str, object]:
    passages = search(question)
    best = passages[0]
    quote = best["text"].partition(". ")[0]
    if number == 4:
        quote = "Ada Lovelace built the engine herself"
    return {
        "answer": f'The source says: "{quote}" [1].',
        "contexts": passages,
        "citations": [{"quote": quote, "source_id": best["id"]}],
        "usage": {"input_tokens": 180 + number, "output_tokens": 24},
    }


def main() -> None:
    gw.configure(service_name="example")
    questions = ("Who designed the engine?", "What did Ada publish?", "What is the mill of the engine?")
    for number in range(10):
        answer(questions[number % 3], number)
    gw.flush()
    print(gw.diagnostics()["calls"], "answers sent, lost:", gw.diagnostics()["lost"] or "none")


if __name__ == "__main__":
    main()
