"""MEMORY 3.4: the page."""

from __future__ import annotations

from requirements.requirement import Requirement

PAGE = (
    Requirement(
        "MEMORY-PAGE-TABS",
        "3.4.1, 3.4.9",
        "1237–1262, 1677–1705",
        page="lorebook and graph are places of the workbench, the context stands beside the text",
    ),
    Requirement("MEMORY-3.4.2", "3.4.2", "1264–1347", page="a list of entries beside an editor"),
    Requirement(
        "MEMORY-3.4.2-list",
        "3.4.2",
        "1286–1310",
        page="entries are searched and filtered by category, made new and imported",
    ),
    Requirement(
        "MEMORY-3.4.2-empty", "3.4.2", "1332–1334", page="where no entry is chosen the page says what to do"
    ),
    Requirement(
        "MEMORY-3.4.2-split", "3.4.2", "1282–1325", page="the border between list and editor can be moved"
    ),
    Requirement(
        "MEMORY-3.4.3",
        "3.4.3",
        "1367–1373",
        page="an entry's tokens are shown against its budget while one types",
    ),
    Requirement(
        "MEMORY-3.4.3-fields",
        "3.4.3",
        "1359–1368",
        page="an entry has fields for names, category, content, keywords, priority, place, budget and switch",
    ),
    Requirement(
        "MEMORY-3.4.3-delete",
        "3.4.3",
        "1370–1372",
        page="an entry is saved with a button, and deleted after a question",
    ),
    Requirement(
        "MEMORY-3.4.3-markdown",
        "3.4.3",
        "1363",
        page="the content of an entry may be Markdown, and is shown as such",
    ),
    Requirement(
        "MEMORY-3.4.4-library",
        "3.4.4",
        "1381, 1431–1455",
        page="the graph is drawn by react-force-graph-2d",
        instead="It is drawn on a canvas of our own, which takes 8 ms a frame where that takes 2,900.",
        decision="035",
    ),
    Requirement(
        "MEMORY-3.4.4-node",
        "3.4.4",
        "1476–1484",
        page="a node is chosen, opened, dragged; a menu offers the rest",
    ),
    Requirement(
        "MEMORY-3.4.4-edge", "3.4.4", "1486–1492", page="an edge says its word, is chosen, changed, deleted"
    ),
    Requirement(
        "MEMORY-3.4.4-canvas",
        "3.4.4",
        "1494–1502",
        page="zoom at the pointer from 0.1 to 5, pan, pinch, let go, fit",
    ),
    Requirement("MEMORY-3.4.4-search", "3.4.4", "1504–1510", page="what is found pulses, the rest is dimmed"),
    Requirement("MEMORY-3.4.4-filter", "3.4.4", "1512–1517", page="types are hidden, and stay hidden"),
    Requirement(
        "MEMORY-3.4.4-counts",
        "3.4.4",
        "1423–1426",
        page="the numbers of nodes and relations are shown beside the graph",
    ),
    Requirement("MEMORY-3.4.4-refresh", "3.4.4", "1420", page="a button asks for the graph again"),
    Requirement(
        "MEMORY-3.4.4-depth",
        "3.4.4",
        "1418–1419",
        page="how many steps around a node are shown can be chosen",
    ),
    Requirement("MEMORY-3.4.5", "3.4.5", "1519–1541", page="shapes, colours and sizes of nodes"),
    Requirement(
        "MEMORY-3.4.5-size",
        "3.4.5",
        "1543–1554",
        page="a node grows by 4 px with each relation, from 8 to 32 px",
        instead="Where somebody has more than six, it grows with their logarithm.",
        decision="035",
    ),
    Requirement(
        "MEMORY-3.4.5-states",
        "3.4.5",
        "1556–1564",
        page="a node shows that it is pointed at, chosen, found or hidden",
    ),
    Requirement(
        "MEMORY-3.4.5-tokens",
        "3.4.5",
        "1533–1541",
        page="the colours of nodes have names that a theme can change",
    ),
    Requirement(
        "MEMORY-3.4.6-edit",
        "3.4.6",
        "1570–1587",
        page="a node is edited where one looks at it; a refusal is rolled back",
    ),
    Requirement("MEMORY-3.4.6-relate", "3.4.6", "1589–1601", page="a relation gets a word and a direction"),
    Requirement("MEMORY-3.4.6-delete", "3.4.6", "1603–1612", page="a deletion says what goes with it"),
    Requirement(
        "MEMORY-3.4.6-optimistic",
        "3.4.6",
        "1625",
        page="a change is seen before the server has answered, and taken back if it is refused",
    ),
    Requirement("MEMORY-3.4.7", "3.4.7", "1627–1643", page="finds are approved, rejected and merged"),
    Requirement(
        "MEMORY-3.4.7-shown",
        "3.4.7",
        "1637–1642",
        page="a find shows name, type, confidence, its place in the text, and its attributes",
    ),
    Requirement(
        "MEMORY-3.4.7-batch",
        "3.4.7",
        "1645–1647",
        page="all sure finds are approved at once, all doubtful ones rejected",
    ),
    Requirement(
        "MEMORY-3.4.8", "3.4.8", "1651–1663", page="what a model will be told is shown beside the text"
    ),
    Requirement(
        "MEMORY-3.4.8-sections",
        "3.4.8",
        "1664–1673",
        page="the budget, the parts and the tokens of each entry are shown, and made anew on demand",
    ),
)
