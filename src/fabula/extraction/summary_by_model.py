"""A summary by a language model."""

from __future__ import annotations

from fabula.extraction.summary import SceneSummary, summary_of
from fabula.extraction.summary_prompts import SceneToSum, summary_messages
from fabula.llm.chat import ChatModel, ChatRequest
from fabula.model.relation import Language

_ANSWER = 1_500


def summary_by_model(chat: ChatModel, scene: SceneToSum, language: Language) -> SceneSummary:
    """Ask for a summary, a second time if the first answer has none; ValueError if neither does."""
    request = ChatRequest(messages=summary_messages(scene, language), temperature=0.2, max_tokens=_ANSWER)
    try:
        return summary_of(chat.complete(request).text, scene.text)
    except ValueError:
        return summary_of(chat.complete(request).text, scene.text)
