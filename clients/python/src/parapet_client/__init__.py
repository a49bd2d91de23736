"""Clients of Parapet, the self-hosted content moderation. Use them on servers only: they hold an API key."""

from .async_client import AsyncParapet
from .client import Parapet
from .errors import (
    ContentTooLongError,
    InvalidRequestError,
    ParapetConnectionError,
    ParapetError,
    ParapetTimeoutError,
    RateLimitedError,
    UnauthorizedError,
    UnavailableError,
)
from .models import BatchResult, Details, Health, Item, Policy, Problem, Span, Verdict

__all__ = [
    "AsyncParapet",
    "BatchResult",
    "ContentTooLongError",
    "Details",
    "Health",
    "InvalidRequestError",
    "Item",
    "Parapet",
    "ParapetConnectionError",
    "ParapetError",
    "ParapetTimeoutError",
    "Policy",
    "Problem",
    "RateLimitedError",
    "Span",
    "UnauthorizedError",
    "UnavailableError",
    "Verdict",
]
