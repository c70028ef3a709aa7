"""The MCP tools, each with its operation."""

from __future__ import annotations

from fabula.api.mcp.tool import Tool
from fabula.operations import checks
from fabula.operations.agents import bundles as agent_bundles
from fabula.operations.agents import graph as agent_graph
from fabula.operations.agents import proposals as agent_proposals
from fabula.operations.agents import reading as agent_reading
from fabula.operations.agents import scenes as agent_scenes

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "list_stories",
            agent_reading.told_stories,
            "List stories",
            "List the stories you may read, the one changed last first. Begin here if you do not know which "
            "story is meant.",
        ),
        Tool(
            "open_story",
            agent_reading.told_story,
            "Open a story",
            "Show a story's outline (chapters and scenes, counted from 0), where it ends, and its words"
            " for types of entities and relations. Scene versions are needed to save over a scene.",
        ),
        Tool(
            "search",
            agent_reading.told_hits,
            "Search a story",
            "Find names, descriptions, events and passages of the manuscript by a few words or a whole "
            "question. Use it before you write about anybody.",
        ),
        Tool(
            "list_entities",
            agent_reading.told_entities,
            "List entities",
            "List who and what is in the story, the most significant first, page by page.",
        ),
        Tool(
            "get_entity",
            agent_reading.told_entity,
            "Tell of an entity",
            "Tell all that is known of a character, place, thing, group, concept or event: text, "
            "attributes, relations, events. Give chapter and scene to hear only what is true by then.",
        ),
        Tool(
            "get_subgraph",
            agent_graph.told_subgraph,
            "Who is around an entity",
            "Show who and what is within a few relations of an entity, and the relations among them.",
        ),
        Tool(
            "find_path",
            agent_graph.told_path,
            "How two are connected",
            "Find a shortest way of relations from one entity to another.",
        ),
        Tool(
            "get_context",
            agent_scenes.told_context,
            "Context of a scene",
            "Get what must be known to write a scene, inside a token budget: `messages` to put before "
            "the writing, each piece with its reason. Nothing in it is from later in the story. Send "
            "the text so far, else the saved one counts. `pinned` takes ids or names of what must be "
            "in.",
        ),
        Tool(
            "get_recent_scenes",
            agent_scenes.recent_scenes,
            "Read the last scenes",
            "Read the last scenes before a moment, or the last ones there are, in the order of the "
            "story. To read further back, ask again with the chapter and scene of the first one you "
            "got.",
        ),
        Tool(
            "check_passage",
            checks.told_check,
            "Check a passage",
            "Hold a text against the story before you save it: who is named though not there yet, gone "
            "or dead, which names the story does not know, and what is true of those it knows; with "
            "quotations and places. By rule, without a language model.",
        ),
        Tool(
            "propose_extractions",
            agent_proposals.told_proposals,
            "Propose finds",
            "Propose entities, relations, aliases and events that you found in a text. They wait for "
            "the author's review; nothing is written over. Send the text along, so that quotations get "
            "their places.",
        ),
        Tool(
            "save_scene",
            agent_scenes.save_scene,
            "Save a scene",
            "Keep the text of a scene; chapters and scenes count from 0. Over a scene that is there it "
            "needs expectedVersion, the version you read. Every version stays in the history.",
        ),
        Tool(
            "get_knowledge_schema",
            agent_bundles.told_schema,
            "Schema of knowledge bundles",
            "Get the JSON Schema (draft 7) that a bundle for this story must meet, and an example in "
            "YAML. Call it before you write a bundle: the types are those of the story.",
        ),
        Tool(
            "import_knowledge_bundle",
            agent_bundles.told_import,
            "Import a knowledge bundle",
            "Import a YAML list of entities and relations, all of it or nothing. The file must be in the "
            "server's import folder and is deleted after success. If anything is wrong you get every "
            "error with its place, such as [4].name: correct the file and call again. `dryRun` only "
            "checks. Each item has `type`, `action` (upsert or delete), the identity of an entity, or "
            "`source` and `target` of a relation.",
            deletes=True,
        ),
    )
}
