"""Pydantic AI, Haystack, Vercel's AI SDK, OpenLIT, and vocabularies of one input and one output."""

from __future__ import annotations

from typing import Any

from dialects.making import ANSWER, MESSAGES, QUESTION, TEXTS, Maker, assert_whole, dump, texts_of

DOCUMENTS = [{"id": f"d{n}", "content": text, "score": 0.5} for n, text in enumerate(TEXTS, 1)]


def test_pydantic_ai_agent_and_tool_of_the_second_version() -> None:
    """Old names: ``all_messages_events``, ``tool_response``; the root's usage repeats the leaves'."""
    make = Maker("pydantic-ai")
    events = [
        {"event.name": "gen_ai.user.message", "role": "user", "content": QUESTION},
        {"event.name": "gen_ai.assistant.message", "role": "assistant", "content": ANSWER},
    ]
    root = make.span("agent run", final_result=ANSWER, all_messages_events=dump(events), agent_name="a")
    make.put(root, {"gen_ai.usage.input_tokens": 20})
    for n, at in enumerate(((1, 4), (10, 50))):
        chat = make.span(
            "chat m", root, at=at, gen_ai__operation__name="chat", gen_ai__usage__input_tokens=10
        )
        make.put(chat, {"gen_ai.response.id": f"r{n}"})
    tool = make.span("running tool", root, at=(5, 9), gen_ai__tool__name="retrieve")
    make.put(tool, {"tool_arguments": dump({"query": QUESTION}), "tool_response": dump(DOCUMENTS)})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 20


def test_logfire_pending_spans_are_dropped() -> None:
    """A pending span is an early copy of the real one: it changes nothing."""
    make = Maker("pydantic-ai")
    root = make.span(
        "agent run", final_result=ANSWER, all_messages_events=dump([{"role": "user", "content": QUESTION}])
    )
    pending = make.span("agent run", root, at=(0, 0), final_result="early", logfire__span_type="pending_span")
    make.put(pending, {"gen_ai.usage.input_tokens": 99})
    record = make.record()
    assert (record.question, record.answer, record.usage) == (QUESTION, ANSWER, None)


def component(make: Maker, kind: str, at: tuple[int, int], given: Any, said: Any) -> None:
    span = make.span("haystack.component.run", make.spans[0], at=at)
    make.put(span, {"haystack.component.type": kind, "haystack.component.input": dump(given)})
    make.put(span, {"haystack.component.output": dump(said)})


def test_haystack_pipeline() -> None:
    """All spans share two names; metadata is flattened into the documents; usage lies in the replies."""
    make = Maker()
    root = make.span("haystack.pipeline.run")
    make.put(root, {"haystack.pipeline.input_data": dump({"retriever": {"query": QUESTION}})})
    answers = {"answers": {"answers": [{"data": ANSWER, "query": QUESTION, "documents": DOCUMENTS[:1]}]}}
    make.put(root, {"haystack.pipeline.output_data": dump(answers)})
    documents = [{**document, "page": 3} for document in DOCUMENTS]
    component(make, "InMemoryBM25Retriever", (5, 9), {"query": QUESTION}, {"documents": documents})
    reply = {"role": "assistant", "content": [{"text": ANSWER}], "meta": {"usage": {"prompt_tokens": 9}}}
    component(make, "OpenAIChatGenerator", (10, 50), {"messages": MESSAGES}, {"replies": [reply]})
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].metadata == {"page": 3}
    assert record.usage is not None and record.usage.input_tokens == 9


def test_haystack_text_replies_have_their_metadata_beside_them() -> None:
    """A generator of plain texts says model, reason and usage in a list of its own."""
    make = Maker()
    make.put(make.span("haystack.pipeline.run"), {"haystack.pipeline.input_data": dump({"query": QUESTION})})
    meta = {"model": "m", "finish_reason": "length", "usage": {"prompt_tokens": 9}}
    component(make, "OpenAIGenerator", (10, 50), {"prompt": QUESTION}, {"replies": [ANSWER], "meta": [meta]})
    record = make.record()
    assert (record.answer, record.model, record.finish_reason) == (ANSWER, "m", "length")
    assert record.usage is not None and record.usage.input_tokens == 9


