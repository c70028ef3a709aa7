"""KG: entities, relations and questions about them."""

from __future__ import annotations

from requirements.requirement import SETTLED, Requirement

ENTITIES, RELATIONS, QUERIES = "entities", "relations", "queries"
ACCEPTANCE, EXCEPTIONS = "acceptance", "exceptions"

KG = (
    Requirement(
        "KG-TABLE-ENTITIES",
        ENTITIES,
        "9–11",
        "The table kg_entities has the nine columns that are named.",
        instead="Its key is story and id together, and so is every other.",
        decision=SETTLED,
    ),
    Requirement(
        "KG-INDEX-ENTITIES",
        ENTITIES,
        "12",
        "Entities are indexed by story, by story and type, and by story and name, under three given names.",
        instead="Names are indexed as they are compared, without case and width.",
        decision="009",
    ),
    Requirement(
        "KG-ENTITY-TYPES",
        ENTITIES,
        "13–14",
        "An entity is a character, location, event, item or faction, and nothing else is taken.",
        instead="The story's ontology decides; the usual one also has concept and unknown.",
        decision="020",
    ),
    Requirement("KG-ATTRIBUTE-LIMIT", ENTITIES, "15", "An entity has at most 200 attributes."),
    Requirement("KG-CAPACITY-ENTITIES", ENTITIES, "16", "A story has at most 50,000 entities."),
    Requirement(
        "KG-COLOUR-TOKENS",
        ENTITIES,
        "18–26",
        page="each type of node has a colour with a given name, factions that of others",
    ),
    Requirement(
        "KG-CHANNELS-ENTITY",
        ENTITIES,
        "28–36",
        "Five channels create, read, update, delete and list entities, with types of given names.",
    ),
    Requirement(
        "KG-ZOD",
        ENTITIES,
        "28–36, 92–99, 127–133",
        "Each request and answer of these channels has a Zod schema of a given name.",
    ),
    Requirement(
        "KG-DETAIL-SURFACE",
        ENTITIES,
        "40",
        page="the details of an entity stand on the colour of surfaces",
    ),
    Requirement(
        "KG-DETAIL-INPUTS",
        ENTITIES,
        "41",
        page="fields for text are 40 px high, have a border, and a ring when they have the focus",
    ),
    Requirement(
        "KG-DETAIL-STATES",
        ENTITIES,
        "42",
        page="the details of an entity are shown as usual, empty and in trouble in a storybook",
    ),
    Requirement(
        "KG1-R1-S1",
        ENTITIES,
        "44–50",
        "A character that is created by hand is checked and then kept in kg_entities.",
        page="the new node has the colour of characters, and its detail page opens for further editing",
    ),
    Requirement(
        "KG1-R1-S2",
        ENTITIES,
        "52–58",
        "A changed description and a new attribute are kept in attributes_json; 201 attributes are refused.",
        page="the tooltip in the graph shows the change",
    ),
    Requirement(
        "KG1-R1-S3",
        ENTITIES,
        "60–66",
        "An entity that is deleted takes its relations with it in one transaction and says how many went.",
        page="node and edges vanish from the graph, and the number is shown for confirmation",
    ),
    Requirement(
        "KG-TABLE-RELATIONS",
        RELATIONS,
        "72–74",
        "The table kg_relations has the seven columns that are named.",
        instead="Its key is story and id together, and so is every other.",
        decision=SETTLED,
    ),
    Requirement(
        "KG-TABLE-RELATION-TYPES",
        RELATIONS,
        "75",
        "The table kg_relation_types has the six columns that are named.",
        instead="Its key is story and id together, and so is every other.",
        decision=SETTLED,
    ),
    Requirement(
        "KG-INDEX-RELATIONS",
        RELATIONS,
        "76",
        "Relations are indexed by story, by source and by target, under three given names.",
    ),
    Requirement("KG-CAPACITY-RELATIONS", RELATIONS, "78", "A story has at most 200,000 relations."),
    Requirement("KG-SELF-RELATION", RELATIONS, "79", "Nobody is related to themselves."),
    Requirement(
        "KG-BUILTIN-TYPES", RELATIONS, "81–90", "A new story has eight types of relations that are built in."
    ),
    Requirement(
        "KG-CHANNELS-RELATION",
        RELATIONS,
        "92–99",
        "Four channels create, update, delete and list relations, with types of given names.",
    ),
    Requirement(
        "KG1-R2-S1",
        RELATIONS,
        "101–107",
        "Two entities can be joined by one of the eight built-in relation types, labelled 盟友 for ally.",
        page="the line is drawn by dragging, shows the label and has the subtle foreground colour",
    ),
    Requirement(
        "KG1-R2-S2",
        RELATIONS,
        "109–114",
        "A relation with a word of one's own registers that word with builtin=0, once, for later use.",
        page="the word is offered when the next relation is drawn",
    ),
    Requirement(
        "KG1-R2-S3",
        RELATIONS,
        "116–121",
        "A relation that is deleted goes alone; the entities at its ends stay.",
        page="only the line vanishes from the graph",
    ),
    Requirement(
        "KG-CHANNELS-QUERY",
        QUERIES,
        "127–133",
        "Three channels answer for subgraphs, paths and checks, with types of given names.",
    ),
    Requirement("KG-SUBGRAPH-K", QUERIES, "137", "A subgraph reaches three hops at most."),
    Requirement(
        "KG-PATH-EXPANSIONS",
        QUERIES,
        "138",
        "The search for a path looks at 10,000 entities at most.",
        instead="Beyond them it answers that it gave up, which is no error.",
        decision="007",
    ),
    Requirement("KG-VALIDATE-CYCLES", QUERIES, "139", "Cycles are listed and stop no question."),
    Requirement(
        "KG-QUERY-TIMEOUT",
        QUERIES,
        "140",
        "A question over two seconds is refused with a hint at filtering by keyword.",
    ),
    Requirement(
        "KG1-R3-S1",
        QUERIES,
        "142–148",
        "A subgraph holds what lies within two hops, counts it and says what it cost; k=4 is refused.",
    ),
    Requirement(
        "KG1-R3-S2",
        QUERIES,
        "150–156",
        "Cycles are listed, a query over its time is refused with a hint, and writing goes on working.",
        page="the editor stays usable meanwhile",
    ),
    Requirement(
        "KG-SPEED-CRUD",
        ACCEPTANCE,
        "162",
        "Writing and reading entities take less than 220 ms, 95 times in 100.",
    ),
    Requirement(
        "KG-SPEED-SUBGRAPH", ACCEPTANCE, "163", "A subgraph takes less than 300 ms, 95 times in 100."
    ),
    Requirement(
        "KG-SPEED-RELEVANT",
        ACCEPTANCE,
        "164",
        "What is relevant to a passage is found in less than 250 ms, 95 times in 100.",
    ),
    Requirement(
        "KG-CHECKED-AT-THE-DOOR",
        ACCEPTANCE,
        "165",
        "Every channel checks what it is given and answers ok or an error with a code.",
    ),
    Requirement(
        "KG1-A-S1",
        ACCEPTANCE,
        "167–172",
        "With 50,000 entities and 120,000 relations, writing and asking stay fast and give no unknown code.",
    ),
    Requirement(
        "KG1-X-S1",
        EXCEPTIONS,
        "178, 182–187",
        "A second entity of the same type and name is refused and nothing is written.",
    ),
    Requirement(
        "KG1-X-S2",
        EXCEPTIONS,
        "178, 189–194",
        "A relation to nobody or to another story is refused, and a structured record of it is logged.",
    ),
    Requirement(
        "KG1-X-S3",
        EXCEPTIONS,
        "179, 196–201",
        "Of two changes to one version the later is refused, with the latest state in the answer.",
        page="both versions are shown, and can be merged",
    ),
    Requirement(
        "KG1-X-S4",
        EXCEPTIONS,
        "180, 203–208",
        "A story that is full of entities or relations takes no more and hints at merging or clearing up.",
    ),
)
