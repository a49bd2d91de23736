"""What is sent: one text, or many in as many requests as the service takes them in. Sends nothing itself."""

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .models import Item

MAX_BATCH_ITEMS = 128
MAX_BATCH_BYTES = 4_194_304
Batch: TypeAlias = list[bytes]  # The items of one request, each as JSON.


@dataclass(frozen=True)
class Call:
    path: str
    body: bytes = field(default=b"", repr=False)
    request_id: str | None = None
    is_batch: bool = False


def analyze_call(text: str, metadata: Mapping[str, object] | None, details: bool, request_id: str | None) -> Call:
    # The service would make up one in place of any other.
    if request_id is not None and not re.fullmatch(r"[\w.:-]{1,128}", request_id, re.ASCII):
        raise ValueError("request_id is 1 to 128 letters, digits and any of _ . : -")
    content = {"content": text}
    return Call(_path("/v1/analyze", details), _json(content if metadata is None else content | {"metadata": metadata}), request_id)


def batch_call(batch: Batch, details: bool) -> Call:
    return Call(_path("/v1/analyze/batch", details), b'{"items":[%b]}' % b",".join(batch), is_batch=True)


def batches(texts: Iterable[str | Item], size: int = MAX_BATCH_ITEMS) -> Iterator[Batch]:
    if isinstance(texts, str | bytes | Mapping):
        raise TypeError("one text where many are expected: give a list, or call analyze()")
    batch: Batch = []
    for text in texts:
        item = _json(text if isinstance(text, Mapping) else {"content": text})
        if batch and sum(map(len, batch)) + len(batch) + len(item) > MAX_BATCH_BYTES - len('{"items":[]}'):
            yield batch
            batch = []
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


async def batches_async(texts: Iterable[str | Item] | AsyncIterable[str | Item], size: int) -> AsyncIterator[Batch]:
    read: list[str | Item] = []
    if not isinstance(texts, AsyncIterable):
        for batch in batches(texts, size):
            yield batch
        return
    async for text in texts:
        read.append(text)
        if len(read) >= size:
            for batch in batches(read, size):
                yield batch
            read = []
    for batch in batches(read, size):
        yield batch


def _json(value: object) -> bytes:
    # A lone surrogate has no UTF-8: it becomes the escape that Python and JSON both have for it.
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")


def _path(path: str, details: bool) -> str:
    return f"{path}?details=true" if details else path
