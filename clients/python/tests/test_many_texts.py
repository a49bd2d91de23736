"""Promises of many texts: how they are split, that order holds, how much is under way, and how it ends."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from parapet_client import AsyncParapet, BatchResult, InvalidRequestError, Item, Parapet, ParapetError, UnauthorizedError

from .conftest import Calls
from .fake_service import KEY, PROBLEM, VERDICT, contents_of, echo, refusal

BATCH_BODY_BYTES = 4_194_304
MANY = [f"text {number}" for number in range(300)]


@pytest.mark.parametrize("method", ["analyze_batch", "analyze_many"])
def test_any_number_of_texts_is_sent_in_requests_of_128_and_comes_back_in_order(caller: Calls, method: str) -> None:
    call = caller([echo] * 3)
    assert [result.verdict.description for result in call(method, iter(MANY))] == MANY
    assert sorted((len(contents_of(request)) for request in call.sent), reverse=True) == [128, 128, 44]
    assert {str(request.url) for request in call.sent} == {"http://service/v1/analyze/batch"}
    none = caller([])
    assert none(method, []) == []


@pytest.mark.parametrize("method", ["analyze_batch", "analyze_many"])
def test_no_request_is_larger_than_the_service_takes(caller: Calls, method: str) -> None:
    # Written with escapes they would be four times as long.
    texts = [sign * 10_000 for sign in "漢😀" * 64] + ["x" * (BATCH_BODY_BYTES - len('{"items":[{"content": ""}]}'))] + ["last"]
    call = caller([echo] * 4)
    assert [result.verdict.description for result in call(method, texts)] == texts
    sizes = [len(request.content) for request in call.sent]
    assert max(sizes) == BATCH_BODY_BYTES
    assert len(sizes) == 4


@pytest.mark.parametrize("method", ["analyze_batch", "analyze_many"])
def test_texts_and_items_may_stand_beside_each_other(caller: Calls, method: str) -> None:
    problem = {"id": "b", "problem": PROBLEM | {"status": 400, "errors": [{"path": "content", "message": "must not be empty"}]}}
    call = caller([httpx.Response(200, json={"results": [{"verdict": VERDICT}, problem], "processingTimeMs": 1})])
    items: list[str | Item] = ["hi", {"id": "b", "content": "", "metadata": {"source": "chat"}}]
    first, second = call(method, items, details=True)
    assert json.loads(call.sent[0].content) == {"items": [{"content": "hi"}, items[1]]}
    assert call.sent[0].url.query == b"details=true"
    assert (first.id, first.verdict.passed, first.problem) == (None, True, None)
    assert (second.id, second.verdict, second.problem.code) == ("b", None, "rate_limited")
    assert second.problem.errors[0]["path"] == "content"


@pytest.mark.parametrize("results", [[], [{"verdict": VERDICT}] * 2, [{}], [{"verdict": VERDICT, "problem": PROBLEM}], "none"])
def test_other_than_one_result_for_each_text_is_no_answer(caller: Calls, results: object) -> None:
    call = caller([httpx.Response(200, json={"results": results, "processingTimeMs": 1})])
    with pytest.raises(ParapetError, match="no answer of Parapet"):
        call("analyze_batch", ["hi"])


def test_a_text_that_is_too_large_for_any_request_spoils_no_other(caller: Calls) -> None:
    def limited(request: httpx.Request) -> httpx.Response:
        return refusal(413, "body_too_large") if len(request.content) > BATCH_BODY_BYTES else echo(request)

    huge: Item = {"id": "huge", "content": "x" * BATCH_BODY_BYTES}
    first, second, third = caller([limited] * 3)("analyze_batch", ["a", huge, "b"])
    assert (first.verdict.description, third.verdict.description) == ("a", "b")
    assert (second.id, second.problem.code, second.verdict) == ("huge", "body_too_large", None)
    with pytest.raises(InvalidRequestError):
        caller([refusal(413, "body_too_large")])("analyze_batch", ["a", "b"])


@pytest.mark.parametrize("texts", ["one text", b"one text", {"content": "one text"}])
def test_one_text_is_not_taken_for_many(caller: Calls, texts: object) -> None:
    for method in ["analyze_batch", "analyze_many"]:
        with pytest.raises(TypeError, match="analyze"):
            caller([])(method, texts)


def test_nothing_of_a_batch_is_sent_where_one_text_cannot_be(caller: Calls) -> None:
    call = caller([])
    with pytest.raises(TypeError):
        call("analyze_batch", [*MANY, {"content": "hi", "metadata": {"at": object()}}])
    assert call.sent == []


def test_what_is_no_text_is_for_the_service_to_refuse(caller: Calls) -> None:
    refused = {"problem": PROBLEM | {"status": 400, "code": "invalid_body"}}
    call = caller([httpx.Response(200, json={"results": [{"verdict": VERDICT}, refused], "processingTimeMs": 1})])
    assert call("analyze_batch", ["hi", None])[1].problem.code == "invalid_body"
    assert contents_of(call.sent[0]) == ["hi", None]


def test_results_before_a_failure_are_yielded(caller: Calls) -> None:
    call = caller([echo, refusal(401, "unauthorized"), echo])
    seen: list[str] = []

    async def collect(client: AsyncParapet) -> None:
        async for result in client.analyze_many(MANY, concurrency=1):
            seen.append(result.verdict.description if result.verdict else "")

    with pytest.raises(UnauthorizedError):
        if isinstance(call.client, Parapet):
            seen.extend(result.verdict.description for result in call.client.analyze_many(MANY, concurrency=1) if result.verdict)
        else:
            asyncio.run(collect(call.client))
    assert seen == MANY[:128]
    assert len(call.sent) == 2


class Service:
    """Answers the first of its requests only when the second is there, and counts how many are there at once."""

    def __init__(self) -> None:
        self.now = self.peak = 0
        self._lock = threading.Lock()
        self._is_first = True
        self._second, self._second_async = threading.Event(), asyncio.Event()

    def _begin(self) -> bool:
        with self._lock:
            self.now += 1
            self.peak = max(self.peak, self.now)
            is_first, self._is_first = self._is_first, False
        if not is_first:
            self._second.set()
            self._second_async.set()
        return is_first

    def _end(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.now -= 1
        return echo(request)

    def answer(self, request: httpx.Request) -> httpx.Response:
        if self._begin():
            assert self._second.wait(10)
        return self._end(request)

    async def answer_async(self, request: httpx.Request) -> httpx.Response:
        if self._begin():
            await asyncio.wait_for(self._second_async.wait(), 10)
        await asyncio.sleep(0)
        return self._end(request)


def test_so_many_requests_are_under_way_at_once_and_no_more_texts_are_read() -> None:
    service = Service()
    read: list[str] = []

    def source() -> Iterator[str]:
        for text in MANY:
            read.append(text)
            yield text

    with httpx.Client(transport=httpx.MockTransport(service.answer)) as http:
        results = Parapet(url="http://service", key=KEY, http_client=http).analyze_many(source(), concurrency=3, batch_size=10)
        first = next(results)
        assert len(read) == 30
        assert [text_of(result) for result in (first, *results)] == MANY
    assert 2 <= service.peak <= 3


def test_so_many_coroutines_are_under_way_at_once_and_no_more_texts_are_read() -> None:
    service = Service()
    read: list[str] = []

    async def source() -> AsyncIterator[str]:
        for text in MANY:
            read.append(text)
            yield text

    async def use() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(service.answer_async)) as http:
            parapet = AsyncParapet(url="http://service", key=KEY, http_client=http)
            results = parapet.analyze_many(source(), concurrency=3, batch_size=10)
            first = await anext(results)
            assert len(read) == 30
            assert [text_of(first)] + [text_of(result) async for result in results] == MANY

    asyncio.run(use())
    assert service.peak == 3


def test_a_live_stream_is_answered_text_by_text() -> None:
    async def use() -> None:
        seen = asyncio.Queue[str]()

        async def source() -> AsyncIterator[str]:
            for text in ("a", "b", "c"):
                yield text
                assert await asyncio.wait_for(seen.get(), 10) == text

        async with httpx.AsyncClient(transport=httpx.MockTransport(echo)) as http:
            parapet = AsyncParapet(url="http://service", key=KEY, http_client=http)
            async for result in parapet.analyze_many(source(), concurrency=1, batch_size=1):
                seen.put_nowait(text_of(result))

    asyncio.run(use())


def test_a_stream_that_is_closed_ends_its_waits_and_sends_nothing_more() -> None:
    refused = threading.Event()
    sent = 0

    def answer(request: httpx.Request) -> httpx.Response:
        nonlocal sent
        sent += 1
        if contents_of(request) == ["text 0"]:
            return echo(request)
        refused.set()
        return refusal(503, "queue_full", retry_after="20")

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        before = set(threading.enumerate())
        results = Parapet(url="http://service", key=KEY, http_client=http).analyze_many(MANY, batch_size=1)
        assert text_of(next(results)) == "text 0"
        workers = set(threading.enumerate()) - before
        assert refused.wait(10)
        results.close()
        for worker in workers:
            worker.join(10)
            assert not worker.is_alive()
    assert sent == 2


def test_a_closed_stream_cancels_what_is_under_way() -> None:
    cancelled: list[str] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        if contents_of(request) != ["text 0"]:
            try:
                await asyncio.sleep(20)
            except asyncio.CancelledError:
                cancelled.extend(contents_of(request))
                raise
        return echo(request)

    async def use(cancel: bool) -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            results = AsyncParapet(url="http://service", key=KEY, http_client=http).analyze_many(MANY, batch_size=1)
            assert text_of(await anext(results)) == "text 0"
            await asyncio.sleep(0)
            if cancel:
                task = asyncio.ensure_future(anext(results))
                await asyncio.sleep(0.01)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert task.cancelled()
            else:
                await results.aclose()
            assert len(asyncio.all_tasks()) == 1

    asyncio.run(use(cancel=False))
    assert cancelled == ["text 1"]
    asyncio.run(use(cancel=True))
    assert sorted(cancelled) == ["text 1", "text 1", "text 2"]


def text_of(result: BatchResult) -> str:
    assert result.verdict is not None
    return result.verdict.description
