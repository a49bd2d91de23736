"""The client of programs on asyncio."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping

import httpx

from .base import BaseClient, Outcome
from .errors import error_of_connection
from .models import BatchResult, Health, Item, Verdict
from .requests import MAX_BATCH_ITEMS, Batch, Call, analyze_call, batch_call, batches, batches_async


class AsyncParapet(BaseClient[httpx.AsyncClient]):
    """Parapet with coroutines. A task that is cancelled ends at once, waits included."""

    def _new_http_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient()

    async def __aenter__(self) -> "AsyncParapet":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def analyze(
        self, text: str, *, metadata: Mapping[str, object] | None = None, details: bool = False, request_id: str | None = None
    ) -> Verdict:
        """request_id: what the log of the service and errors call the request."""
        return self._read(Verdict, await self._send(analyze_call(text, metadata, details, request_id)))

    async def analyze_batch(self, texts: Iterable[str | Item], *, details: bool = False) -> list[BatchResult]:
        """Any number of texts, one request after another. Returns the result of each in their order: look at each."""
        return [result for batch in list(batches(texts)) for result in await self._judge(batch, details)]

    async def analyze_many(
        self,
        texts: Iterable[str | Item] | AsyncIterable[str | Item],
        *,
        details: bool = False,
        concurrency: int = 2,
        batch_size: int = MAX_BATCH_ITEMS,
    ) -> AsyncGenerator[BatchResult, None]:
        """The results of texts that need not be there at once, in their order. Reads `concurrency * batch_size` texts ahead.
        Closing it cancels what is under way."""
        pending: deque[asyncio.Task[list[BatchResult]]] = deque()
        try:
            async for batch in batches_async(texts, batch_size):
                pending.append(asyncio.create_task(self._judge(batch, details)))
                if len(pending) >= concurrency:
                    for result in await pending.popleft():
                        yield result
            while pending:
                for result in await pending.popleft():
                    yield result
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    async def health(self) -> Health:
        """Never tried again: "unhealthy" is an answer."""
        return self._read(Health, await self._try(Call("/v1/health")))

    async def _judge(self, batch: Batch, details: bool) -> list[BatchResult]:
        return self._read_batch(batch, await self._send(batch_call(batch, details)))

    async def _send(self, call: Call) -> Outcome:
        tries, begun = 1, time.monotonic()
        while True:
            outcome = await self._try(call)
            delay = self._delay_after(outcome, tries, begun)
            if delay is None:
                return outcome
            await asyncio.sleep(delay)
            tries += 1

    async def _try(self, call: Call) -> Outcome:
        request = self._request(call)
        try:
            # Key and text would go along to wherever a redirect leads.
            return await self._http.send(request, follow_redirects=False)
        except httpx.RequestError as error:
            return error_of_connection(self._address, error)
