"""Parquet files (Phoenix data frames, ClickHouse rows, record tables) → items, row by row.

Needs the extra ``[parquet]``; without it the file is rejected with the line that installs it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import msgspec

from groundwire.envelopes.documents import Item, read_document
from groundwire.envelopes.limits import MEBIBYTE, Limits
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

PARQUET = b"PAR1"
_BATCH_ROWS = 256
_BATCH_BYTES = 64 * MEBIBYTE
_THRIFT_BYTES = 128 * MEBIBYTE


def read_parquet(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of a Parquet file; its rows are told apart by their columns."""
    origin = Origin(path)
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        tally.reject(origin, "missing_extra", "is Parquet; to read it run: pip install 'groundwire[parquet]'")
        return
    with _seekable(stream) as file:
        try:
            table = parquet.ParquetFile(
                file, thrift_string_size_limit=_THRIFT_BYTES, thrift_container_size_limit=_THRIFT_BYTES
            )
            problem = _excess(table.metadata, tally.limits)
            if problem is not None:
                tally.reject(origin, "expands_too_much", problem)
                return
            yield from _read_rows(table, path, tally)
        except (arrow.ArrowException, OSError, ValueError) as cause:
            tally.reject(origin, "bad_parquet", f"is a damaged Parquet file ({str(cause)[:200]})")


def _read_rows(table: Any, path: str, tally: Tally) -> Iterator[Item]:
    row = 0
    for batch in table.iter_batches(batch_size=_rows_per_batch(table.metadata)):
        tally.stats.bytes += batch.nbytes
        for fields in _plain_rows(batch):
            row += 1
            tally.stats.lines += 1
            text = msgspec.json.encode(fields, order="sorted")
            yield from read_document(fields, text, Origin(path, line=row), tally)


@contextmanager
def _seekable(stream: BinaryIO) -> Iterator[Any]:
    """Give the stream, or a temporary copy of one that can not seek."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy, MEBIBYTE)
        copy.seek(0)
        yield copy


def _excess(metadata: Any, limits: Limits) -> str | None:
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    size = sum(group.total_byte_size for group in groups)
    packed = sum(group.column(i).total_compressed_size for group in groups for i in range(group.num_columns))
    is_bomb = size > limits.ratio_grace_bytes and size > limits.max_ratio * max(packed, 1)
    if size > limits.max_decompressed_bytes or is_bomb:
        limit = f"the limits are {limits.max_decompressed_bytes} bytes and {limits.max_ratio} times"
        return f"{packed} compressed bytes expand to {size}; {limit}"
    return None


def _rows_per_batch(metadata: Any) -> int:
    """Return few rows where one value may be large: a value that is stored once may stand in every row."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    largest = max(
        (group.column(i).total_uncompressed_size for group in groups for i in range(group.num_columns)),
        default=1,
    )
    return max(1, min(_BATCH_ROWS, _BATCH_BYTES // max(largest, 1)))


def _plain_rows(batch: Any) -> list[dict[str, Any]]:
    """Return the rows as plain values; points in time as integer nanoseconds."""
    columns = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        nanoseconds = _retype(column.type, to_int=False)
        if nanoseconds != column.type:
            column = column.cast(nanoseconds)
        plain = _retype(nanoseconds, to_int=True)
        columns[name] = [_plain(value) for value in column.cast(plain).to_pylist()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _retype(kind: Any, *, to_int: bool) -> Any:
    """Return the type with every timestamp in it made nanoseconds, or made an integer."""
    import pyarrow as arrow

    if arrow.types.is_timestamp(kind):
        return arrow.int64() if to_int else arrow.timestamp("ns", kind.tz)
    if arrow.types.is_list(kind) or arrow.types.is_large_list(kind):
        return arrow.list_(_retype(kind.value_type, to_int=to_int))
    if arrow.types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        return arrow.struct([field.with_type(_retype(field.type, to_int=to_int)) for field in fields])
    return kind


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)
