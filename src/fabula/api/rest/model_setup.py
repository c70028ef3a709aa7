"""`/model`: the language model of the server, how it is set up, and a test of it."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import model_setup

router = routes(
    "/model",
    "server",
    (
        Route("GET", "", model_setup.read_model_setup, name="read_model_setup"),
        Route("PUT", "", model_setup.save_model_setup, name="save_model_setup"),
        Route("POST", "/list", model_setup.list_models, optional_body=True, name="list_models"),
        Route("POST", "/try", model_setup.try_model, optional_body=True, name="try_model"),
    ),
)
