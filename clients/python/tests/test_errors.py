"""Promises of what is raised: which class, what it says, and that neither key nor text is in it."""

import pickle
import re
import traceback
from pathlib import Path

import httpx
import pytest

from parapet_client import (
    ContentTooLongError,
    InvalidRequestError,
    ParapetConnectionError,
    ParapetError,
    ParapetTimeoutError,
    RateLimitedError,
    UnauthorizedError,
    UnavailableError,
)
from parapet_client.errors import CODES

from .conftest import Calls
from .fake_service import KEY, PROBLEM, TEXT, refusal

ERRORS_PAGE = Path(__file__).parents[3] / "docs" / "errors.md"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_body", InvalidRequestError),
        (400, "content_too_long", ContentTooLongError),
        (401, "unauthorized", UnauthorizedError),
        (429, "rate_limited", RateLimitedError),
        (503, "queue_full", UnavailableError),
        (500, "internal_error", ParapetError),
        (418, "of_a_newer_service", ParapetError),
    ],
)
def test_each_code_has_its_class(caller: Calls, status: int, code: str, kind: type[ParapetError]) -> None:
    call = caller([refusal(status, code, retry_after="7")], max_tries=1)
    with pytest.raises(ParapetError, match=rf"^http://service answered {status}, {code}: Wait\. \(request r-1\)$") as raised:
        call("analyze", TEXT)
    error = raised.value
    assert type(error) is kind
    assert (error.status, error.code, error.request_id, error.retry_after_seconds) == (status, code, "r-1", 7)
    assert error.problem is not None
    assert error.problem.title == PROBLEM["title"]


def test_every_code_of_the_service_has_its_class() -> None:
    sections = re.findall(r"^## (\w+)\n\n(.*)", ERRORS_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    of_callers = {code for code, beginning in sections if not beginning.startswith("Of the dashboard alone.")}
    # A fault of the service has the class of all errors.
    assert {code for codes in CODES.values() for code in codes.split()} == of_callers - {"internal_error"}


def test_an_answer_of_a_proxy_has_the_request_id_of_its_header(caller: Calls) -> None:
    call = caller([httpx.Response(502, text=TEXT, headers={"X-Request-Id": "r-2"})])
    with pytest.raises(ParapetError, match=r"^http://service answered 502, which is no answer of Parapet \(request r-2\)$") as raised:
        call("analyze", TEXT)
    assert raised.value.request_id == "r-2"


@pytest.mark.parametrize(
    ("cause", "kind", "said"),
    [
        (httpx.ConnectError("refused"), ParapetConnectionError, "no answer from http://service: ConnectError: refused"),
        (httpx.RemoteProtocolError(""), ParapetConnectionError, "no answer from http://service: RemoteProtocolError"),
        (httpx.DecodingError("zip"), ParapetConnectionError, "no answer from http://service: DecodingError: zip"),
        (httpx.ReadTimeout("late"), ParapetTimeoutError, "no answer from http://service in time: ReadTimeout: late"),
    ],
)
def test_a_broken_connection_names_the_address_and_the_cause(caller: Calls, cause: Exception, kind: type[ParapetError], said: str) -> None:
    for method in ["analyze", "health"]:
        call = caller([cause], max_tries=1, url="http://name:secret@service")
        with pytest.raises(ParapetError) as raised:
            call(method, *([TEXT] if method == "analyze" else []))
        assert type(raised.value) is kind
        assert str(raised.value) == said
        assert raised.value.__cause__ is cause


@pytest.mark.parametrize(
    "answer", [refusal(401, "unauthorized"), httpx.Response(502, text=TEXT), httpx.Response(200, text=TEXT), httpx.ConnectError("no")]
)
def test_neither_key_nor_text_is_in_an_error(caller: Calls, answer: httpx.Response | Exception, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    for method, argument in [("analyze", TEXT), ("analyze_batch", [TEXT]), ("analyze_many", [TEXT])]:
        call = caller([answer], max_tries=1)
        with pytest.raises(ParapetError) as raised:
            call(method, argument)
        error = raised.value
        told = [str(error), repr(error), repr(call.client), *traceback.format_exception(error), caplog.text]
        # Where a reporter of errors shows the variables of the code that raised.
        frames = [frame for each in _with_causes(error) for frame, _ in traceback.walk_tb(each.__traceback__)]
        inside = [frame for frame in frames if "/tests/" not in frame.f_code.co_filename]
        variables = [repr(value) for frame in inside for value in frame.f_locals.values()]
        assert len(inside) > 1
        for place in [*told, *variables]:
            assert KEY not in place
        for place in told:
            assert TEXT not in place


def _with_causes(error: BaseException | None) -> list[BaseException]:
    return [error, *_with_causes(error.__cause__ or error.__context__)] if error else []


def test_an_error_can_be_handed_to_another_process(caller: Calls) -> None:
    call = caller([refusal(401, "unauthorized")])
    with pytest.raises(UnauthorizedError) as raised:
        call("analyze", TEXT)
    handed = pickle.loads(pickle.dumps(raised.value))
    assert (type(handed), str(handed), handed.code, handed.request_id) == (UnauthorizedError, str(raised.value), "unauthorized", "r-1")
