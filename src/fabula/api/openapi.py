"""The OpenAPI document, including the channels."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from fabula.api.envelope import CHANNEL_PREFIX
from fabula.operations.catalogue import CHANNELS

ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "details": {"type": "object"},
        "suggestion": {"type": "string"},
    },
}


def with_channels(app: FastAPI, *, auth_required: bool = False) -> dict[str, Any]:
    """Return the application's OpenAPI document with one path for each channel."""
    if app.openapi_schema is None:
        document = FastAPI.openapi(app)
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(channel_schemas("#/components/schemas/{model}"))
        schemas["Error"] = ERROR_SCHEMA
        _describe_errors(document, schemas)
        if auth_required:
            _describe_tokens(document)
        for channel, operation in CHANNELS.items():
            document["paths"][CHANNEL_PREFIX + channel] = {
                "post": {
                    "tags": ["knowledge channels"],
                    "summary": operation.summary,
                    "operationId": channel.replace(":", "_"),
                    "requestBody": {"required": True, "content": _json(_ref(operation.request.__name__))},
                    "responses": {
                        "200": {
                            "description": "The answer, or the reason why there is none.",
                            "content": _json(_envelope(operation.response.__name__)),
                        }
                    },
                }
            }
        app.openapi_schema = document
    return app.openapi_schema


def _describe_errors(document: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Describe our error format instead of the framework's, which this server never sends."""
    for path, operations in document["paths"].items():
        for method, described in operations.items():
            described["responses"].pop("422", None)
            for status in _refusals(path, method, described):
                described["responses"][status] = {
                    "description": REFUSALS[status],
                    "content": _json(_ref("Error")),
                }
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)


REFUSALS = {
    "400": "The request does not have the shape that was asked for.",
    "401": "Nobody has said who is asking.",
    "403": "The caller may not do this.",
    "404": "There is no such thing.",
    "409": "Something that is there already, or has changed since, is in the way.",
    "413": "The body is larger than this server takes.",
    "429": "A language model was asked too often.",
    "5XX": "A fault of the server, or an answer that would take too long.",
}


def _refusals(path: str, method: str, described: dict[str, Any]) -> list[str]:
    """Return the error statuses that a route may answer with."""
    absent = set()
    if not described.get("parameters") and "requestBody" not in described:
        absent.add("400")
    asked = {parameter["name"] for parameter in described.get("parameters", ())}
    if "{" not in path and "storyId" not in asked:
        absent.add("404")
    if method == "get":
        absent.add("409")
    if "requestBody" not in described:
        absent.add("413")
    if "429" not in described["responses"]:
        absent.add("429")
    return [status for status in REFUSALS if status not in absent]


def _describe_tokens(document: dict[str, Any]) -> None:
    """Describe authentication by token, so that the documentation page can ask for one."""
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    for path in ("/api/v2/health", "/api/v2/ready"):
        document["paths"][path]["get"]["security"] = []


def channel_schemas(ref_template: str) -> dict[str, Any]:
    """Return the JSON Schemas of all request and response types of the channels, by name."""
    models: list[Any] = []
    for operation in CHANNELS.values():
        models += [(operation.request, "validation"), (operation.response, "serialization")]
    _, document = models_json_schema(models, ref_template=ref_template)
    definitions: dict[str, Any] = document["$defs"]
    _drop_null_defaults(definitions)
    return definitions


def _drop_null_defaults(node: Any) -> None:
    """Remove null defaults: such fields may be omitted, and generated clients must not send the null."""
    if isinstance(node, dict):
        if "default" in node and node["default"] is None:
            del node["default"]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            _drop_null_defaults(item)


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _envelope(name: str) -> dict[str, Any]:
    return {
        "oneOf": [
            {
                "type": "object",
                "required": ["ok", "data"],
                "properties": {
                    "ok": {"const": True},
                    "data": _ref(name),
                    "revision": {"type": "integer", "description": "The step that a write made."},
                },
            },
            {
                "type": "object",
                "required": ["ok", "error"],
                "properties": {"ok": {"const": False}, "error": _ref("Error")},
            },
        ]
    }
