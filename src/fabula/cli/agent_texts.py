"""What `fabula mcp` says, in English and Chinese."""

from __future__ import annotations

AGENT_TEXTS: dict[str, tuple[str, str]] = {
    "mcp": (
        "Speak the Model Context Protocol on stdin and stdout, for agents.",
        "在标准输入输出上使用 MCP 协议，供智能体调用。",
    ),
    "opt_usual_story": (
        "The id or title of the story that is meant when an agent names none.",
        "智能体没有指明故事时所指的故事：id 或标题。",
    ),
    "opt_pov": (
        "The id, name or alias of the person from whose point of view everything is told.",
        "从谁的视角告知一切：id、名称或别名。",
    ),
}