def test_haystack_ranker_overrides_the_retriever() -> None:
    """A ranker's output stands for what it was given."""
    make = Maker()
    make.put(
        make.span("haystack.pipeline.run"), {"haystack.pipeline.input_data": dump({"r": {"query": QUESTION}})}
    )
    component(make, "QdrantEmbeddingRetriever", (5, 9), {"query": QUESTION}, {"documents": DOCUMENTS})
    ranked = {"query": QUESTION, "documents": DOCUMENTS}, {"documents": DOCUMENTS[1:]}
    component(make, "TransformersSimilarityRanker", (9, 10), *ranked)
    component(
        make,
        "OpenAIGenerator",
        (10, 50),
        {"prompt": QUESTION},
        {"replies": [ANSWER], "meta": [{"model": "m"}]},
    )
    record = make.record()
    assert (texts_of(record), record.model, record.answer) == ([TEXTS[1]], "m", ANSWER)


def test_vercel_legacy_outer_and_inner_span() -> None:
    """The outer span repeats the inner one's usage; a tool's result is the retrieval."""
    make = Maker("ai")
    root = make.span("ai.generateText", ai__operationId="ai.generateText", ai__response__text=ANSWER)
    make.put(root, {"ai.prompt": dump({"system": "Be brief.", "prompt": QUESTION})})
    make.put(root, {"ai.usage.promptTokens": 9, "ai.usage.completionTokens": 2})
    inner = make.span("ai.generateText.doGenerate", root, at=(10, 50), ai__response__text=ANSWER)
    make.put(inner, {"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": dump(MESSAGES)})
    make.put(inner, {"ai.usage.inputTokens": 9, "ai.response.id": "r", "gen_ai.usage.input_tokens": 9})
    tool = make.span("ai.toolCall", root, at=(5, 9), ai__operationId="ai.toolCall")
    make.put(tool, {"ai.toolCall.name": "getInformation", "ai.toolCall.result": dump(DOCUMENTS)})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def test_haystack_agent_and_what_its_tools_returned() -> None:
    """A tool's result lies in a message, with its name; the agent's span holds the messages."""
    make = Maker()
    root = make.span("haystack.agent.run")
    given = {"messages": [{"role": "user", "content": [{"text": QUESTION}]}]}
    said = {"last_message": {"role": "assistant", "content": [{"text": ANSWER}]}}
    make.put(root, {"haystack.agent.input": dump(given), "haystack.agent.output": dump(said)})
    returned = {"result": dump(DOCUMENTS), "origin": {"tool_name": "search"}, "error": False}
    failed = {"result": "no index", "origin": {"tool_name": "search"}, "error": True}
    content = [{"tool_call_result": returned}, {"tool_call_result": failed}]
    component(make, "ToolInvoker", (5, 9), {}, {"tool_messages": [{"role": "tool", "content": content}]})
    component(make, "OpenAIChatGenerator", (10, 50), given, {"replies": [said["last_message"]]})
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and [c.id for c in record.contexts] == ["d1", "d2"]


def test_vercel_outer_span_repeats_the_rendered_prompt() -> None:
    """Where the function's question is the model's very prompt, the question is the prompt's last part."""
    make = Maker("ai")
    prompt = f"Context:\n[1] {TEXTS[0]}\n[2] {TEXTS[1]}\n\nQuestion: {QUESTION}"
    root = make.span("ai.generateText", ai__operationId="ai.generateText", ai__response__text=ANSWER)
    make.put(root, {"ai.prompt": dump({"prompt": prompt})})
    inner = make.span("ai.generateText.doGenerate", root, at=(10, 50), ai__response__text=ANSWER)
    given = [{"role": "user", "content": [{"type": "text", "text": prompt}]}]
    make.put(inner, {"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": dump(given)})
    assert_whole(make.record())


def test_vercel_stream_and_rerank() -> None:
    """Time to the first chunk counts from the start of the call; a reranking gives the order."""
    make = Maker("ai")
    root = make.span("ai.streamText", ai__operationId="ai.streamText", ai__response__text=ANSWER)
    make.put(root, {"ai.prompt": dump({"prompt": QUESTION})})
    rerank = make.span("ai.rerank", root, at=(5, 9), ai__operationId="ai.rerank")
    ranking = [{"originalIndex": 1, "score": 0.9}, {"originalIndex": 0, "score": 0.1}]
    given = [dump({"text": TEXTS[0]}), dump(TEXTS[1])]
    make.put(rerank, {"ai.documents": given, "ai.ranking": dump(ranking)})
    inner = make.span("ai.streamText.doStream", root, at=(10, 50), ai__response__text=ANSWER)
    make.put(inner, {"ai.operationId": "ai.streamText.doStream", "ai.response.msToFirstChunk": 5.0})
    record = make.record()
    assert texts_of(record) == [TEXTS[1], TEXTS[0]]
    assert record.time_to_first_chunk_ns == 15_000_000


