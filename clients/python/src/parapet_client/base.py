"""What both clients have in common: where the service is, how it is called, what an answer means, and when to try again."""

import json
import os
import random
import re
import time
from typing import Generic, TypeAlias, TypeVar

import httpx

from .errors import ParapetError, error_of_answer
from .models import AnswerT, BatchAnswer, BatchResult, Health, read
from .requests import Batch, Call

HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)
Outcome: TypeAlias = httpx.Response | ParapetError
FIRST_DELAY_SECONDS = 0.25


class BaseClient(Generic[HttpT]):
    """Every method raises a ParapetError where the service could not answer.

    url: such as http://127.0.0.1:3000, by default that of PARAPET_URL. key: by default that of PARAPET_KEY.
    timeout_seconds: of each step of a try: to connect, to send, to wait for the answer.
    batch_timeout_seconds: to wait for the answer to many texts. The service takes up to ANSWER_TIMEOUT_SECONDS, and answers then with
    what it has.
    max_tries: of a request in all. retry_seconds: how long after the first the last may begin.
    http_client: in place of one of its own. It stays open when this client is closed.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        key: str | None = None,
        timeout_seconds: float = 10.0,
        batch_timeout_seconds: float = 70.0,
        max_tries: int = 3,
        retry_seconds: float = 30.0,
        http_client: HttpT | None = None,
    ) -> None:
        try:
            given = httpx.URL((url or os.environ.get("PARAPET_URL", "")).strip())
        except httpx.InvalidURL:
            given = httpx.URL()
        if given.scheme not in ("http", "https") or not given.host:
            raise ValueError("no address such as http://127.0.0.1:3000: give url=… or set PARAPET_URL")
        self._url = str(given.copy_with(query=None, fragment=None)).rstrip("/")
        # Without the password that may stand in it.
        self._address = str(given.copy_with(query=None, fragment=None, userinfo=b"")).rstrip("/")
        self._key = (key or os.environ.get("PARAPET_KEY", "")).strip()
        # What cannot stand in a header would be quoted by the error that says so.
        if not re.fullmatch("[!-~]+", self._key):
            raise ValueError("no key, or nothing that can be one: give key=… or set PARAPET_KEY")
        self._timeout = httpx.Timeout(timeout_seconds)
        self._batch_timeout = httpx.Timeout(timeout_seconds, read=batch_timeout_seconds)
        self._max_tries, self._retry_seconds = max_tries, retry_seconds
        self._is_own = http_client is None
        self._http = http_client or self._new_http_client()

    def _new_http_client(self) -> HttpT:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self._address!r})"

    def _request(self, call: Call) -> httpx.Request:
        headers = {"X-Request-Id": call.request_id} if call.request_id else {}
        if call.body:
            headers |= {"X-API-Key": self._key, "Content-Type": "application/json"}
        method, timeout = "POST" if call.body else "GET", self._batch_timeout if call.is_batch else self._timeout
        return self._http.build_request(method, self._url + call.path, content=call.body, headers=headers, timeout=timeout)

    def _delay_after(self, outcome: Outcome, tries: int, begun: float) -> float | None:
        """Seconds until the next try: what the service asks for and up to a quarter more, so that clients that were refused together
        do not come back together; where it asks for nothing, a random part of a time that doubles. None where no other try follows."""
        if _is_ok(outcome):
            return None
        error = self._error_of(outcome)
        asked = error.retry_after_seconds
        left = begun + self._retry_seconds - time.monotonic()
        if not error.is_worth_retrying or tries >= self._max_tries or (asked or 0) > left:
            return None
        part = random.random()
        return min(part * FIRST_DELAY_SECONDS * 2 ** (tries - 1) if asked is None else asked * (1 + part / 4), left)

    def _read(self, kind: type[AnswerT], outcome: Outcome) -> AnswerT:
        # "unhealthy" has a status of its own. Something in between (a page to sign in, say) can answer 200 as well.
        if isinstance(outcome, httpx.Response) and (_is_ok(outcome) or kind is Health):
            answer = read(kind, outcome.content)
            if answer is not None:
                return answer
        raise self._error_of(outcome)

    def _read_batch(self, batch: Batch, outcome: Outcome) -> list[BatchResult]:
        if len(batch) == 1 and not _is_ok(outcome) and (error := self._error_of(outcome)).code == "body_too_large":
            # A text that is too large for any request spoils no other.
            return [BatchResult.model_construct(id=json.loads(batch[0]).get("id"), problem=error.problem)]
        results = self._read(BatchAnswer, outcome).results
        if len(results) != len(batch):
            raise self._error_of(outcome)
        return results

    def _error_of(self, outcome: Outcome) -> ParapetError:
        return error_of_answer(self._address, outcome) if isinstance(outcome, httpx.Response) else outcome


def _is_ok(outcome: Outcome) -> bool:
    return isinstance(outcome, httpx.Response) and outcome.status_code == 200
