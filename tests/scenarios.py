"""Every scenario of the source documents, in our own words. `test_scenarios.py` holds it against the tests.

`page` names the clause of a scenario that speaks of the web page: a specification in `web/browser/` has its
id in its title, as it has that of every flow of the page.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing a source document says must hold."""

    id: str
    source: str
    source_id: str
    says: str
    page: str | None = None


def _kg(source_id: str, says: str, page: str | None = None) -> Scenario:
    return Scenario(source_id, "KG", source_id, says, page)


def _level(source_id: str, says: str) -> Scenario:
    return Scenario(f"LEVEL-{source_id}", "LEVEL", source_id, says)


SCENARIOS = (
    _kg(
        "KG1-R1-S1",
        "A character that is created by hand is checked and then kept in kg_entities.",
        page="the new node has the colour of characters, and its detail page opens for further editing",
    ),
    _kg(
        "KG1-R1-S2",
        "A changed description and a new attribute are kept in attributes_json; 201 attributes are refused.",
        page="the tooltip in the graph shows the change",
    ),
    _kg(
        "KG1-R1-S3",
        "An entity that is deleted takes its relations with it in one transaction and says how many went.",
        page="node and edges vanish from the graph, and the number is shown for confirmation",
    ),
    _kg(
        "KG1-R2-S1",
        "Two entities can be joined by one of the eight built-in relation types, labelled 盟友 for ally.",
        page="the line is drawn by dragging, shows the label and has the subtle foreground colour",
    ),
    _kg(
        "KG1-R2-S2",
        "A relation with a word of one's own registers that word with builtin=0, once, for later use.",
        page="the word is offered when the next relation is drawn",
    ),
    _kg(
        "KG1-R2-S3",
        "A relation that is deleted goes alone; the entities at its ends stay.",
        page="only the line vanishes from the graph",
    ),
    _kg(
        "KG1-R3-S1",
        "A subgraph of two hops holds what lies within two hops, counts it and says what it cost; k=4 is "
        "refused.",
    ),
    _kg(
        "KG1-R3-S2",
        "Cycles are listed without failing, a query over its time is refused with a hint, and writing goes "
        "on working.",
        page="the editor stays usable meanwhile",
    ),
    _kg(
        "KG1-A-S1",
        "With 50,000 entities and 120,000 relations, writing and asking stay fast and give no unknown code.",
    ),
    _kg("KG1-X-S1", "A second entity of the same type and name is refused and nothing is written."),
    _kg(
        "KG1-X-S2",
        "A relation to nobody or to another story is refused, and a structured record of it is logged.",
    ),
    _kg(
        "KG1-X-S3",
        "Of two changes made to the same version the later one is refused, with the latest state in the "
        "answer.",
        page="both versions are shown, and can be merged",
    ),
    _kg(
        "KG1-X-S4",
        "A story that is full of entities or relations takes no more and hints at merging or clearing up.",
    ),
    _level("S1", "An entity created without a level is when_detected, in the answer and in the database."),
    _level("S2", "The level of an entity can be changed, in the answer and in the database."),
    _level("S3", "A list filtered by level holds the entities of that level and no others."),
    _level("S4", "A level that does not exist is refused and nothing is created."),
)

# What a reader of the page goes through, from end to end; web/browser/README.md says what each is.
FLOWS = tuple(f"F{number:02}" for number in range(1, 21))

# What MEMORY says of the page has no ids of its own: they are made of its sections.
MEMORY_PAGE = (
    "MEMORY-3.4.2",
    "MEMORY-3.4.3",
    "MEMORY-3.4.3-markdown",
    "MEMORY-3.4.4-node",
    "MEMORY-3.4.4-edge",
    "MEMORY-3.4.4-canvas",
    "MEMORY-3.4.4-search",
    "MEMORY-3.4.4-filter",
    "MEMORY-3.4.4-refresh",
    "MEMORY-3.4.4-depth",
    "MEMORY-3.4.5",
    "MEMORY-3.4.5-tokens",
    "MEMORY-3.4.6-edit",
    "MEMORY-3.4.6-relate",
    "MEMORY-3.4.6-delete",
    "MEMORY-3.4.7",
    "MEMORY-3.4.8",
)
