"""What the service takes and answers, as types. Members and values that a newer service adds are kept, and break no older client."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypedDict, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_camel


class _Content(TypedDict):
    content: str


class Item(_Content, total=False):
    """A text of a batch."""

    id: str  # A name of yours, which comes back with the result.
    metadata: Mapping[str, object]


class Answer(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", frozen=True, strict=True)


class Span(Answer):
    """A passage that carries what was detected. `start` and `end` are UTF-16 offsets: slice_of() has those of Python."""

    start: int
    end: int
    label: str  # One of the model, or blocked_term.
    probability: float

    def slice_of(self, text: str) -> slice:
        """The passage is `text[span.slice_of(text)]`."""
        units = text.encode("utf-16-le", "surrogatepass")
        return slice(*(len(units[: 2 * offset].decode("utf-16-le", "surrogatepass")) for offset in (self.start, self.end)))


class Policy(Answer):
    name: str  # Of the preset that it begins from.
    version: int


class Details(Answer):
    model: str
    band: str  # Safe, Moderate or Toxic: that of the score alone.
    labels: dict[str, float]  # Calibrated probabilities, 0 to 1.
    sentiment: dict[str, float]
    language: str | None = None  # A tag of BCP 47, or "other" for none that the model knows. None where it knows one language.
    language_experimental: bool = False  # Where the model is not yet good enough at this language to rely on.
    spans: list[Span]
    windows: int
    cached: bool
    policy: Policy | None = None  # That of the project. None where the settings of the service apply.


class Verdict(Answer):
    passed: bool  # False where the text is flagged.
    score: int  # 0 (safe) to 10 (highly toxic).
    sentiment: str  # positive, negative, neutral or toxic.
    description: str  # For a moderator. Never quotes the text.
    categories: list[str]  # Strongest first; blocked_term comes before and unreadable after all others.
    processing_time_ms: int
    details: Details | None = None  # Where they were asked for.


class Problem(Answer):
    """RFC 9457 problem details. Program against `code`: docs/errors.md of the service has all of them."""

    type: str = "about:blank"
    title: str = ""
    status: int
    detail: str
    code: str
    request_id: str | None = None
    errors: list[dict[str, str]] = []  # Each with path and message: what is wrong with which member.


class BatchResult(Answer):
    """Has a verdict where the text was judged, else a problem."""

    id: str | None = None
    verdict: Verdict | None = None
    problem: Problem | None = None

    @model_validator(mode="after")
    def _has_one(self) -> "BatchResult":
        if (self.verdict is None) == (self.problem is None):
            raise ValueError("a verdict or a problem is expected, and not both")
        return self


class BatchAnswer(Answer):
    results: list[BatchResult]


class Health(Answer):
    status: str  # healthy, starting or unhealthy.
    timestamp: datetime


AnswerT = TypeVar("AnswerT", bound=Answer)


def read(kind: type[AnswerT], body: bytes) -> AnswerT | None:
    """None where the body is something else. Its text is in no error."""
    try:
        return kind.model_validate_json(body)
    except ValidationError:
        return None
