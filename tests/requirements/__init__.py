"""Everything that the five source documents ask for; `test_requirements.py` holds it against the tests."""

from __future__ import annotations

from requirements.bundle import BUNDLE
from requirements.engram import ENGRAM
from requirements.kg import KG
from requirements.level import LEVEL
from requirements.memory_data import DATA
from requirements.memory_page import PAGE
from requirements.memory_rest import REST
from requirements.memory_server import SERVER
from requirements.requirement import Requirement

DOCUMENTS: dict[str, tuple[Requirement, ...]] = {
    "KG": KG,
    "LEVEL": LEVEL,
    "ENGRAM": ENGRAM,
    "BUNDLE": BUNDLE,
    "MEMORY": DATA + SERVER + REST + PAGE,
}
REQUIREMENTS = tuple(one for rows in DOCUMENTS.values() for one in rows)

# What a reader of the page goes through, from end to end; web/browser/README.md says what each is.
FLOWS = tuple(f"F{number:02}" for number in range(1, 21))
