"""Serve the web page, its deep links, and its security headers."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent.parent / "static"

# No external resources and no inline scripts: lore stays text even if it looks like a script.
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
FOR_EVER = "public, max-age=31536000, immutable"


def page_headers(*, scripts: str = "") -> dict[str, str]:
    """Return the headers of one of our pages, allowing these additional scripts."""
    policy = {**_POLICY, "script-src": f"{_POLICY['script-src']} {scripts}".strip()}
    return {
        "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in policy.items()),
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }


class _Files(StaticFiles):
    """Static files; those with a content hash in their name are cached forever, others are revalidated."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        hashed = path.startswith("app/assets/") and response.status_code == 200
        response.headers["Cache-Control"] = FOR_EVER if hashed else "no-cache"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def offer_page(app: FastAPI, *, static: Path = STATIC) -> None:
    """Serve the page at `/` and at every address of a story; redirect to `/docs` if it is not built."""
    app.mount("/static", _Files(directory=static, check_dir=False), name="static")
    index = static / "app" / "index.html"

    @app.get("/", include_in_schema=False)
    @app.get("/stories/{place:path}", include_in_schema=False)
    def page() -> Response:
        if not index.exists():
            return RedirectResponse("/docs")
        return FileResponse(index, headers=page_headers())
