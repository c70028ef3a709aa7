"""Every error that leaves Fabula, as one tree: code, HTTP status, message, details, suggestion.

FabulaError
├── InvalidInput              VALIDATION_ERROR            400
│   └── RequestTooSlow                                    408
├── Unauthenticated           UNAUTHENTICATED             401
├── Forbidden                 FORBIDDEN                   403
├── NotFound                  NOT_FOUND                   404
├── Conflict                  CONFLICT                    409
│   └── Contended
├── PayloadTooLarge           PAYLOAD_TOO_LARGE           413
├── RateLimited               RATE_LIMITED                429
├── InternalError             INTERNAL_ERROR              500
│   ├── DatabaseUnreachable                               503
│   │   ├── DatabaseInterrupted
│   │   ├── DatabaseRefused
│   │   └── OutcomeUnknown
│   ├── DatabaseDamaged
│   ├── DatabaseMoved                                     503
│   ├── DiskFull                                          507
│   └── ServerStopping                                    503
├── EntityDuplicate           KG_ENTITY_DUPLICATE         409
├── EntityConflict            KG_ENTITY_CONFLICT          409
├── AttributeKeysExceeded     KG_ATTRIBUTE_KEYS_EXCEEDED  400
├── RelationInvalid           KG_RELATION_INVALID         400
├── CapacityExceeded          KG_CAPACITY_EXCEEDED        409
├── SubgraphKExceeded         KG_SUBGRAPH_K_EXCEEDED      400
├── QueryTimeout              KG_QUERY_TIMEOUT            504
├── ScopeViolation            KG_SCOPE_VIOLATION          403
├── LoreKeyDuplicate          LORE_KEY_DUPLICATE          409
├── ExtractionAlreadyReviewed EXTRACTION_ALREADY_REVIEWED 409
├── JobInProgress             JOB_IN_PROGRESS             409
├── LlmRateLimited            LLM_RATE_LIMITED            429
├── LlmUnavailable            LLM_UNAVAILABLE             502
├── GraphUnavailable          GRAPH_UNAVAILABLE           503
└── BundleInvalid             BUNDLE_INVALID              400
"""

from __future__ import annotations

from typing import Any, ClassVar


