from collections.abc import Callable
from typing import Any

import pytest

from parapet_client.base import BaseClient, Outcome

from .fake_service import Answer, Caller

Calls = Callable[..., Caller]


@pytest.fixture(params=["sync", "async"])
def caller(request: pytest.FixtureRequest) -> Calls:
    def of(answers: list[Answer], **options: Any) -> Caller:
        return Caller(request.param, answers, **options)

    return of


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries, which take no time and are counted as if they had."""
    waits: list[float] = []
    delay_after = BaseClient._delay_after

    def recorded(self: BaseClient[Any], outcome: Outcome, tries: int, begun: float) -> float | None:
        delay = delay_after(self, outcome, tries, begun - sum(waits))
        if delay is None:
            return None
        waits.append(delay)
        return 0.0

    monkeypatch.setattr(BaseClient, "_delay_after", recorded)
    monkeypatch.setattr("parapet_client.base.random.random", lambda: 1.0)
    return waits
