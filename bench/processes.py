"""A measurement in a process of its own, so that nothing that was done before weighs on it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def found_by(module: str, *given: str) -> Any:
    """What `python -m module …` printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", module, *given], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)
