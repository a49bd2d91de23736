"""Reads and writes the files that stages hand on, each whole or not at all."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def written(path: Path) -> Iterator[IO[str]]:
    """A file to write, which takes its place when the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.part")
    with open(temporary, "w", encoding="utf-8", errors="surrogatepass") as file:
        yield file
    os.replace(temporary, path)


def write_lines(path: Path, records: Iterable[Any]) -> int:
    """JSON Lines; gives how many."""
    count = 0
    with written(path) as file:
        for record in records:
            file.write(json.dumps(record) + "\n")
            count += 1
    return count


def read_lines(path: Path) -> Iterator[Any]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def write_json(path: Path, value: Any) -> None:
    with written(path) as file:
        file.write(json.dumps(value, indent=2, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
