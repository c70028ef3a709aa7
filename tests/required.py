"""What a test runs with and may be missing: passed over by hand, a failure under `make test`."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Fail where everything is required, else pass the test over."""
    if os.environ.get("ALL_REQUIRED"):
        pytest.fail(what)
    pytest.skip(what)
