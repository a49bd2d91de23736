"""Promises of what is built: it is whole, and does its work in an empty environment against the built service (npm run build)."""

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from parapet_client.models import Answer, BatchAnswer, Details, Health, Policy, Problem, Span, Verdict
from parapet_client.requests import MAX_BATCH_ITEMS

CLIENT = Path(__file__).parents[1]
ROOT = CLIENT.parents[1]
# The classes where an error is caught, and what both calls then say.
TELL_ERROR = """
import asyncio, parapet_client
try:
    parapet_client.Parapet(max_tries=2).analyze("hi")
except parapet_client.ParapetError as error:
    print(type(error).__name__, error)
try:
    asyncio.run(parapet_client.AsyncParapet(max_tries=2).analyze("hi"))
except parapet_client.ParapetError as error:
    print(type(error).__name__, error)
"""


def run(*command: str | Path, **variables: str) -> str:
    ended = subprocess.run(command, env={"PATH": os.environ["PATH"], **variables}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


class Service:
    def __init__(self, folder: Path) -> None:
        self._settings = {"KEYS_FILE": str(folder / "keys.json"), "PORT": "0", "INFERENCE_THREADS": "1"}
        key = json.loads(self._keys("create", "--project", "e2e", "--name", "test", "--json"))
        self._key_id = key["id"]
        variables = {"PATH": os.environ["PATH"], **self._settings}
        command = ["node", "dist/src/server.js"]
        self._process = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)
        lines = map(json.loads, self._process.stdout or [])
        ready = next((line for line in lines if line["msg"] == "ready"), None)
        if ready is None:
            self.stop()
            pytest.fail("the service did not start: npm run build")
        self.address = ready["address"]
        self.variables = {"PARAPET_URL": self.address, "PARAPET_KEY": key["key"]}

    def _keys(self, *arguments: str) -> str:
        return run("node", ROOT / "dist/src/cli/keys.js", *arguments, **self._settings)

    def revoke_key(self) -> None:
        self._keys("revoke", self._key_id)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.communicate()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"))
    yield service
    service.stop()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CLIENT)
    return folder


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of an environment with the wheel, and nothing that it does not ask for."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder)
    packages = f"{folder}/lib/python3.{sys.version_info.minor}/site-packages"
    wheel = next(built.glob("*.whl"))
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", packages, wheel)
    return folder / "bin" / "python"


def test_wheel_and_sdist_are_whole(built: Path) -> None:
    modules = {path.name for path in (CLIENT / "src" / "parapet_client").iterdir() if path.is_file()}
    assert "py.typed" in modules
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {Path(name).name: name for name in wheel.namelist()}
        assert wheel.read(names["LICENSE"]) == (ROOT / "LICENSE").read_bytes()
    assert names.keys() == modules | {"METADATA", "RECORD", "WHEEL", "LICENSE"}
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        members = {Path(member.name).name: member for member in sdist.getmembers()}
    assert members.keys() >= modules | {"README.md", "pyproject.toml", "LICENSE", "test_package.py"}
    assert members["LICENSE"].isfile()


def test_the_installed_client_judges_one_text_and_hundreds(python: Path, service: Service) -> None:
    assert run(python, CLIENT / "tests" / "use_installed.py", **service.variables) == "done\n"


def test_the_installed_client_brings_its_types(python: Path) -> None:
    options = ["--strict", "--config-file", os.devnull, "--cache-dir", os.devnull, "--python-executable", str(python)]
    run(sys.executable, "-m", "mypy", *options, CLIENT / "tests" / "use_installed.py")


@pytest.mark.parametrize("page", ["clients/python/README.md", "README.md"])
def test_examples_run(python: Path, service: Service, page: str) -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        said = run(python, "-c", example, **service.variables)
        assert said
        assert "not judged, so" not in said


def test_the_types_have_the_members_that_the_service_describes(service: Service) -> None:
    schemas = httpx.get(f"{service.address}/openapi.json").json()["components"]["schemas"]
    details = schemas["Details"]["properties"]
    described: dict[type[Answer], Any] = {
        Verdict: schemas["AnalyzeResponse"],
        Details: schemas["Details"],
        Span: details["spans"]["items"],
        Policy: details["policy"],
        Health: schemas["HealthResponse"],
        Problem: schemas["Problem"],
    }
    for kind, schema in described.items():
        assert members_of(kind) == schema["properties"].keys(), kind
        assert members_of(kind, required=True) <= set(schema["required"]), kind
    assert members_of(BatchAnswer) <= schemas["BatchResponse"]["properties"].keys()
    assert schemas["BatchRequest"]["properties"]["items"]["maxItems"] == MAX_BATCH_ITEMS


def members_of(kind: type[Answer], required: bool = False) -> set[str]:
    return {field.alias or name for name, field in kind.model_fields.items() if field.is_required() or not required}


def test_a_revoked_key_and_then_a_stopped_service_are_told_apart(python: Path, service: Service) -> None:
    service.revoke_key()
    for line in run(python, "-c", TELL_ERROR, **service.variables).splitlines():
        assert line.startswith(f"UnauthorizedError {service.address} answered 401, unauthorized: ")
    service.stop()
    for line in run(python, "-c", TELL_ERROR, **service.variables).splitlines():
        assert line.startswith(f"ParapetConnectionError no answer from {service.address}: ConnectError: ")
