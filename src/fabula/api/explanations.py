"""Every error as the response that the interface at its path gives."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from fabula.api.envelope import pause, refusal
from fabula.errors import FabulaError, InternalError, InvalidInput, NotFound
from fabula.model.parsing import invalid_fields, invalid_input

# The errors of which a caller is told more than that something went wrong.
EXPLAINED = (FabulaError, RequestValidationError, ValidationError, HTTPException)
NOWHERE = "There is nothing at this address."


def explained(path: str, error: Exception) -> Response | None:
    """Return the response to an error; None if it is a fault of ours."""
    match error:
        case FabulaError():
            return _response(path, error)
        case RequestValidationError():
            problems = [{**problem, "loc": problem["loc"][1:]} for problem in error.errors()]
            return _response(path, invalid_fields(problems))
        case ValidationError():
            return _response(path, invalid_input(error))
        case HTTPException(status_code=NotFound.status):
            return _response(path, NotFound(NOWHERE, suggestion="See /docs."))
        case HTTPException():
            problem = InvalidInput(f"{error.detail}.", suggestion="See /docs for what this address takes.")
            return _response(path, problem, error.status_code, error.headers)
        case _:
            return None


def fault(path: str) -> Response:
    """Return the response to an error that is a fault of ours."""
    return _response(path, InternalError("Something went wrong inside Fabula."))


def _response(
    path: str, error: FabulaError, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    shown = {**(headers or {}), **pause(error)}
    return Response(refusal(path, error), status or error.status, shown, media_type="application/json")
