"""The documentation page at `/docs`, served from local files so that it works offline."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from fastapi import FastAPI
from starlette.responses import HTMLResponse

from fabula.api.metrics.requests import API
from fabula.api.origins import PAGE_HEADER
from fabula.api.page import page_headers

_FILES = "/static/swagger-ui"
# Requests tried out here are sent like those of our own page, with the current page token.
_SCRIPT = f"""
SwaggerUIBundle({{
  url: "{API}/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: async (request) => {{
    if (request.loadSpec) return request;
    const answer = await fetch("{API}/page-token", {{ cache: "no-store" }});
    const {{ token }} = await answer.json();
    if (token !== null) request.headers["{PAGE_HEADER}"] = token;
    return request;
  }},
}});
"""
_PAGE = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Fabula API</title>
    <link rel="icon" href="{_FILES}/favicon-32x32.png">
    <link rel="stylesheet" href="{_FILES}/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="{_FILES}/swagger-ui-bundle.js"></script>
    <script>{_SCRIPT}</script>
  </body>
</html>
"""
# The hash that allows this inline script and no other.
_OWN_SCRIPT = f"'sha256-{b64encode(sha256(_SCRIPT.encode()).digest()).decode()}'"


def offer_docs(app: FastAPI) -> None:
    """Serve the documentation page."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(_PAGE, headers=page_headers(scripts=_OWN_SCRIPT))
