"""POST /v1/analyze over any function from a text to probabilities. Authenticates nothing."""

from collections.abc import Callable

from fastapi import FastAPI

from settings import THREAD_POOL, AnalyzeBody

Predict = Callable[[str], dict[str, float]]


def app_of(predict: Predict) -> FastAPI:
    app = FastAPI()

    def in_pool(body: AnalyzeBody) -> dict[str, float]:
        return predict(body.content)

    async def in_loop(body: AnalyzeBody) -> dict[str, float]:
        return predict(body.content)

    app.post("/v1/analyze")(in_pool if THREAD_POOL else in_loop)
    # The first run allocates and compiles: nobody should wait for it.
    predict("warm-up")
    return app