def test_openlit_reprs_and_bare_strings() -> None:
    """Arguments are a Python repr, the answer a bare string, a cost of 0 is not believed."""
    make = Maker("openlit.otel.tracing")
    root = make.span("ask", function__args=f"('{QUESTION}',)", function__kwargs="{}")
    make.put(root, {"gen_ai.output.messages": ANSWER})
    chat = make.span("chat m", root, at=(10, 50), gen_ai__operation__name="chat", gen_ai__usage__cost=0)
    make.put(chat, {"gen_ai.input.messages": dump(MESSAGES), "gen_ai.usage.input_tokens": 9})
    record = make.record()
    assert_whole(record)
    assert record.recorded_cost is None


def test_one_input_and_one_output_a_span() -> None:
    """Genkit, ADK and the like keep one value each way; the kind says what the span is."""
    make = Maker()
    root = make.span("flow", genkit__input=QUESTION, genkit__output=ANSWER)
    root.attributes = {"genkit:input": QUESTION, "genkit:output": dump({"answer": ANSWER})}
    retriever = make.span("kb", root, at=(5, 9))
    make.put(
        retriever, {"genkit:metadata:subtype": "retriever", "genkit:output": dump({"documents": DOCUMENTS})}
    )
    model = make.span("call_llm", root, at=(10, 50))
    contents = [{"role": "user", "parts": [{"text": QUESTION}]}]
    said = {
        "content": {"role": "model", "parts": [{"text": ANSWER}]},
        "usage_metadata": {"prompt_token_count": 9},
    }
    make.put(model, {"gcp.vertex.agent.llm_request": dump({"contents": contents})})
    make.put(model, {"gcp.vertex.agent.llm_response": dump(said)})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def test_adk_requests_and_responses_beside_genai_attributes() -> None:
    """ADK keeps contents under its own keys, beside ``gen_ai.*``, and an empty request on its tools."""
    make, base = Maker("gcp.vertex.agent"), "gcp.vertex.agent"
    root = make.span("agent_run", gen_ai__operation__name="invoke_agent")
    tool = make.span("execute_tool search", root, at=(5, 9), gen_ai__operation__name="execute_tool")
    make.put(tool, {f"{base}.tool_call_args": dump({"query": "gate"}), f"{base}.llm_request": "{}"})
    make.put(tool, {f"{base}.tool_response": dump({"result": DOCUMENTS}), f"{base}.llm_response": "{}"})
    call = make.span("call_llm", root, at=(10, 50), gen_ai__request__model="m")
    contents = [{"role": "user", "parts": [{"text": QUESTION}]}]
    make.put(call, {f"{base}.llm_request": dump({"model": "m", "contents": contents})})
    make.put(
        call, {f"{base}.llm_response": dump({"content": {"role": "model", "parts": [{"text": ANSWER}]}})}
    )
    make.put(call, {"gen_ai.usage.input_tokens": 9})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def test_genkit_kinds_have_versions() -> None:
    """``tool.v2`` is a tool, and a model's action is called after the model."""
    make = Maker()
    root = make.span("ask")
    root.attributes = {"genkit:input": dump(QUESTION), "genkit:output": dump(ANSWER)}
    root.attributes["genkit:metadata:subtype"] = "flow"
    tool = make.span("retrieve", root, at=(5, 9))
    tool.attributes = {"genkit:metadata:subtype": "tool.v2", "genkit:input": dump(QUESTION)}
    tool.attributes["genkit:output"] = dump({"output": DOCUMENTS})
    call = make.span("m", root, at=(10, 50))
    call.attributes = {"genkit:metadata:subtype": "model", "genkit:name": "m"}
    call.attributes["genkit:output"] = dump({"message": {"role": "model", "content": [{"text": ANSWER}]}})
    record = make.record()
    assert_whole(record)
    assert record.model == "m"
    assert record.provenance["contexts"].startswith(tool.span_id)


def test_vercel_tool_results_by_similarity() -> None:
    """The guide's retrieval tool returns each passage as ``name``, with its similarity."""
    make = Maker("ai")
    outer = make.span("ai.generateText", ai__operationId="ai.generateText", ai__response__text=ANSWER)
    make.put(outer, {"ai.prompt": dump({"prompt": QUESTION})})
    found = [{"name": text, "similarity": 0.9 - n / 10} for n, text in enumerate(TEXTS)]
    tool = make.span("ai.toolCall", outer, at=(5, 9), ai__operationId="ai.toolCall")
    make.put(tool, {"ai.toolCall.name": "getInformation", "ai.toolCall.result": dump(found)})
    record = make.record()
    assert_whole(record)
    assert [context.score for context in record.contexts or ()] == [0.9, 0.8]
