"""What the clients raise, and for which answer. Any of it means: not yet judged, never "passed"."""

import time
from datetime import timezone
from email.utils import parsedate_to_datetime

import httpx

from .models import Problem, read


class ParapetError(Exception):
    """The service could not answer. Of no subclass where the fault is its own, the code is not known here, or a proxy answered."""

    status: int | None = None
    problem: Problem | None = None
    request_id: str | None = None
    retry_after_seconds: float | None = None
    is_worth_retrying = False

    @property
    def code(self) -> str | None:
        """Stable, as in docs/errors.md of the service."""
        return self.problem.code if self.problem else None


class ParapetConnectionError(ParapetError):
    """No whole answer came. `__cause__` has more."""


class ParapetTimeoutError(ParapetConnectionError):
    """No answer came in time."""


class InvalidRequestError(ParapetError):
    """It would be refused again."""


class ContentTooLongError(InvalidRequestError):
    """More than 10,000 characters."""


class UnauthorizedError(ParapetError):
    """The key is malformed, unknown, revoked or expired."""


class RateLimitedError(ParapetError):
    """Too many requests, at the last try as well."""


class UnavailableError(ParapetError):
    """The service is starting, full or stopping, or cannot read its files; at the last try as well."""


CODES: dict[type[ParapetError], str] = {
    InvalidRequestError: "malformed_json invalid_body invalid_query bad_request not_found method_not_allowed request_timeout"
    " body_too_large unsupported_media_type headers_too_large conflict",
    ContentTooLongError: "content_too_long",
    UnauthorizedError: "unauthorized",
    RateLimitedError: "rate_limited too_many_failures",
    UnavailableError: "model_not_ready answer_timeout queue_full shutting_down keys_unavailable policies_unavailable records_unavailable",
}
_BY_CODE = {code: kind for kind, codes in CODES.items() for code in codes.split()}


def error_of_answer(address: str, response: httpx.Response) -> ParapetError:
    problem = read(Problem, response.content)
    request_id = (problem and problem.request_id) or response.headers.get("x-request-id")
    said = f"{problem.code}: {problem.detail}" if problem else "which is no answer of Parapet"
    kind = _BY_CODE.get(problem.code, ParapetError) if problem else ParapetError
    error = kind(f"{address} answered {response.status_code}, {said}{f' (request {request_id})' if request_id else ''}")
    error.status, error.problem, error.request_id = response.status_code, problem, request_id
    error.retry_after_seconds = _seconds(response.headers.get("retry-after"))
    # 429: too fast. 503: not now. Other errors would come again.
    error.is_worth_retrying = response.status_code in (429, 503)
    return error


def error_of_connection(address: str, cause: httpx.RequestError) -> ParapetError:
    timed_out = isinstance(cause, httpx.TimeoutException)
    kind = ParapetTimeoutError if timed_out else ParapetConnectionError
    said = f"no answer from {address}{' in time' if timed_out else ''}: {type(cause).__name__}"
    error = kind(f"{said}: {cause}" if str(cause) else said)
    error.__cause__ = cause
    # Not where the time for an answer was over: that would make a slow service slower.
    error.is_worth_retrying = isinstance(cause, httpx.NetworkError | httpx.ConnectTimeout | httpx.RemoteProtocolError)
    return error


def _seconds(retry_after: str | None) -> float | None:
    """Seconds or an HTTP date (RFC 9110, section 10.2.3)."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp() - time.time())
