"""Promises of retries: after what, how often, how long."""

import asyncio
import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest

from parapet_client import AsyncParapet, ParapetConnectionError, ParapetError, RateLimitedError

from .conftest import Calls
from .fake_service import refusal, verdict

BROKEN = [httpx.ConnectError("refused"), httpx.ConnectTimeout("late"), httpx.ReadError(""), httpx.RemoteProtocolError("closed")]


@pytest.mark.parametrize("passing", [refusal(429), refusal(503, "queue_full"), httpx.Response(503, text="<html>"), *BROKEN])
def test_429_503_and_broken_connections_are_tried_again_as_long_as_tries_are_left(
    caller: Calls, waits: list[float], passing: httpx.Response | Exception
) -> None:
    call = caller([passing, passing, verdict()])
    assert call("analyze", "hi").passed
    assert [request.content for request in call.sent] == [call.sent[0].content] * 3
    assert waits == [0.25, 0.5]
    tired = caller([passing, passing, verdict()], max_tries=2)
    with pytest.raises(ParapetError):
        tired("analyze", "hi")
    assert len(tired.sent) == 2


@pytest.mark.parametrize(
    "lasting",
    [
        *(refusal(status, retry_after="0") for status in (400, 401, 404, 413, 500, 502, 504)),
        *(httpx.ReadTimeout("late"), httpx.WriteTimeout("late"), httpx.PoolTimeout("full"), httpx.DecodingError("zip")),
        httpx.LocalProtocolError("wrong"),
    ],
)
def test_nothing_else_is_tried_again(caller: Calls, lasting: httpx.Response | Exception) -> None:
    for method, argument in [("analyze", "hi"), ("analyze_batch", ["hi", "ho"])]:
        call = caller([lasting, verdict()])
        with pytest.raises(ParapetError):
            call(method, argument)
        assert len(call.sent) == 1


def test_the_wait_is_what_the_service_asks_for_and_up_to_a_quarter_more(caller: Calls, waits: list[float]) -> None:
    in_four_seconds = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=4), usegmt=True)
    passing = [refusal(429, retry_after="4"), refusal(503, retry_after=in_four_seconds), refusal(503, retry_after="0")]
    assert caller([*passing, verdict()], max_tries=4)("analyze", "hi").passed
    assert waits == [5, pytest.approx(4, abs=1.5), 0]


@pytest.mark.parametrize("strange", ["soon", "-5", "", "1.5", "Thu, 01 Jan 99999999999 00:00:00 GMT", "٣"])
def test_a_strange_wait_is_none(caller: Calls, waits: list[float], strange: str) -> None:
    refused = httpx.Response(503, headers=[(b"retry-after", strange.encode())])
    assert caller([refused, verdict()])("analyze", "hi").passed
    assert waits == [0.25]


def test_it_fails_at_once_where_it_would_have_to_wait_too_long(caller: Calls, waits: list[float]) -> None:
    for too_long in ["31", "9" * 5_000, "Thu, 01 Jan 2099 00:00:00 GMT"]:
        call = caller([refusal(429, retry_after=too_long), verdict()])
        with pytest.raises(RateLimitedError):
            call("analyze", "hi")
        assert len(call.sent) == 1
    assert waits == []


def test_no_try_begins_after_the_time_for_tries(caller: Calls, waits: list[float]) -> None:
    call = caller([refusal(429, retry_after="8")] * 100, max_tries=100, retry_seconds=29)
    with pytest.raises(RateLimitedError):
        call("analyze", "hi")
    assert waits == pytest.approx([10, 10, 9], abs=0.9)
    assert sum(waits) <= 29


@pytest.mark.parametrize("under_way", [True, False])
def test_a_cancelled_task_ends_at_once_under_way_or_waiting(under_way: bool) -> None:
    async def cancel() -> None:
        begun = asyncio.Event()

        async def answer(request: httpx.Request) -> httpx.Response:
            begun.set()
            if under_way:
                await asyncio.sleep(20)
            return refusal(503, retry_after="20")

        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            task = asyncio.create_task(AsyncParapet(url="http://service", key="k", http_client=http).analyze("hi"))
            await begun.wait()
            await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert task.cancelled()

    started = time.monotonic()
    asyncio.run(cancel())
    assert time.monotonic() - started < 10


def test_each_step_of_a_try_has_its_time(caller: Calls) -> None:
    call = caller([verdict(), httpx.ReadTimeout("late"), httpx.ReadTimeout("late")], timeout_seconds=2, batch_timeout_seconds=9)
    call("analyze", "hi")
    with pytest.raises(ParapetConnectionError):
        call("analyze_batch", ["hi"])
    assert [request.extensions["timeout"] for request in call.sent] == [
        {"connect": 2, "read": 2, "write": 2, "pool": 2},
        {"connect": 2, "read": 9, "write": 2, "pool": 2},
    ]
