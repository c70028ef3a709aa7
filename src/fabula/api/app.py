"""The web application: all interfaces behind common middleware."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from fabula.api.authentication import Authentication
from fabula.api.channels import channel_routes
from fabula.api.docs_page import offer_docs
from fabula.api.envelope import pause, refusal
from fabula.api.guard import LOCAL_NAMES, Guard
from fabula.api.mcp.over_http import AgentDoor, mount
from fabula.api.metrics.exposition import MEDIA_TYPE, ServerMetrics
from fabula.api.metrics.requests import API, ObservedRequests, RoutePatterns
from fabula.api.openapi import with_channels
from fabula.api.origins import Origins, new_page_token, normal_origin
from fabula.api.page import offer_page
from fabula.api.proxy.routes import proxy_routes
from fabula.api.receipts import Receipted
from fabula.api.request_id import request_id
from fabula.api.rest import (
    chat,
    context,
    events,
    evidence,
    exports,
    extractions,
    graph,
    history,
    imports,
    jobs,
    live,
    lorebook,
    manuscript,
    members,
    novels,
    ontology,
    samples,
    search,
    stories,
)
from fabula.api.rest.house import house_routes
from fabula.api.server_process import ServerProcess
from fabula.api.streaming import Room
from fabula.api.watching import Watch
from fabula.errors import FabulaError, InternalError, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.parsing import invalid_fields, invalid_input


def create_app(
    memory: Memory,
    *,
    version: str,
    max_body_bytes: int = 256 << 20,
    hosts: Sequence[str] = LOCAL_NAMES,
    auth_required: bool = False,
    allowed_origins: Sequence[str] = (),
    process: ServerProcess | None = None,
) -> FastAPI:
    """Create the application for an open memory; with accounts it accepts any host name.

    One of several processes behind one port shares its metrics and its page token with the others.
    """
    page_token = None
    if not auth_required:
        page_token = new_page_token() if process is None else process.page_token
    agents = AgentDoor(memory, version=version, max_body_bytes=max_body_bytes)
    app = FastAPI(
        title="Fabula",
        version=version,
        description="The memory of a story: entities, relations, questions, history.",
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        lifespan=agents.lifespan,
    )
    app.state.memory = memory
    app.state.is_leaving = lambda: False
    app.state.watch = Watch(memory, live.MAX_LISTENERS, lambda: bool(app.state.is_leaving()))
    app.state.answers = Room()
    app.include_router(
        house_routes(memory, version, is_public=auth_required, page_token=page_token), prefix=API
    )
    for room in (
        stories,
        members,
        novels,
        lorebook,
        manuscript,
        graph,
        events,
        evidence,
        context,
        chat,
        search,
        extractions,
        history,
        jobs,
        live,
        ontology,
        samples,
        exports,
        imports,
    ):
        app.include_router(room.router, prefix=API)
    app.include_router(imports.new_stories, prefix=API)
    app.include_router(channel_routes(memory), prefix=API)
    app.include_router(proxy_routes(memory))
    mount(app, agents)
    app.openapi = lambda: with_channels(app, auth_required=auth_required)  # type: ignore[method-assign]
    _explain_errors(app)
    offer_docs(app)
    offer_page(app)
    metrics = ServerMetrics(memory, version, process)
    app.state.metrics = metrics
    _serve_metrics(app, metrics)
    app.add_middleware(Receipted)
    app.add_middleware(RoutePatterns)
    app.add_middleware(Authentication, memory=memory, required=auth_required)
    if allowed_origins:
        _invite(app, allowed_origins)
    app.add_middleware(
        Guard,
        hosts=None if auth_required else hosts,
        origins=Origins(page_token=page_token, allowed=allowed_origins),
        max_body_bytes=max_body_bytes,
    )
    app.add_middleware(ObservedRequests, metrics=metrics)
    return app


def _invite(app: FastAPI, origins: Sequence[str]) -> None:
    """Allow cross-origin requests from these origins; they send their own credentials, never cookies."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[*filter(None, map(normal_origin, origins))],
        allow_methods=["*"],
        allow_headers=["*"],
        expose_headers=["*"],
    )


def _explain_errors(app: FastAPI) -> None:
    """Return every error in the same format."""

    @app.exception_handler(FabulaError)
    async def refused(request: Request, error: FabulaError) -> Response:
        return _response(request, error)

    @app.exception_handler(RequestValidationError)
    async def misshapen(request: Request, error: RequestValidationError) -> Response:
        problems = [{**problem, "loc": problem["loc"][1:]} for problem in error.errors()]
        return _response(request, invalid_fields(problems))

    @app.exception_handler(ValidationError)
    async def misbuilt(request: Request, error: ValidationError) -> Response:
        return _response(request, invalid_input(error))

    @app.exception_handler(HTTPException)
    async def unrouted(request: Request, error: HTTPException) -> Response:
        if error.status_code == NotFound.status:
            return _response(request, NotFound("There is nothing at this address.", suggestion="See /docs."))
        problem = InvalidInput(f"{error.detail}.", suggestion="See /docs for what this address takes.")
        return _response(request, problem, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, _: Exception) -> Response:
        number = {"x-request-id": request_id.get() or ""}
        return _response(request, InternalError("Something went wrong inside Fabula."), headers=number)


def _serve_metrics(app: FastAPI, metrics: ServerMetrics) -> None:
    """Serve the metrics to everyone who may call this server."""

    @app.get("/metrics", include_in_schema=False)
    def scrape() -> Response:
        return Response(metrics.exposition(), media_type=MEDIA_TYPE)


def _response(
    request: Request,
    error: FabulaError,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    body = refusal(request.url.path, error)
    code = status or error.status
    shown = {**(headers or {}), **pause(error)}
    return Response(body, status_code=code, headers=shown, media_type="application/json")
