"""MEMORY 3.3: the addresses over HTTP."""

from __future__ import annotations

from requirements.requirement import Requirement

REST = (
    Requirement("MEMORY-REST-PREFIX", "3.3", "787", "All addresses begin with /api/v2."),
    Requirement(
        "MEMORY-REST-LOREBOOK-LIST",
        "3.3.1",
        "791–823",
        "Entries are listed page by page, by category, switch and keyword.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-LIST-ERRORS",
        "3.3.1",
        "825–827",
        "An unknown story is 404, a story of somebody else 403.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-CREATE", "3.3.1", "829–862", "The entry that is shown is created with 201."
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-CREATE-ERRORS",
        "3.3.1",
        "864–867",
        "A missing key or content is 400, an unknown story 404, a key that is taken 409.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-UPDATE", "3.3.1", "869–884", "The change that is shown is made and answered."
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-UPDATE-ERRORS",
        "3.3.1",
        "886–888",
        "An unknown entry is 404, somebody else's story 403.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-DELETE",
        "3.3.1",
        "890–895",
        "An entry is deleted with 204; an unknown one is 404.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-IMPORT",
        "3.3.1",
        "897–935",
        "The import that is shown takes two entries and counts them.",
    ),
    Requirement(
        "MEMORY-REST-LOREBOOK-IMPORT-ERRORS",
        "3.3.1",
        "937–939",
        "An import of nothing is 400, a body that is too large 413.",
    ),
    Requirement("MEMORY-IMPORT-LIMIT", "3.3.1", "938", "An import of more than 100 entries is 400."),
    Requirement(
        "MEMORY-REST-GRAPH",
        "3.3.2",
        "943–1005",
        "The graph that is shown comes with nodes, edges and counts.",
    ),
    Requirement(
        "MEMORY-REST-GRAPH-ERRORS",
        "3.3.2",
        "1007–1009",
        "An unknown story is 404, a graph server that is away 503.",
    ),
    Requirement(
        "MEMORY-REST-GRAPH-QUERY",
        "3.3.2",
        "1011–1030",
        "The question that is shown is answered with a centre, its surroundings and a text.",
    ),
    Requirement(
        "MEMORY-GRAPH-TEXT",
        "3.3.2",
        "1028",
        "The text reaches as far as the depth, and says sentiment, purpose and outcome.",
    ),
    Requirement(
        "MEMORY-REST-GRAPH-QUERY-ERRORS", "3.3.2", "1032–1034", "No name is 400, an unknown one 404."
    ),
    Requirement(
        "MEMORY-REST-GRAPH-SYNC",
        "3.3.2",
        "1036–1053",
        "The sync that is shown is taken on with 202 and a task.",
    ),
    Requirement(
        "MEMORY-REST-GRAPH-SYNC-ERRORS",
        "3.3.2",
        "1055–1057",
        "A second sync is 409 while one is running; without the graph server it is 503.",
    ),
    Requirement(
        "MEMORY-REST-EXTRACT",
        "3.3.3",
        "1061–1105",
        "The text that is shown gives the two finds that are shown, by a model.",
    ),
    Requirement(
        "MEMORY-EXTRACT-WITHOUT-MODEL",
        "3.3.3",
        "1061–1105",
        "Without a model the same text gives the hero and the sword, with attributes.",
        later="Without a model the hero is found and the sword is not, and no attributes.",
    ),
    Requirement(
        "MEMORY-REST-EXTRACT-ERRORS",
        "3.3.3",
        "1107–1110",
        "No text is 400, too many calls 429, a model that is away 502.",
    ),
    Requirement(
        "MEMORY-REST-EXTRACTIONS", "3.3.3", "1112–1139", "Finds are listed page by page, by review and type."
    ),
    Requirement(
        "MEMORY-REST-REVIEW", "3.3.3", "1141–1168", "The review that is shown makes an entry and a node."
    ),
    Requirement(
        "MEMORY-REST-REVIEW-ERRORS",
        "3.3.3",
        "1170–1173",
        "An unknown action is 400, an unknown find 404, a second review 409.",
    ),
    Requirement(
        "MEMORY-REST-PREVIEW", "3.3.4", "1177–1228", "The preview that is shown comes with all its parts."
    ),
    Requirement(
        "MEMORY-REST-PREVIEW-ERRORS", "3.3.4", "1230–1231", "An unknown story, chapter or scene is 404."
    ),
    Requirement(
        "MEMORY-REST-EDITING",
        "3.4.6",
        "1614–1623",
        "Nodes are changed and deleted as entries by key, relations made and deleted, as is shown.",
    ),
)
