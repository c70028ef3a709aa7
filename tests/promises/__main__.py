"""`make promises`: writes the page of the documentation."""

from __future__ import annotations

from promises.page import PAGE, promises_page

PAGE.write_text(promises_page(), "utf-8")