class FabulaError(Exception):
    """An error that Fabula reports to its callers, with a suggestion what to do about it."""

    code: ClassVar[str]
    status: ClassVar[int]
    default_suggestion: ClassVar[str | None] = None

    def __init__(
        self, message: str, *, details: dict[str, Any] | None = None, suggestion: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.suggestion = suggestion or self.default_suggestion

    def as_dict(self) -> dict[str, Any]:
        """The error as every door returns it, without empty fields."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.details is not None:
            body["details"] = self.details
        if self.suggestion is not None:
            body["suggestion"] = self.suggestion
        return body


class InvalidInput(FabulaError):
    """The request is malformed."""

    code = "VALIDATION_ERROR"
    status = 400
    default_suggestion = "Correct the fields named in details and send the request again."


class RequestTooSlow(InvalidInput):
    """The body of a request did not arrive in time."""

    status = 408


class Unauthenticated(FabulaError):
    """The caller is not authenticated."""

    code = "UNAUTHENTICATED"
    status = 401
    default_suggestion = "Send a bearer token in the Authorization header."


class Forbidden(FabulaError):
    """The caller is authenticated but may not do this."""

    code = "FORBIDDEN"
    status = 403
    default_suggestion = "Ask the owner of the story for access."


class NotFound(FabulaError):
    """The story, or the item in it, does not exist."""

    code = "NOT_FOUND"
    status = 404
    default_suggestion = "Check the id; list the items of the story to see what exists."


class Conflict(FabulaError):
    """The request is based on an outdated state."""

    code = "CONFLICT"
    status = 409
    default_suggestion = "Read the latest state and try again."


class Contended(Conflict):
    """A concurrent write touched the same data; nothing of this request was written."""

    default_suggestion = "Nothing was written. Send the same request again."
    # Set once retrying was given up, so that no outer caller retries as well.
    was_retried = False


class PayloadTooLarge(FabulaError):
    """The request body is larger than this server accepts."""

    code = "PAYLOAD_TOO_LARGE"
    status = 413
    default_suggestion = "Send the data in several smaller requests."


class RateLimited(FabulaError):
    """Too many requests in too short a time."""

    code = "RATE_LIMITED"
    status = 429
    default_suggestion = "Wait a moment and try again."


class InternalError(FabulaError):
    """A defect in Fabula."""

    code = "INTERNAL_ERROR"
    status = 500
    default_suggestion = (
        "Nothing was written. Try again; if it happens again, report it with the server's log."
    )


class DatabaseUnreachable(InternalError):
    """The database does not answer."""

    status = 503
    default_suggestion = "Nothing was written. Try again when the database is running."


class DatabaseInterrupted(DatabaseUnreachable):
    """The connection to the database broke in the middle of something; a new one may work."""

    was_retried = False


class DatabaseRefused(DatabaseUnreachable):
    """The database is reachable but does not permit what Fabula needs to do."""

    default_suggestion = (
        "Nothing was written. Check that Fabula may write to the database: its file, its account, "
        "and that its server is not a standby."
    )


class OutcomeUnknown(DatabaseUnreachable):
    """The database was told to commit, and did not confirm it."""

    default_suggestion = "It may have been written or not. Check before you send it again."


class DatabaseDamaged(InternalError):
    """The database is damaged: by the disk, the system or another program."""

    default_suggestion = "Stop Fabula, keep the database as it is, and run `fabula doctor`."


class DatabaseMoved(InternalError):
    """The database file was moved or deleted while open, so that further writes would be lost."""

    status = 503
    default_suggestion = (
        "Nothing was written. Put the database file back if it was moved; then start Fabula again."
    )


class DiskFull(InternalError):
    """The disk is full."""

    status = 507
    default_suggestion = "Nothing was written, and existing data is intact. Free some space, then try again."


class ServerStopping(InternalError):
    """The server is shutting down and no answer has started."""

    status = 503
    default_suggestion = "Nothing was written. Try again when the server is back."


class EntityDuplicate(FabulaError):
    """An entity of this type and name already exists."""

    code = "KG_ENTITY_DUPLICATE"
    status = 409
    default_suggestion = "Update or merge the existing entity, or choose another name."


class EntityConflict(FabulaError):
    """Somebody else changed the entity first."""

    code = "KG_ENTITY_CONFLICT"
    status = 409
    default_suggestion = "Look at latestSnapshot, apply your change to it and send it with latestVersion."


class AttributeKeysExceeded(FabulaError):
    """An entity would have too many attributes."""

    code = "KG_ATTRIBUTE_KEYS_EXCEEDED"
    status = 400
    default_suggestion = "Remove attributes, or group related ones under one key."


class RelationInvalid(FabulaError):
    """A relation leads to a missing entity, to another story, or back to its source."""

    code = "KG_RELATION_INVALID"
    status = 400
    default_suggestion = "Relate two different entities of the same story; create the missing one first."


class CapacityExceeded(FabulaError):
    """The story has reached a capacity limit."""

    code = "KG_CAPACITY_EXCEEDED"
    status = 409
    default_suggestion = "Merge duplicate entities or remove redundant relations."


class SubgraphKExceeded(FabulaError):
    """The subgraph was requested with more hops than allowed."""

    code = "KG_SUBGRAPH_K_EXCEEDED"
    status = 400
    default_suggestion = "Ask for fewer hops, and go on from one of the entities found."


class QueryTimeout(FabulaError):
    """A query exceeded its time limit."""

    code = "KG_QUERY_TIMEOUT"
    status = 504
    default_suggestion = "Filter by keyword or ask about a smaller part of the graph."


class ScopeViolation(FabulaError):
    """An id belongs to another story."""

    code = "KG_SCOPE_VIOLATION"
    status = 403
    default_suggestion = "Use ids of this story only."


class LoreKeyDuplicate(FabulaError):
    """The lorebook already has an entry with this key."""

    code = "LORE_KEY_DUPLICATE"
    status = 409
    default_suggestion = "Update the existing entry, or choose another key."


class ExtractionAlreadyReviewed(FabulaError):
    """The proposal has already been reviewed."""

    code = "EXTRACTION_ALREADY_REVIEWED"
    status = 409
    default_suggestion = "Read the proposal to see the decision; undo the step that wrote it to decide again."


class JobInProgress(FabulaError):
    """The same job is already queued or running."""

    code = "JOB_IN_PROGRESS"
    status = 409
    default_suggestion = "Wait until the running job is done; look at it under /jobs."


class LlmRateLimited(FabulaError):
    """The language model accepts no more requests for a while."""

    code = "LLM_RATE_LIMITED"
    status = 429
    default_suggestion = "Wait as long as details says and try again, or use a model with a higher limit."


class LlmUnavailable(FabulaError):
    """No language model is configured, or it gives no usable answer."""

    code = "LLM_UNAVAILABLE"
    status = 502
    default_suggestion = "Check that the model's server is running, and the FABULA_LLM_* settings."


class GraphUnavailable(FabulaError):
    """The configured graph server gave no usable answer; the story itself is unaffected."""

    code = "GRAPH_UNAVAILABLE"
    status = 503
    default_suggestion = "Try again when the graph server runs; writing the story goes on meanwhile."


class BundleInvalid(FabulaError):
    """A bundle or story folder is invalid; nothing of it was written."""

    code = "BUNDLE_INVALID"
    status = 400
    default_suggestion = "Correct all the places named in details and send it again."


def all_errors() -> tuple[type[FabulaError], ...]:
    """One class for every code of the closed list, in the order of the tree above."""
    return tuple(FabulaError.__subclasses__())
