"""LEVEL: whether a model is told of an entity."""

from __future__ import annotations

from requirements.requirement import Requirement

ENTITIES = "entities"

LEVEL = (
    Requirement("LEVEL-FIELD", ENTITIES, "7–13", "Every entity has one of four levels."),
    Requirement(
        "LEVEL-COLUMN", ENTITIES, "15", "The column ai_context_level is never empty and has a default."
    ),
    Requirement("LEVEL-ALWAYS", ENTITIES, "21", "What is always told is told in every context."),
    Requirement(
        "LEVEL-WHEN-DETECTED",
        ENTITIES,
        "22",
        "What is told when detected is told where the text speaks of it.",
    ),
    Requirement(
        "LEVEL-MANUAL-ONLY",
        ENTITIES,
        "23",
        "What is told by hand only is told if the call asks for it by its id.",
    ),
    Requirement(
        "LEVEL-NEVER", ENTITIES, "24", "What is never told is told nobody, whatever the call asks for."
    ),
    Requirement("LEVEL-CREATE", ENTITIES, "26", "A level may be given with a new entity."),
    Requirement("LEVEL-UPDATE", ENTITIES, "28", "A change of an entity may change its level."),
    Requirement("LEVEL-LIST", ENTITIES, "30", "A list of entities may be asked for by level."),
    Requirement(
        "LEVEL-CHECKED", ENTITIES, "32", "A level that does not exist is refused wherever one can be given."
    ),
    Requirement("LEVEL-ROW", ENTITIES, "34", "The level that is answered is the one in the row."),
    Requirement(
        "LEVEL-S1",
        ENTITIES,
        "36–41",
        "An entity created without a level is when_detected, in the answer and in the database.",
    ),
    Requirement(
        "LEVEL-S2",
        ENTITIES,
        "43–48",
        "The level of an entity can be changed, in the answer and in the database.",
    ),
    Requirement(
        "LEVEL-S3",
        ENTITIES,
        "50–55",
        "A list filtered by level holds the entities of that level and no others.",
    ),
    Requirement(
        "LEVEL-S4", ENTITIES, "57–62", "A level that does not exist is refused and nothing is created."
    ),
)
