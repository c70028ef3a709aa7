"""The one table of lorebook formats."""

from __future__ import annotations

from fabula.formats.lorebooks import (
    agnai,
    aidungeon,
    card_book,
    kobold,
    nativetavern,
    novelai,
    risu,
    world_info,
)
from fabula.formats.lorebooks.columns import Family
from fabula.formats.lorebooks.layout import Layout

# The first that matches a file is its format, so the more telling ones come first.
LAYOUTS: tuple[Layout, ...] = (
    card_book.V3,
    card_book.V2,
    card_book.LOREBOOK_V3,
    novelai.LOREBOOK,
    novelai.SCENARIO,
    risu.LOREBOOK,
    risu.MODULE,
    agnai.LAYOUT,
    kobold.UNITED,
    kobold.SAVED,
    kobold.FOLDERS,
    aidungeon.ADVENTURE,
    card_book.V1,
    risu.BARE_MODULE,
    world_info.LAYOUT,
    card_book.BOOK,
    nativetavern.LAYOUT,
    aidungeon.CARDS,
    kobold.LIST,
)
LAYOUT_OF: dict[str, Layout] = {layout.format: layout for layout in LAYOUTS}
FAMILIES: dict[str, Family] = {layout.family.name: layout.family for layout in LAYOUTS}
