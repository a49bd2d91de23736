"""What a program with the installed client does; test_package.py runs it, and has a type checker read it."""

import asyncio

from parapet_client import AsyncParapet, BatchResult, Parapet

KIND, TOXIC = "Thank you so much, this was lovely 😀", "😀 You are a stupid idiot, shut up"
TEXTS = [KIND, TOXIC, ""] * 100
WANTED = ["passed", "held back", "invalid_body"] * 100


def outcome_of(result: BatchResult) -> str:
    if result.problem is not None:
        return result.problem.code
    assert result.verdict is not None
    return "passed" if result.verdict.passed else "held back"


def use() -> None:
    with Parapet(timeout_seconds=60) as parapet:
        assert parapet.health().status == "healthy"
        assert parapet.analyze(KIND, metadata={"source": "chat"}, request_id="r-1").passed
        verdict = parapet.analyze(TOXIC, details=True)
        assert not verdict.passed
        assert verdict.details is not None
        assert "idiot" in TOXIC[verdict.details.spans[0].slice_of(TOXIC)]
        assert [outcome_of(result) for result in parapet.analyze_batch(TEXTS)] == WANTED
        assert [outcome_of(result) for result in parapet.analyze_many(iter(TEXTS), batch_size=50)] == WANTED


async def use_async() -> None:
    async with AsyncParapet(timeout_seconds=60) as parapet:
        assert (await parapet.health()).status == "healthy"
        verdicts = await asyncio.gather(parapet.analyze(KIND), parapet.analyze(TOXIC))
        assert [verdict.passed for verdict in verdicts] == [True, False]
        assert [outcome_of(result) for result in await parapet.analyze_batch(TEXTS)] == WANTED
        assert [outcome_of(result) async for result in parapet.analyze_many(TEXTS, batch_size=50)] == WANTED
        items = await parapet.analyze_batch([{"id": "a", "content": KIND}, TOXIC])
        assert [item.id for item in items] == ["a", None]


if __name__ == "__main__":
    use()
    asyncio.run(use_async())
    print("done")
