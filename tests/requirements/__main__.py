"""`make requirements`: writes the page of the documentation."""

from __future__ import annotations

from requirements.table import PAGE, requirements_page

PAGE.write_text(requirements_page(), "utf-8")
