"""Writes the manifest of models/parapet-en/ from what the other steps left: hashes, calibration and measured figures.

    python package.py --work work --output ../parapet-en --version 0.1.0
"""

import argparse
import hashlib
import json
from pathlib import Path

from labels import LABELS, SENTIMENTS
from windows import MAX_TOKENS, OVERLAP_TOKENS


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    return {key: rounded(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("work"))
    parser.add_argument("--output", type=Path, default=Path("../parapet-en"))
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    calibration = json.loads((options.work / "calibration.json").read_text())
    measured = json.loads((options.work / "measured.json").read_text())
    files = {}
    for name in ("model.onnx", "tokenizer.json"):
        content = (options.output / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest = {
        "format": 1,
        "id": "parapet-en",
        "version": options.version,
        "runtime": "onnx",
        "labels": LABELS,
        "sentiments": SENTIMENTS,
        "window": {"maxTokens": MAX_TOKENS, "overlapTokens": OVERLAP_TOKENS},
        "calibration": calibration["calibration"],
        "files": files,
        "measured": rounded({**measured, "validation": calibration["validation"]}),
    }
    (options.output / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"wrote {options.output / 'manifest.json'}")


if __name__ == "__main__":
    main()
