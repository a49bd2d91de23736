"""A service that gives the answers of a test, and both clients behind one face, so that each promise is tested of both."""

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any, Literal

import httpx

from parapet_client import AsyncParapet, Parapet

KEY = "sk_live_" + "k3" * 16
TEXT = "a text that nobody else may see"
VERDICT = {"passed": True, "score": 0, "sentiment": "neutral", "description": "Safe", "categories": [], "processingTimeMs": 1}
PROBLEM = {
    "type": "urn:parapet:problem:rate_limited",
    "title": "The rate limit of this key is reached",
    "status": 429,
    "detail": "Wait.",
    "code": "rate_limited",
    "requestId": "r-1",
}

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def verdict(**members: object) -> httpx.Response:
    return httpx.Response(200, json=VERDICT | members)


def refusal(status: int, code: str = "rate_limited", **headers: str) -> httpx.Response:
    problem = PROBLEM | {"status": status, "code": code}
    return httpx.Response(status, json=problem, headers={name.replace("_", "-"): value for name, value in headers.items()})


def contents_of(request: httpx.Request) -> list[str]:
    return [item["content"] for item in json.loads(request.content)["items"]]


def echo(request: httpx.Request) -> httpx.Response:
    """A verdict for each item, whose description is the text."""
    results = [
        {"verdict": VERDICT | {"description": item["content"]}, **({"id": item["id"]} if "id" in item else {})}
        for item in json.loads(request.content)["items"]
    ]
    return httpx.Response(200, json={"results": results, "processingTimeMs": 1})


class Caller:
    """Calls one of the two clients, which gets the answers one after another."""

    def __init__(self, kind: Literal["sync", "async"], answers: list[Answer], **options: Any) -> None:
        self.sent: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            self.sent.append(request)
            chosen = answers.pop(0)
            if isinstance(chosen, Exception):
                raise chosen
            if callable(chosen):
                return chosen(request)
            return httpx.Response(chosen.status_code, headers=chosen.headers, content=chosen.content)

        transport = httpx.MockTransport(answer)
        given: dict[str, Any] = {"url": "http://service/", "key": KEY, **options}
        self.client: Parapet | AsyncParapet = (
            Parapet(http_client=httpx.Client(transport=transport, follow_redirects=True), **given)
            if kind == "sync"
            else AsyncParapet(http_client=httpx.AsyncClient(transport=transport, follow_redirects=True), **given)
        )

    def __call__(self, method: str, *arguments: Any, **options: Any) -> Any:
        answer = getattr(self.client, method)(*arguments, **options)
        if inspect.isgenerator(answer):
            return list(answer)
        if inspect.isasyncgen(answer):
            return asyncio.run(_all_of(answer))
        return asyncio.run(answer) if inspect.iscoroutine(answer) else answer


async def _all_of(results: Any) -> list[Any]:
    return [result async for result in results]
