"""The MCP tools, each with its operation."""

from __future__ import annotations

from fabula.api.mcp.tool import Tool
from fabula.operations.agents import bundles as agent_bundles
from fabula.operations.agents import checking as agent_checking
from fabula.operations.agents import conversations as agent_conversations
from fabula.operations.agents import graph as agent_graph
from fabula.operations.agents import lorebooks as agent_lorebooks
from fabula.operations.agents import proposals as agent_proposals
from fabula.operations.agents import reading as agent_reading
from fabula.operations.agents import receipts as agent_receipts
from fabula.operations.agents import scenes as agent_scenes
from fabula.operations.agents import threads as agent_threads

# Whom a relation joins is told by name, and any tool takes a name.
RELATIONS_IN_FULL = tuple(
    f"relations.{field}" for field in ("id", "sourceId", "targetId", "label", "properties")
)

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "list_stories",
            agent_reading.told_stories,
            "List stories",
            "List the stories you may read, the one changed last first. Begin here if you do not know which "
            "is meant.",
        ),
        Tool(
            "open_story",
            agent_reading.told_story,
            "Open a story",
            "Show a story's outline with the versions of its scenes, where it ends, and its types of "
            "entities and relations.",
        ),
        Tool(
            "search",
            agent_reading.told_hits,
            "Search a story",
            "Find names, descriptions, events and passages by a few words or a question. Use it before you "
            "write about anybody.",
            only_in_full=("items.marks", "items.score", "items.start", "items.end", "items.path"),
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
            "Tell all that is known of an entity or event: text, attributes, relations, events. Give chapter "
            "and scene to hear only what is true by then.",
            only_in_full=("significance", *RELATIONS_IN_FULL),
        ),
        Tool(
            "get_subgraph",
            agent_graph.told_subgraph,
            "Who is around an entity",
            "Show who and what is within a few relations of an entity, and the relations among them.",
            only_in_full=RELATIONS_IN_FULL,
        ),
        Tool(
            "find_path",
            agent_graph.told_path,
            "How two are connected",
            "Find a shortest way of relations from one entity to another.",
            only_in_full=tuple(f"steps.{field}" for field in RELATIONS_IN_FULL),
        ),
        Tool(
            "get_context",
            agent_scenes.told_context,
            "Context of a scene",
            "Get what must be known to write a scene, within a token budget, as `messages`. Send the text so "
            "far, else the saved one counts; `pinned` takes names of what must be in.",
            only_in_full=("included", "noRoom", "stablePrefix", "stablePrefixTokens"),
        ),
        Tool(
            "get_chat_context",
            agent_conversations.told_chat_context,
            "Context of a conversation",
            "Get the messages of a conversation with somebody of the story, with what must be known between "
            "them. Name `char` and `user`; by default it is the next scene.",
            only_in_full=("included", "noRoom"),
        ),
        Tool(
            "get_receipt",
            agent_receipts.told_receipt,
            "What a context told",
            "Show what a context you got told you and why, by its receiptId. With `since`, the id of an "
            "earlier one, also what came, went, changed and moved.",
        ),
        Tool(
            "get_recent_scenes",
            agent_scenes.recent_scenes,
            "Read the last scenes",
            "Read the last scenes before a moment, or of the story. To read further back, ask again with the "
            "chapter and scene of the first one you got.",
        ),
        Tool(
            "list_threads",
            agent_threads.told_threads,
            "List threads",
            "List what the reader was promised and is still to be paid, the most pressing first. `all` adds "
            "what is paid or dropped.",
        ),
        Tool(
            "note_thread",
            agent_threads.note_thread,
            "Note a thread",
            "Note that words of a saved scene plant, advance or pay off a thread. Give the id of a known "
            "one, or a title for a new one.",
        ),
        Tool(
            "check_passage",
            agent_checking.told_check,
            "Check a passage",
            "Check a text against the story before you save it: contradictions, who is not there yet, gone "
            "or dead, and which names are unknown.",
            only_in_full=(
                "known.places",
                "known.text",
                "relations",
                "unknown.start",
                "unknown.end",
                "unknown.confidence",
            ),
        ),
        Tool(
            "propose_extractions",
            agent_proposals.told_proposals,
            "Propose finds",
            "Propose what you found in a text for the author's review. Send the text along, so that "
            "quotations get their places.",
        ),
        Tool(
            "save_scene",
            agent_scenes.save_scene,
            "Save a scene",
            "Keep the text of a scene; every version stays in the history. Over a scene that is there it "
            "needs expectedVersion, the version you read.",
        ),
        Tool(
            "get_knowledge_schema",
            agent_bundles.told_schema,
            "Schema of knowledge bundles",
            "Get the JSON Schema of a bundle for this story, and an example in YAML. Call it before you "
            "write one.",
        ),
        Tool(
            "import_lorebook",
            agent_lorebooks.told_lorebook_import,
            "Import a lorebook",
            "Import a lorebook or character card of another program, such as SillyTavern or NovelAI, as a "
            "book of the story. `dryRun` only says what it is.",
        ),
        Tool(
            "export_lorebook",
            agent_lorebooks.told_lorebook,
            "Export a lorebook",
            "Get what you may be told of a lorebook as the text of a file for another program.",
        ),
        Tool(
            "import_knowledge_bundle",
            agent_bundles.told_import,
            "Import a knowledge bundle",
            "Import entities and relations in YAML, all of it or nothing; `dryRun` only checks. Errors come "
            "with their place, such as [4].name: correct it and call again.",
            deletes=True,
        ),
    )
}
