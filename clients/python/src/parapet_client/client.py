"""The client of programs without an event loop."""

import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import httpx

from .base import BaseClient, Outcome
from .errors import error_of_connection
from .models import BatchResult, Health, Item, Verdict
from .requests import MAX_BATCH_ITEMS, Batch, Call, analyze_call, batch_call, batches


class Parapet(BaseClient[httpx.Client]):
    """Threads may share one."""

    def _new_http_client(self) -> httpx.Client:
        return httpx.Client()

    def __enter__(self) -> "Parapet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._is_own:
            self._http.close()

    def analyze(
        self, text: str, *, metadata: Mapping[str, object] | None = None, details: bool = False, request_id: str | None = None
    ) -> Verdict:
        """request_id: what the log of the service and errors call the request."""
        return self._read(Verdict, self._send(analyze_call(text, metadata, details, request_id)))

    def analyze_batch(self, texts: Iterable[str | Item], *, details: bool = False) -> list[BatchResult]:
        """Any number of texts, one request after another. Returns the result of each in their order: look at each."""
        return [result for batch in list(batches(texts)) for result in self._judge(batch, details)]

    def analyze_many(
        self, texts: Iterable[str | Item], *, details: bool = False, concurrency: int = 2, batch_size: int = MAX_BATCH_ITEMS
    ) -> Generator[BatchResult, None, None]:
        """The results of texts that need not be there at once, in their order. Reads `concurrency * batch_size` texts ahead.
        Closing it ends all waits, and nothing more is sent."""
        stopped = threading.Event()
        pool = ThreadPoolExecutor(concurrency)
        pending: deque[Future[list[BatchResult]]] = deque()
        try:
            for batch in batches(texts, batch_size):
                pending.append(pool.submit(self._judge, batch, details, stopped))
                if len(pending) == concurrency:
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        finally:
            stopped.set()
            pool.shutdown(wait=False)

    def health(self) -> Health:
        """Never tried again: "unhealthy" is an answer."""
        return self._read(Health, self._try(Call("/v1/health")))

    def _judge(self, batch: Batch, details: bool, stopped: threading.Event | None = None) -> list[BatchResult]:
        return self._read_batch(batch, self._send(batch_call(batch, details), stopped))

    def _send(self, call: Call, stopped: threading.Event | None = None) -> Outcome:
        stopped, tries, begun = stopped or threading.Event(), 1, time.monotonic()
        while True:
            outcome = self._try(call)
            delay = self._delay_after(outcome, tries, begun)
            if delay is None or stopped.wait(delay):
                return outcome
            tries += 1

    def _try(self, call: Call) -> Outcome:
        request = self._request(call)
        try:
            # Key and text would go along to wherever a redirect leads.
            return self._http.send(request, follow_redirects=False)
        except httpx.RequestError as error:
            return error_of_connection(self._address, error)
