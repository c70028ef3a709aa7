"""`/samples`: create a copy of a sample story."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.samples import create_sample

router = routes("/samples", "stories", (Route("POST", "/{sample}", create_sample, status=201),))
