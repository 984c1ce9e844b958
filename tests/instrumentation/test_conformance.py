"""Which test holds for which fault of the field: the decorator's checklist, row by row.

Each named test asserts its row; most watch, through the fixture ``harmless``, that spans end exactly once,
that the context outside is unchanged, and that nobody logs anything.
"""

from __future__ import annotations

import importlib

import pytest

ROWS = {
    "a stream closed in another context": "test_streams.test_an_async_loop_broken_off_and_collected",
    "an early exit with the SDK disabled": "test_life_cycle.test_a_disabled_sdk_is_as_none",
    "a generator stopped early": "test_streams.test_an_abandoned_stream",
    "a client's stream closed early": "test_returned_streams.test_a_client_stream_closed_early",
    "a span that ends before its stream": "test_streams.test_the_span_spans_the_whole_stream",
    "a streaming response": "test_returned_streams.test_a_streaming_response_is_returned_itself",
    "the span inside an async generator": "test_streams.test_nested_calls_in_an_async_stream_share_the_trace",
    "send, throw and the return value": "test_streams.test_send_throw_and_return_value_pass",
    "asend and athrow": "test_streams.test_asend_and_athrow_pass",
    "an async generator's answer": "test_streams.test_an_async_stream",
    "chunks kept without capture": "test_memory.test_a_long_stream_without_capture_is_flat",
    "two interleaved streams": "test_streams.test_interleaved_streams_leave_no_span_behind",
    "a suspended span in the consumer": "test_streams.test_the_span_is_current_inside_the_body_alone",
    "a parent lost in a pool": "test_context.test_threads_keep_the_parent_through_bind_and_wrap_executor",
    "gathered calls nested into each other": "test_context.test_gathered_calls_are_siblings",
    "state shared between calls at once": "test_context.test_calls_at_once_have_a_state_of_their_own",
    "forked workers": "test_life_cycle.test_forked_workers_are_instances_of_their_own",
    "connections shared after a fork": "test_life_cycle.test_forked_workers_have_connections_of_their_own",
    "a collector that is down": "test_life_cycle.test_a_dead_collector_harms_neither_calls_nor_exit",
    "an overflow that nobody sees": "test_set_up.test_a_stuck_exporter_loses_counted_spans_and_blocks_no_one",
    "inputs kept by the tracer": "test_memory.test_nothing_of_the_users_is_kept_after_a_call",
    "a dependency taken for sync": "test_callables.test_the_kind_is_kept",
    "a changed signature": "test_callables.test_signature_and_names_are_unchanged",
    "static and class methods": "test_callables.test_methods_of_every_kind",
    "functions that do not pickle": "test_pickling.test_functions_pickle_to_themselves",
    "a decoration lost by cloudpickle": "test_pickling.test_cloudpickle_carries_the_decoration_out_of_main",
    "a tracing error in the service": "test_life_cycle.test_a_raising_exporter_is_no_ones_problem",
    "a function that runs twice": "test_callables.test_the_function_runs_exactly_once_even_if_it_raises",
    "another exception": "test_callables.test_the_very_exception_passes",
    "another exception without tracing": "test_callables.test_without_an_sdk_the_very_exception_passes",
    "hostile values": "test_values.test_any_value_passes_through_a_call",
    "attributes that are None": "test_values.test_none_is_left_out",
    "one bad value that drops a batch": "test_values.test_any_value_becomes_json",
    "lone surrogates": "test_values.test_a_lone_surrogate_keeps_offsets_and_is_counted",
    "models inside lists and tuples": "test_values.test_models_are_written_by_their_fields",
    "too many attributes": "test_values.test_many_documents_stay_few_attributes",
    "a batch too big for the receiver": "test_set_up.test_the_processor_bounds_batches_in_count_and_size",
    "a huge context": "test_budget.test_a_context_of_five_megabytes_is_cut_and_proves_it",
    "truncation that eats usage": "test_budget.test_usage_and_ids_survive_any_cut",
    "time to the first chunk": "test_streams.test_producer_and_consumer_time_are_apart",
    "orphans at half the traces": "test_context.test_no_child_is_an_orphan_at_half_the_traces",
}


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_test(row: str) -> None:
    """The test that a row names exists and says in a sentence what it asserts."""
    module, name = ROWS[row].split(".")
    assert getattr(importlib.import_module(f"instrumentation.{module}"), name).__doc__
