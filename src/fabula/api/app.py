"""The web application: all interfaces behind common middleware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from fabula.api.authentication import Authentication
from fabula.api.channels import channel_routes
from fabula.api.dispatch import Dispatch
from fabula.api.docs_page import offer_docs
from fabula.api.doorway import Doorway
from fabula.api.explanations import EXPLAINED, explained, fault
from fabula.api.guard import LOCAL_NAMES, Guard
from fabula.api.mcp.over_http import AgentDoor, mount
from fabula.api.metrics.exposition import MEDIA_TYPE, ServerMetrics
from fabula.api.metrics.requests import API, RequestRecords
from fabula.api.openapi import with_channels
from fabula.api.origins import Origins, new_page_token, normal_origin
from fabula.api.page import offer_page
from fabula.api.proxy.routes import proxy_routes
from fabula.api.rest import (
    chat,
    checks,
    context,
    conversations,
    events,
    evidence,
    exports,
    extractions,
    graph,
    history,
    imports,
    jobs,
    knowledge,
    live,
    lorebook,
    lorebooks,
    manuscript,
    members,
    model_setup,
    novels,
    ontology,
    receipts,
    reveals,
    samples,
    search,
    stories,
    story_threads,
)
from fabula.api.rest.house import house_routes
from fabula.api.server_process import ServerProcess
from fabula.api.streaming import Room
from fabula.api.watching import Watch
from fabula.memory import Memory

_ROOMS = (
    stories,
    members,
    model_setup,
    novels,
    lorebook,
    lorebooks,
    manuscript,
    graph,
    events,
    evidence,
    knowledge,
    story_threads,
    checks,
    receipts,
    reveals,
    context,
    chat,
    conversations,
    search,
    extractions,
    history,
    jobs,
    live,
    ontology,
    samples,
    exports,
    imports,
)
_DOCUMENT = f"{API}/openapi.json"
# How the addresses of everything else begin.
_OTHERS = ("/", "/stories", "/static", "/docs", "/metrics", "/v1", "/mcp")


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
    app = _Application(
        title="Fabula",
        version=version,
        description="The memory of a story: entities, relations, questions, history.",
        docs_url=None,
        redoc_url=None,
        openapi_url=_DOCUMENT,
        lifespan=agents.lifespan,
    )
    app.state.memory = memory
    app.state.is_leaving = lambda: False
    app.state.watch = Watch(memory, live.MAX_LISTENERS, lambda: bool(app.state.is_leaving()))
    app.state.answers = Room()
    for router in (
        house_routes(memory, version, is_public=auth_required, page_token=page_token),
        *(room.router for room in _ROOMS),
        imports.new_stories,
        lorebook.trials,
        stories.overview_router,
        channel_routes(memory),
    ):
        app.include_router(router, prefix=API)
        app.dispatch.add(API, router.routes)
    for method in ("GET", "HEAD"):
        app.dispatch.add_handler(method, _DOCUMENT, app.document)
    app.include_router(proxy_routes(memory))
    mount(app, agents)
    app.openapi = lambda: with_channels(app, auth_required=auth_required)  # type: ignore[method-assign]
    _explain_errors(app)
    offer_docs(app)
    offer_page(app)
    metrics = ServerMetrics(memory, version, process)
    app.state.metrics = metrics
    _serve_metrics(app, metrics)
    inside: ASGIApp = Authentication(app.dispatch, memory=memory, required=auth_required)
    guard = Guard(
        hosts=None if auth_required else hosts,
        origins=Origins(page_token=page_token, allowed=allowed_origins),
        max_body_bytes=max_body_bytes,
    )
    app.front = Doorway(_inviting(inside, allowed_origins), guard=guard, records=RequestRecords(metrics))
    return app


class _Application(FastAPI):
    """FastAPI describes the routes and checks what they take; requests find them by their own way."""

    front: ASGIApp

    def __init__(self, **described: Any) -> None:
        super().__init__(**described)
        self.dispatch = Dispatch(super().__call__, prefix=API, others=_OTHERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        scope["app"] = self
        await self.front(scope, receive, send)

    async def document(self, _: Request) -> Response:
        """Return the OpenAPI document."""
        return JSONResponse(self.openapi())


def _inviting(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Allow cross-origin requests from these origins; they send their own credentials, never cookies."""
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=[*filter(None, map(normal_origin, origins))],
        allow_methods=["*"],
        allow_headers=["*"],
        expose_headers=["*"],
    )


def _explain_errors(app: FastAPI) -> None:
    """Return every error in the same format."""

    async def refused(request: Request, error: Exception) -> Response:
        return explained(request.url.path, error) or fault(request.url.path)

    for kind in (*EXPLAINED, Exception):
        app.add_exception_handler(kind, refused)


def _serve_metrics(app: FastAPI, metrics: ServerMetrics) -> None:
    """Serve the metrics to everyone who may call this server."""

    @app.get("/metrics", include_in_schema=False)
    def scrape() -> Response:
        return Response(metrics.exposition(), media_type=MEDIA_TYPE)
