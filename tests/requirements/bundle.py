"""BUNDLE: the contract for files of knowledge, their check, and their import by agents."""

from __future__ import annotations

from requirements.requirement import SETTLED, Requirement

BUNDLE = (
    Requirement(
        "BUNDLE-TWO-CONTRACTS",
        "1",
        "5–8",
        "What the published schema takes is taken, and what it refuses is refused.",
    ),
    Requirement(
        "BUNDLE-SCHEMA-DYNAMIC",
        "2.1",
        "12–16, 120",
        "The schema is made of the ontology that the story has now.",
    ),
    Requirement(
        "BUNDLE-SCHEMA-ANSWER",
        "2.2",
        "18–35",
        "The answer has full_bundle_schema and example_yaml, and the schema describes an array.",
    ),
    Requirement(
        "BUNDLE-SCHEMA-DRAFT-7", "2.2", "23, 135, 418", "The schema is JSON Schema, draft 7, and says so."
    ),
    Requirement(
        "BUNDLE-SCHEMA-TITLE",
        "2.2",
        "24",
        "The schema has a given title.",
        instead="It has the title of this product.",
        decision=SETTLED,
    ),
    Requirement("BUNDLE-SCHEMA-ARRAY", "2.3", "39–41", "A bundle is a list and nothing else."),
    Requirement(
        "BUNDLE-SCHEMA-ONE-OF",
        "2.3",
        "43–45, 417",
        "Every type is one branch of a oneOf; a new type is one branch more.",
    ),
    Requirement(
        "BUNDLE-SCHEMA-ACTION",
        "2.3",
        "47, 71–75, 282–286",
        "Every item has a type and an action, upsert or delete, upsert if nothing is said.",
    ),
    Requirement("BUNDLE-SCHEMA-IDENTITY", "2.3", "49–51, 279", "The identity of a node is required."),
    Requirement("BUNDLE-SCHEMA-ENDS", "2.3", "53, 336–345, 356", "An edge requires source and target."),
    Requirement(
        "BUNDLE-SCHEMA-NODE",
        "2.4",
        "65–80, 294–300",
        "The branch of Document has the title, type and properties that are shown, and is closed.",
        instead="What only an upsert needs is asked of an upsert alone, as the deletion in 3.2 needs it.",
        decision=SETTLED,
    ),
    Requirement(
        "BUNDLE-SCHEMA-EDGE",
        "2.4",
        "81–105, 353–359",
        "The branch of EMPLOYED_BY has the title, ends and properties that are shown, and is closed.",
    ),
    Requirement("BUNDLE-SCHEMA-EXAMPLE", "2.4", "33, 109", "The example is a bundle that the story takes."),
    Requirement(
        "BUNDLE-SCHEMA-METHOD",
        "2.5",
        "113–125",
        "The schema can be had from a method called get_bundle_schema.",
        instead="It is an operation of the catalogue, which every door offers: bundle:schema.",
        decision="004",
    ),
    Requirement(
        "BUNDLE-TOOL-SCHEMA",
        "2.6",
        "127–141",
        "Agents have a tool get_knowledge_schema that answers with JSON as text, indented by two.",
        instead="The text is not indented: an agent pays for every blank.",
        decision=SETTLED,
    ),
    Requirement(
        "BUNDLE-IMPORT-YAML", "3.1–3.2", "145–164", "A file of YAML with nodes, deletions and edges is taken."
    ),
    Requirement(
        "BUNDLE-IMPORT-FILE", "3.3", "173–174, 235", "A file that is not there is refused as not found."
    ),
    Requirement(
        "BUNDLE-IMPORT-SAFE-YAML", "3.3", "176–177", "YAML is read without anything that could do harm."
    ),
    Requirement(
        "BUNDLE-IMPORT-WHOLE",
        "3.3",
        "179–180, 415",
        "A bundle is checked as a whole before anything is written.",
    ),
    Requirement(
        "BUNDLE-ERROR-PLACE",
        "3.3–3.4",
        "181, 207–213, 416",
        "An error names the item and the field: [4].doc_uri, in the words that are shown.",
    ),
    Requirement("BUNDLE-IDS", "3.3", "183–184", "The id of a node follows from its identity."),
    Requirement("BUNDLE-ENDS", "3.3", "185", "The ends of an edge are found by their identities."),
    Requirement(
        "BUNDLE-IMPORT-ONE-STEP", "3.3", "187", "A bundle is written in one transaction or not at all."
    ),
    Requirement(
        "BUNDLE-UPSERT",
        "3.3",
        "188",
        "An upsert adds a node or takes the place of the one that was there.",
        instead="What an item does not name stays as it was.",
        decision=SETTLED,
    ),
    Requirement("BUNDLE-DELETE", "3.3", "189", "A deletion removes the node or edge of that identity."),
    Requirement(
        "BUNDLE-IMPORT-INDEXED",
        "3.3",
        "191–192",
        "What was imported is found by its words and its meaning afterwards.",
    ),
    Requirement(
        "BUNDLE-IMPORT-SHADOW",
        "3.3",
        "194–196",
        "What was imported is written to the story's folder of text files.",
    ),
    Requirement("BUNDLE-IMPORT-FILE-GONE", "3.3", "198–199", "The file is deleted after the import."),
    Requirement(
        "BUNDLE-IMPORT-STATUS", "3.3", "201–202", "The answer says success and counts what was done."
    ),
    Requirement("BUNDLE-STATS", "3.3", "202", "The counts of an import stand in stats."),
    Requirement(
        "BUNDLE-IMPORT-METHOD",
        "3.5",
        "215–237",
        "An import is an asynchronous method of an engine, which raises what is wrong.",
        instead="It is an operation of the catalogue, which every door offers: bundle:import.",
        decision="004",
    ),
    Requirement(
        "BUNDLE-TOOL-IMPORT",
        "3.6",
        "239–262",
        "Agents have a tool import_knowledge_bundle with temp_file_path that answers with JSON as text.",
    ),
    Requirement(
        "BUNDLE-NODE-PROPERTIES",
        "4.1",
        "268–292",
        "What the ontology says of a node's properties stands in its branch.",
    ),
    Requirement(
        "BUNDLE-EDGE-IDENTITIES",
        "4.2",
        "316–345",
        "The ends of an edge ask for the identities of the types it joins.",
    ),
    Requirement(
        "BUNDLE-EDGE-PROPERTIES",
        "4.2",
        "348–351",
        "What the ontology says of an edge's properties stands in its branch.",
    ),
    Requirement(
        "BUNDLE-ERRORS-ALL",
        "5.1",
        "362–373",
        "The first error is told with its path.",
        instead="All errors are told at once, each with its path.",
        decision="019",
    ),
    Requirement(
        "BUNDLE-ERROR-TYPE",
        "5.2",
        "379",
        "An unknown type is told in the words that are shown, with the one that is meant.",
    ),
    Requirement(
        "BUNDLE-ERROR-IDENTITY", "5.2", "380", "A missing identity is told in the words that are shown."
    ),
    Requirement(
        "BUNDLE-ERROR-ORPHAN", "5.2", "381", "An edge to nowhere is told in the words that are shown."
    ),
    Requirement(
        "BUNDLE-TYPE-NAMES",
        "5.2",
        "379",
        "A type that is written another way, as in character or char, is taken for what it means.",
    ),
    Requirement(
        "BUNDLE-LOOP",
        "7",
        "394–411",
        "An agent asks for the schema, writes a file, imports it, mends what is wrong, and gets the counts.",
    ),
    Requirement(
        "BUNDLE-STANDARD-CHECK",
        "8",
        "418",
        "A common validator of draft 7 judges a bundle by the schema alone.",
    ),
)
