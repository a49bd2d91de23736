"""Promises of one call: what is sent, what its answer becomes, and that nothing else is taken for a verdict."""

import asyncio
import json

import httpx
import pytest

from parapet_client import AsyncParapet, Parapet, ParapetError, Span, UnavailableError

from .conftest import Calls
from .fake_service import KEY, VERDICT, refusal, verdict


def test_the_text_the_metadata_the_key_and_the_request_id_are_sent(caller: Calls) -> None:
    call = caller([verdict(), verdict()])
    call("analyze", "hi 😀", metadata={"source": "chat"}, details=True, request_id="r.1")
    call("analyze", "hi")
    detailed, plain = call.sent
    assert (detailed.method, str(detailed.url)) == ("POST", "http://service/v1/analyze?details=true")
    assert json.loads(detailed.content) == {"content": "hi 😀", "metadata": {"source": "chat"}}
    assert detailed.headers["X-API-Key"] == KEY
    assert detailed.headers["Content-Type"] == "application/json"
    assert detailed.headers["X-Request-Id"] == "r.1"
    assert str(plain.url) == "http://service/v1/analyze"
    assert "X-Request-Id" not in plain.headers


def test_the_answer_is_typed_and_what_a_newer_service_adds_is_kept(caller: Calls) -> None:
    details = {
        "model": "m@1",
        "band": "Toxic",
        "labels": {"toxicity": 1, "new_label": 0.5},
        "sentiment": {"negative": 0.9},
        "spans": [{"start": 0, "end": 2, "label": "toxicity", "probability": 0.9}],
        "windows": 1,
        "cached": False,
        "policy": {"name": "games", "version": 3},
    }
    answer = caller([verdict(passed=False, categories=["new_category"], details=details, action="mask")])("analyze", "hi", details=True)
    assert (answer.passed, answer.processing_time_ms, answer.categories) == (False, 1, ["new_category"])
    assert answer.details.policy.version == 3
    assert answer.details.language is None
    assert answer.details.spans[0].probability == 0.9
    assert answer.action == "mask"
    assert answer.model_dump(by_alias=True, exclude_unset=True)["processingTimeMs"] == 1


def test_a_span_has_the_offsets_of_python() -> None:
    text = "😀😀 idiot 😀"
    span = Span(start=5, end=10, label="insult", probability=0.9)
    assert text[span.slice_of(text)] == "idiot"


@pytest.mark.parametrize("client", [Parapet, AsyncParapet])
def test_address_and_key_come_from_arguments_or_the_environment(
    client: type[Parapet | AsyncParapet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PARAPET_URL", raising=False)
    monkeypatch.delenv("PARAPET_KEY", raising=False)
    for url in [None, "", "service:3000", "ftp://service", "http://", "http://service:port"]:
        with pytest.raises(ValueError, match="PARAPET_URL"):
            client(url=url, key=KEY)
    for key in [None, "", "sk live", f"{KEY}\nX: y", f"{KEY}ß"]:
        with pytest.raises(ValueError, match="PARAPET_KEY") as raised:
            client(url="http://service", key=key)
        assert KEY not in str(raised.value)
    monkeypatch.setenv("PARAPET_URL", "https://name:secret@service/moderation/")
    monkeypatch.setenv("PARAPET_KEY", f"{KEY}\n")
    assert repr(client()) == f"{client.__name__}(url='https://service/moderation')"
    assert repr(client(url="http://127.0.0.1:3000")) == f"{client.__name__}(url='http://127.0.0.1:3000')"


def test_a_path_in_the_address_is_kept(caller: Calls) -> None:
    call = caller([verdict()], url="https://example.com/moderation/")
    call("analyze", "hi")
    assert str(call.sent[0].url) == "https://example.com/moderation/v1/analyze"


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>Sign in</html>"),
        httpx.Response(200, content=b"\xff\xfe"),
        httpx.Response(200, json={**VERDICT, "passed": "true"}),
        httpx.Response(200, json={"results": "none"}),
        httpx.Response(200, json=[VERDICT]),
        httpx.Response(203, json=VERDICT),
        httpx.Response(500, json=VERDICT),
        httpx.Response(502, text="<html>"),
        httpx.Response(302, headers={"Location": "http://elsewhere/"}),
    ],
)
def test_no_other_answer_is_taken_for_a_verdict_and_no_redirect_is_followed(caller: Calls, answer: httpx.Response) -> None:
    for method, argument in [("analyze", "hi"), ("analyze_batch", ["hi"])]:
        call = caller([answer])
        with pytest.raises(ParapetError, match=f"^http://service answered {answer.status_code}, which is no answer of Parapet$") as raised:
            call(method, argument)
        assert (raised.value.status, raised.value.code) == (answer.status_code, None)
        assert len(call.sent) == 1


def test_what_cannot_be_sent_is_no_broken_connection(caller: Calls) -> None:
    itself: dict[str, object] = {}
    itself["itself"] = itself
    call = caller([])
    for metadata, error in [(itself, ValueError), ({"at": object()}, TypeError), ({"x": float("nan")}, ValueError)]:
        with pytest.raises(error):
            call("analyze", "hi", metadata=metadata)
    with pytest.raises(ValueError, match="request_id"):
        call("analyze", "hi", request_id="r\n1")
    assert call.sent == []


def test_half_a_character_is_sent_as_json_escapes_it(caller: Calls) -> None:
    call = caller([verdict()])
    call("analyze", "\\\ud83d")
    assert json.loads(call.sent[0].content) == {"content": "\\\ud83d"}


@pytest.mark.parametrize(("status", "word"), [(200, "healthy"), (503, "starting")])
def test_health_is_told_without_a_key_and_without_another_try(caller: Calls, status: int, word: str) -> None:
    call = caller([httpx.Response(status, json={"status": word, "timestamp": "2026-01-01T00:00:00.000Z"}), refusal(503, "shutting_down")])
    health = call("health")
    assert (health.status, health.timestamp.year) == (word, 2026)
    assert call.sent[0].method == "GET"
    assert "X-API-Key" not in call.sent[0].headers
    with pytest.raises(UnavailableError):
        call("health")
    assert len(call.sent) == 2


def test_a_client_closes_what_it_opened_and_nothing_else() -> None:
    given = httpx.Client()
    with Parapet(url="http://service", key=KEY, http_client=given):
        pass
    assert not given.is_closed
    given.close()
    with Parapet(url="http://service", key=KEY) as parapet:
        own = parapet._http
    assert own.is_closed


def test_an_async_client_closes_what_it_opened_and_nothing_else() -> None:
    async def use() -> None:
        async with httpx.AsyncClient() as given:
            async with AsyncParapet(url="http://service", key=KEY, http_client=given):
                pass
            assert not given.is_closed
        async with AsyncParapet(url="http://service", key=KEY) as parapet:
            own = parapet._http
        assert own.is_closed

    asyncio.run(use())
