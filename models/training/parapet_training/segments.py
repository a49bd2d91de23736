"""Stage segments: what the service reads of each row. Its own command normalises and cuts: no rule of either is in Python.

Writes segments/rows.jsonl: a row of the data stage with `text` normalised and `segments`, a list of texts.
"""

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from parapet_training.files import read_lines, write_lines
from parapet_training.params import Params


def run(params: Params, here: Path, data: Path, work: Path) -> None:
    rows = work / "data" / "rows.jsonl"
    segmented = segments_of((row["text"] for row in read_lines(rows)), params.segments.command, here)
    english = segments_of((row["english"] or "" for row in read_lines(rows)), params.segments.command, here)
    records = (
        {**row, "text": text, "segments": segments, "english": row["english"] and translation}
        for row, (text, segments), (translation, _) in zip(read_lines(rows), segmented, english, strict=True)
    )
    count = write_lines(work / "segments" / "rows.jsonl", records)
    print(f"{count} rows")


def segments_of(texts: Iterable[str], command: list[str], folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The normalised text and its segments, of each text in order. command: run in `folder`, see src/cli/segment.ts.

    Raises RuntimeError if the command fails.
    """
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    stdin = process.stdin

    def write() -> None:
        try:
            for text in texts:
                stdin.write(json.dumps({"text": text}).encode() + b"\n")
            stdin.close()
        except BrokenPipeError:
            pass  # what the command said of it is on standard error

    threading.Thread(target=write, daemon=True).start()
    for line in process.stdout:
        answer = json.loads(line)
        yield answer["text"], list(_slices(answer["text"], answer["segments"]))
    if process.wait() != 0:
        raise RuntimeError(f"{' '.join(command)} failed: has the service been built (npm run build)?")


def _slices(text: str, offsets: list[list[int]]) -> Iterator[str]:
    """offsets: of UTF-16 units, as JavaScript counts."""
    if all(character <= "\uffff" for character in text):
        yield from (text[start:end] for start, end in offsets)
        return
    units = text.encode("utf-16-le", "surrogatepass")
    for start, end in offsets:
        yield units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
