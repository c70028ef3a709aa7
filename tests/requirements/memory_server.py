"""MEMORY 3.2 and 3.5: what is done with a text, and what models are told and asked."""

from __future__ import annotations

from requirements.requirement import Requirement

SERVICES = (
    Requirement(
        "MEMORY-PACKAGES",
        "3.2",
        "412–451",
        "The parts are Java packages of given names.",
        instead="They are rooms of a Python package, and a linter knows which may use which.",
        decision="010",
    ),
    Requirement(
        "MEMORY-ASSEMBLE",
        "3.2",
        "478–492",
        "A context is made of story, chapter, scene and the text at hand.",
    ),
    Requirement(
        "MEMORY-ASSEMBLE-BUDGET", "3.2", "494–503", "A context is made for the budget that is given."
    ),
    Requirement("MEMORY-DEFAULT-BUDGET", "3.2", "475–476", "Without a budget 4,000 tokens are meant."),
    Requirement(
        "MEMORY-CONTEXT-SHAPE",
        "3.2",
        "507–535",
        "A context has entries by position, relations, earlier scenes, people, its size and its budget.",
    ),
    Requirement(
        "MEMORY-CONTEXT-FRAGMENT",
        "3.2",
        "536–543",
        "An entry of a context has key, name, category, content, priority and size.",
    ),
    Requirement("MEMORY-EXTRACT", "3.2", "565–572", "A text is read at once when somebody asks for it."),
    Requirement("MEMORY-EXTRACT-AFTER-SAVING", "3.2", "574–582", "A saved scene is read in the background."),
    Requirement(
        "MEMORY-REVIEW",
        "3.2",
        "584–595",
        "A find is approved, rejected, or merged into an entry that is named.",
    ),
    Requirement(
        "MEMORY-SYNC",
        "3.2",
        "615–622",
        "A sync changes the nodes that are there and adds those that are not.",
    ),
    Requirement(
        "MEMORY-RELATED",
        "3.2",
        "624–632",
        "What is around an entity is found by its name, one to three hops far.",
    ),
    Requirement("MEMORY-FULL-GRAPH", "3.2", "634–640", "The whole graph of a story is given to be drawn."),
    Requirement("MEMORY-GRAPH-SENTENCES", "3.2", "642–648", "A part of the graph is told in sentences."),
    Requirement("MEMORY-GRAPH-DELETE", "3.2", "650–653", "A story that is deleted is gone from the graph."),
    Requirement(
        "MEMORY-SUBGRAPH-SHAPE",
        "3.2",
        "657–683",
        "A graph has nodes and edges, each with type and properties.",
    ),
    Requirement(
        "MEMORY-SNAPSHOT-MADE",
        "3.2",
        "700–710",
        "A saved scene is summed up in the background, by a model if there is one.",
    ),
    Requirement(
        "MEMORY-SNAPSHOT-ALIASES",
        "3.2",
        "700–710",
        "A snapshot that was made lists those whom the scene names by an alias, and nobody who is none.",
        later="Those of a model lose who is named by alias only; those without one take words for people.",
    ),
    Requirement("MEMORY-SNAPSHOT-RECENT", "3.2", "712–720", "The latest snapshots before a scene are found."),
    Requirement("MEMORY-PREVIEW", "3.2", "722–729", "A context can be looked at before a model sees it."),
)

