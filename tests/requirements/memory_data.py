"""MEMORY 2 and 3.1: what it is for, its tables, its graph, its values."""

from __future__ import annotations

from requirements.requirement import SETTLED, Requirement

GOALS = (
    Requirement(
        "MEMORY-GOAL-LASTING", "2", "45", "What is said of the world reaches the model in every later scene."
    ),
    Requirement(
        "MEMORY-GOAL-EXTRACTION",
        "2",
        "47",
        "After a scene is saved its names are proposed, and wait for a review.",
    ),
    Requirement(
        "MEMORY-GOAL-GRAPH",
        "2",
        "49",
        "Relations are kept in Neo4j and can be asked over several hops.",
        instead="The relational store is the only truth; Neo4j is a mirror that can be rebuilt.",
        decision="027",
    ),
    Requirement(
        "MEMORY-GOAL-RETRIEVAL",
        "2",
        "51",
        "Entries, relations and earlier scenes that matter are chosen by names and meaning, within a budget.",
    ),
    Requirement(
        "MEMORY-LORE-BY-MEANING",
        "2",
        "51",
        "An entry that the text means without a word of it is put into the context.",
        later="Meaning brings back events and passages; entries come by their words.",
    ),
    Requirement(
        "MEMORY-GOAL-LOREBOOK",
        "2",
        "53",
        "Entries are created, edited, deleted, imported, filtered and searched.",
    ),
    Requirement(
        "MEMORY-GOAL-PICTURE",
        "2",
        "55",
        page="the graph is seen, filtered, walked through and asked for a part of it",
    ),
    Requirement(
        "MEMORY-GOAL-SNAPSHOTS",
        "2",
        "57",
        "After a scene is saved it is summed up, and later scenes are told of it.",
    ),
    Requirement(
        "MEMORY-GOAL-BUDGET",
        "2",
        "59",
        "Entries and parts have budgets of their own within one budget for all.",
    ),
)

TABLES = (
    Requirement(
        "MEMORY-TABLE-LOREBOOK",
        "3.1.1",
        "69–96",
        "The table lorebook_entries has the columns that are named, in MySQL.",
        instead="SQLite or PostgreSQL, and story_id is project_id.",
        decision=SETTLED,
    ),
    Requirement(
        "MEMORY-LOREBOOK-CATEGORIES",
        "3.1.1",
        "80–82",
        "An entry has one of six categories, custom if none is said.",
    ),
    Requirement(
        "MEMORY-LOREBOOK-DEFAULTS",
        "3.1.1",
        "81–93",
        "If nothing is said, an entry has priority 0, is on, stands before the scene and has 500 tokens.",
    ),
    Requirement("MEMORY-LOREBOOK-POSITIONS", "3.1.1", "89–91", "An entry stands in one of three places."),
    Requirement(
        "MEMORY-INDEXES",
        "3.1.1",
        "98–101",
        "Entries are indexed by story, user, category and switch, under given names.",
    ),
    Requirement("MEMORY-LOREBOOK-CASCADE", "3.1.1", "102", "Entries go with their story."),
    Requirement(
        "MEMORY-LOREBOOK-USER",
        "3.1.1",
        "77, 103",
        "An entry names the user who made it, and goes with that user.",
        instead="It names the user and stays: a story of several people is not one user's.",
        decision=SETTLED,
    ),
    Requirement(
        "MEMORY-TABLE-SNAPSHOTS",
        "3.1.1",
        "108–127",
        "The table context_snapshots has the columns that are named, in MySQL.",
        instead="SQLite or PostgreSQL, and story_id is project_id.",
        decision=SETTLED,
    ),
    Requirement(
        "MEMORY-SNAPSHOT-INDEXES",
        "3.1.1",
        "129–130",
        "Snapshots are indexed by story, and by chapter and scene, under given names.",
        instead="One index serves both: it begins with the story, and there is one snapshot of a scene.",
        decision=SETTLED,
    ),
    Requirement("MEMORY-SNAPSHOT-CASCADE", "3.1.1", "131", "Snapshots go with their story."),
    Requirement(
        "MEMORY-TABLE-EXTRACTIONS",
        "3.1.1",
        "136–158",
        "The table entity_extractions has the columns that are named, in MySQL.",
        instead="SQLite or PostgreSQL, and story_id is project_id.",
        decision=SETTLED,
    ),
    Requirement(
        "MEMORY-EXTRACTION-ACTIONS",
        "3.1.1",
        "151–156",
        "A find is pending until it is approved, rejected or merged.",
    ),
    Requirement(
        "MEMORY-EXTRACTION-INDEXES",
        "3.1.1",
        "160–163",
        "Finds are indexed by story, manuscript, type and review, under given names.",
    ),
    Requirement("MEMORY-EXTRACTION-CASCADE", "3.1.1", "164", "Finds go with their story."),
)

