"""The MCP server, independent of the transport."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from anyio import to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic_core import from_json, to_json

from fabula.api.envelope import error_body
from fabula.api.mcp import resources
from fabula.api.mcp.prompts import PROMPTS, Prompt
from fabula.api.mcp.tool import Tool
from fabula.api.mcp.tools import TOOLS
from fabula.call import Call
from fabula.errors import FabulaError, InternalError
from fabula.memory import Memory
from fabula.model.account import Identity

log = logging.getLogger("fabula.mcp")

INSTRUCTIONS = """\
Fabula is the memory of a story: who and what is in it, what is between them, what happened when, and the \
scenes already written. `story` is an id or a title. Chapters and scenes count from 0. Before you write a \
scene, call get_context for it; before you save it, call check_passage. Give chapter and scene to every \
question while you write, so that you hear nothing from later in the story. Give a name as pov to hear \
only what that person knows. What you find in a text goes to propose_extractions; many facts at once go \
through get_knowledge_schema and import_knowledge_bundle. The author may keep things from you; what is \
not found may still exist. A refusal comes with a code, a message and a suggestion: follow the \
suggestion."""

Context = ServerRequestContext[Any, Any]
Identify = Callable[[Context], Identity]
T = TypeVar("T")


def agent_server(
    memory: Memory,
    *,
    version: str,
    identify: Identify,
    usual_story: str | None = None,
    pov: str | None = None,
) -> Server[Any]:
    """Create an MCP server for an open memory; `identify` returns the caller of a request.

    With a point of view, every answer is told from it.
    """
    door = _Door(memory, identify, usual_story, pov)
    return Server(
        "fabula",
        title="Fabula",
        version=version,
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda name: TOOLS[name].input_schema if name in TOOLS else None,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_list_resource_templates=door.list_templates,
        on_read_resource=door.read_resource,
        on_list_prompts=door.list_prompts,
        on_get_prompt=door.get_prompt,
    )


class _Door:
    """Handles each kind of request; operations run in threads because the core is synchronous."""

    def __init__(self, memory: Memory, identify: Identify, usual_story: str | None, pov: str | None) -> None:
        self._memory, self._identify, self._usual_story, self._pov = memory, identify, usual_story, pov

    def _call(self, context: Context) -> Call:
        return replace(self._memory.call(self._identify(context)), pov=self._pov)

    async def list_tools(self, context: Context, _: Any) -> types.ListToolsResult:
        """Return all tools; there are few, so the list is not paginated."""
        self._identify(context)
        return types.ListToolsResult(tools=list(map(_shown_tool, TOOLS.values())))

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool, and return its answer or an error that says how to continue."""
        tool = TOOLS.get(params.name)
        if tool is None:
            names = ", ".join(TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool '{params.name}'. Tools: {names}.")

        def run() -> dict[str, Any]:
            call = self._call(context)
            return tool.answered(call, dict(params.arguments or {}), self._usual_story)

        try:
            answer = await _in_thread(run, tool=tool.name)
        except FabulaError as error:
            text = types.TextContent(type="text", text=error_body(error).decode())
            return types.CallToolResult(content=[text], is_error=True)
        said = to_json(answer).decode()
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=said)], structured_content=answer
        )

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return the stories, page by page; their contents have URIs of their own."""
        cursor = None if params is None else params.cursor
        part = await self._protocol(context, lambda call: resources.listed(call, cursor))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resources.address_of(story),
                    name=story.title,
                    description=resources.TEMPLATES[0].description,
                    mime_type=resources.JSON,
                )
                for story in part.stories
            ],
            next_cursor=part.following,
        )

    async def list_templates(self, context: Context, _: Any) -> types.ListResourceTemplatesResult:
        """Return the URI templates."""
        self._identify(context)
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    name=one.name,
                    uri_template=one.uri_template,
                    description=one.description,
                    mime_type=one.mime_type,
                )
                for one in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read the resource at a URI."""
        uri = str(params.uri)
        content = await self._protocol(context, lambda call: resources.read(call, uri))
        text = types.TextResourceContents(uri=params.uri, text=content.text, mime_type=content.mime_type)
        return types.ReadResourceResult(contents=[text])

    async def list_prompts(self, context: Context, _: Any) -> types.ListPromptsResult:
        """Return all prompts."""
        self._identify(context)
        return types.ListPromptsResult(prompts=list(map(_shown_prompt, PROMPTS.values())))

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Render a prompt."""
        prompt = PROMPTS.get(params.name)
        if prompt is None:
            names = ", ".join(PROMPTS)
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt '{params.name}'. Prompts: {names}.")
        words = await self._protocol(
            context, lambda call: prompt.text(call, params.arguments, self._usual_story)
        )
        content = types.TextContent(type="text", text=words)
        return types.GetPromptResult(
            description=prompt.description, messages=[types.PromptMessage(role="user", content=content)]
        )

    async def _protocol(self, context: Context, ask: Callable[[Any], T]) -> T:
        """Run work whose errors become protocol errors with the same code, message and suggestion."""
        try:
            return await _in_thread(lambda: ask(self._call(context)), method=context.method)
        except FabulaError as error:
            message = " ".join(filter(None, (f"{error.code}: {error.message}", error.suggestion)))
            raise MCPError(_protocol_code(error), message, data=from_json(error_body(error))) from error


async def _in_thread(work: Callable[[], T], **what: str) -> T:
    """Run work in a thread; errors are logged, and unexpected ones are reported without their details."""
    try:
        return await to_thread.run_sync(work)
    except FabulaError as error:
        log.warning("refused", extra={**what, "code": error.code})
        raise
    except Exception as error:
        log.exception("failed", extra={**what, "code": InternalError.code})
        raise InternalError("Something went wrong inside Fabula.") from error


def _protocol_code(error: FabulaError) -> int:
    return types.INTERNAL_ERROR if error.status >= InternalError.status else types.INVALID_PARAMS


def _shown_tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.listed_schema,
        # A tool that only reads destroys nothing, and the hints say more than that by default.
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.deletes if tool.writes else None,
            open_world_hint=False,
        ),
    )


def _shown_prompt(prompt: Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        description=prompt.description,
        arguments=[
            types.PromptArgument(name=name, description=meaning, required=prompt.is_required(name))
            for name, meaning in prompt.arguments.items()
        ],
    )
