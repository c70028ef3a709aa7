"""One thing that a source document asks for."""

from __future__ import annotations

from dataclasses import dataclass

# The decision about what the documents say differently from one another.
SETTLED = "034"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A row of the manifest.

    Tests that carry the id as a mark show what is asked for, `says`; specifications in `web/browser/` that
    carry it in their titles show what is asked of the page, `page`. Where something else was built, `instead`
    says what, and the page `decision` says why. What is still to come says so in `later`, and needs no test
    yet.
    """

    id: str
    section: str
    lines: str
    says: str = ""
    page: str = ""
    instead: str = ""
    decision: str = ""
    later: str = ""