FLOW = (
    Requirement("MEMORY-FLOW-KEYWORDS", "3.2, flow", "746", "The names and keywords in the text are found."),
    Requirement(
        "MEMORY-FLOW-ENTRIES",
        "3.2, flow",
        "748–751",
        "Entries whose keywords are found are taken by priority, each cut to its budget.",
    ),
    Requirement(
        "MEMORY-FLOW-RELATIONS",
        "3.2, flow",
        "753, 755",
        "Relations of those who are found are told in sentences.",
    ),
    Requirement(
        "MEMORY-FLOW-TWO-HOPS",
        "3.2, flow",
        "754",
        "Relations in a context reach two hops.",
        later="They reach one hop; questions about the graph reach three.",
    ),
    Requirement("MEMORY-FLOW-SNAPSHOTS", "3.2, flow", "757–758", "The last three scenes are told."),
    Requirement(
        "MEMORY-FLOW-POSITIONS",
        "3.2, flow",
        "760–762",
        "Entries stand where they ask to, and the budget is kept.",
    ),
    Requirement(
        "MEMORY-FLOW-MESSAGES",
        "3.2, flow",
        "764–767",
        "A model gets the entries for the system, then the other lore, then the text as the user's words.",
    ),
    Requirement(
        "MEMORY-FLOW-EXTRACTION",
        "3.2, flow",
        "769–773",
        "A text that a model wrote is read for names, which wait for a review.",
        instead="It is read when it is saved as a scene: a draft that was thrown away proposes nothing.",
        decision="024",
    ),
    Requirement(
        "MEMORY-FLOW-SUMMARY",
        "3.2, flow",
        "775–777",
        "A text that a model wrote is summed up into a snapshot.",
        instead="It is summed up when it is saved as a scene.",
        decision="024",
    ),
    Requirement("MEMORY-FLOW-SYNC", "3.2, flow", "779–780", "What was approved is in the mirror."),
)

PROMPTS = (
    Requirement(
        "MEMORY-PROMPT-TYPES",
        "3.5.1",
        "1716–1721",
        "A model is told which types of entities to find, and what each is.",
    ),
    Requirement(
        "MEMORY-PROMPT-FIELDS",
        "3.5.1",
        "1723–1728",
        "A model gives name, type, attributes, quotation and confidence.",
    ),
    Requirement("MEMORY-PROMPT-QUOTATION", "3.5.1", "1727", "A quotation has at most 100 characters."),
    Requirement(
        "MEMORY-PROMPT-ATTRIBUTES", "3.5.1", "1730–1735", "A model is told keys of attributes for each type."
    ),
    Requirement("MEMORY-PROMPT-EXPLICIT", "3.5.1", "1738", "Only what the text says is found."),
    Requirement(
        "MEMORY-PROMPT-FORMAL-NAME",
        "3.5.1",
        "1739",
        "Of several names the most formal one is the entity's name.",
    ),
    Requirement("MEMORY-PROMPT-PRONOUNS", "3.5.1", "1740", "Pronouns are nobody."),
    Requirement("MEMORY-PROMPT-CONFIDENCE", "3.5.1", "1741", "What is less sure than 0.5 is left out."),
    Requirement(
        "MEMORY-PROMPT-TEXT", "3.5.1", "1743–1745", "The text stands in the prompt whole and unchanged."
    ),
    Requirement("MEMORY-PROMPT-ANSWER", "3.5.1", "1747–1766", "The answer that is shown is read."),
    Requirement("MEMORY-SUMMARY-LENGTH", "3.5.2", "1776", "A summary has 150 to 300 characters."),
    Requirement(
        "MEMORY-SUMMARY-CONTENT",
        "3.5.2",
        "1777–1783",
        "A summary tells who, where, what, moods, hints and time.",
    ),
    Requirement(
        "MEMORY-SUMMARY-MANNER",
        "3.5.2",
        "1784–1785",
        "A summary is told in the third person, without comments.",
    ),
    Requirement(
        "MEMORY-SUMMARY-GIVEN",
        "3.5.2",
        "1787–1796",
        "A model is told title, chapter, scene, the scene before, and the text.",
    ),
    Requirement(
        "MEMORY-SUMMARY-ANSWER",
        "3.5.2",
        "1798–1809",
        "The answer that is shown is read, its structured part too.",
    ),
    Requirement(
        "MEMORY-KEY-EVENTS",
        "3.5.2",
        "1808",
        "The key events of a summary become events to be reviewed.",
    ),
)

SERVER = SERVICES + FLOW + PROMPTS