GRAPH = (
    Requirement(
        "MEMORY-NODE-CHARACTER",
        "3.1.2",
        "174–183",
        "A character is a node with its label, id, story, name, aliases and description.",
    ),
    Requirement(
        "MEMORY-STATUS",
        "3.1.2",
        "182",
        "A character has a status of a closed list, such as active or deceased.",
    ),
    Requirement(
        "MEMORY-FIRST-APPEARANCE",
        "3.1.2",
        "181",
        "A character says in which chapter it is first named.",
        later="It says in which chapter it enters the story, or what the author wrote.",
    ),
    Requirement(
        "MEMORY-NODE-LOCATION", "3.1.2", "185–191", "A place is a node with its label and its kind of place."
    ),
    Requirement(
        "MEMORY-PARENT-LOCATION",
        "3.1.2",
        "192, 297–298",
        "A place that is LOCATED_IN another names it as parentLocationId.",
    ),
    Requirement(
        "MEMORY-NODE-EVENT",
        "3.1.2",
        "195–205",
        "An event is a node with chapter, scene, kind and time in the story.",
    ),
    Requirement(
        "MEMORY-EVENT-MOMENT",
        "3.1.2",
        "200–204",
        "What chapterIndex and sceneIndex say of an event is when it is told.",
    ),
    Requirement(
        "MEMORY-NODE-ITEM", "3.1.2", "207–213", "A thing is a node with its label and its kind of thing."
    ),
    Requirement(
        "MEMORY-SIGNIFICANCE",
        "3.1.2",
        "214",
        "A node shows the author's word for its significance and the number, too.",
    ),
    Requirement(
        "MEMORY-NODE-CONCEPT", "3.1.2", "217–224", "An idea is a node with its label and its kind of idea."
    ),
    Requirement(
        "MEMORY-EDGE-KNOWS",
        "3.1.2",
        "230–238",
        "KNOWS keeps since, relationshipType, sentiment and the last chapter of meeting.",
    ),
    Requirement("MEMORY-EDGE-MENTORS", "3.1.2", "240–245", "MENTORS keeps since, style and status."),
    Requirement("MEMORY-EDGE-RIVALS", "3.1.2", "247–252", "RIVALS keeps since, reason and intensity."),
    Requirement("MEMORY-EDGE-LOCATED-AT", "3.1.2", "254–260", "LOCATED_AT keeps chapter, scene and purpose."),
    Requirement(
        "MEMORY-REL-MOMENT",
        "3.1.2",
        "256–259",
        "What chapterIndex and sceneIndex say of a relation is when it begins.",
    ),
    Requirement("MEMORY-EDGE-PARTICIPATES-IN", "3.1.2", "262–267", "PARTICIPATES_IN keeps role and outcome."),
    Requirement(
        "MEMORY-PARTICIPATION",
        "3.1.2",
        "262–267",
        "Who PARTICIPATES_IN an event has a role in it, and the other way round.",
    ),
    Requirement(
        "MEMORY-EDGE-POSSESSES",
        "3.1.2",
        "269–275",
        "POSSESSES keeps since, acquisitionMethod and status.",
        instead="It is the same word as owns of KG: OWNS in REST, POSSESSES in the mirror.",
        decision=SETTLED,
    ),
    Requirement("MEMORY-EDGE-OCCURS-AT", "3.1.2", "277–281", "OCCURS_AT keeps the exact place."),
    Requirement(
        "MEMORY-EDGE-FOLLOWS", "3.1.2", "283–288", "FOLLOWS leads from what is earlier to what is later."
    ),
    Requirement("MEMORY-EDGE-BELONGS-TO", "3.1.2", "290–295", "BELONGS_TO keeps level and rank."),
    Requirement("MEMORY-EDGE-LOCATED-IN", "3.1.2", "297–298", "LOCATED_IN puts a place into another."),
    Requirement(
        "MEMORY-REL-DESCRIPTION",
        "3.1.2",
        "235",
        "A description among the properties of a relation is its description.",
    ),
    Requirement(
        "MEMORY-REL-UPDATE",
        "3.1.2",
        "232–238",
        "What is changed among the properties of a relation is changed.",
    ),
    Requirement(
        "MEMORY-PATTERN-HOPS",
        "3.1.2",
        "304–306",
        "All within three hops of a character are found in the mirror.",
    ),
    Requirement(
        "MEMORY-PATTERN-CHAPTER",
        "3.1.2",
        "308–311",
        "Who is where in a chapter, and whom they know, is found in the mirror.",
    ),
    Requirement(
        "MEMORY-PATTERN-CAUSES", "3.1.2", "313–316", "What follows from an event is found in the mirror."
    ),
    Requirement(
        "MEMORY-PATTERN-TIMELINE",
        "3.1.2",
        "318–321",
        "The relations of somebody are found in the order of the chapters.",
    ),
)

VALUES = (
    Requirement(
        "MEMORY-JSON-ENTRY",
        "3.1.3",
        "326–345",
        "The entry that is shown goes in and comes out field by field.",
    ),
    Requirement(
        "MEMORY-JSON-SNAPSHOT",
        "3.1.3",
        "347–383",
        "The snapshot that is shown goes in and comes out field by field.",
    ),
    Requirement(
        "MEMORY-LOCATION-TEXT",
        "3.1.3",
        "370–376",
        "A snapshot that was made describes its places.",
    ),
    Requirement(
        "MEMORY-JSON-EXTRACTION",
        "3.1.3",
        "385–408",
        "The find that is shown goes in and comes out field by field.",
    ),
    Requirement(
        "MEMORY-MANUSCRIPT-ID",
        "3.1.3",
        "353, 391",
        "What is made after a saving names the manuscript it was made of.",
    ),
)

DATA = GOALS + TABLES + GRAPH + VALUES
