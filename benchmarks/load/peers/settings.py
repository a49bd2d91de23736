"""What the benchmark tells its Python peers, and the request that they all take."""

import os
from pathlib import Path

from pydantic import BaseModel, Field

MODEL_FOLDER = Path(os.environ["PEER_MODEL_FOLDER"])
CHECKPOINT = os.environ.get("PEER_CHECKPOINT")
THREADS = int(os.environ["PEER_THREADS"])
# False: one text at a time in each process. True: FastAPI's pool of threads, as a plain `def` handler has it.
THREAD_POOL = os.environ["PEER_HANDLER"] == "pool"
# A window of the service. What is longer is cut off, as is usual; the service judges all of it.
MAX_TOKENS = int(os.environ["PEER_MAX_TOKENS"])


class AnalyzeBody(BaseModel):
    content: str = Field(min_length=1, max_length=10_000)
