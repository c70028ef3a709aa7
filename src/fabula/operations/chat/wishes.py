"""What a client of the proxy may say about its context, in the field `fabula` of its request."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from fabula.errors import InvalidInput
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.parsing import parsed
from fabula.model.wire import Name, Text, Value
from fabula.operations.chat.chat_context import ChatWishes
from fabula.operations.chat.values import PersonName, ScanDepth, Trigger
from fabula.operations.context import TokenBudget
from fabula.world_info import ScanData

FIELD = "fabula"


def _without_blanks(given: Any) -> Any:
    """Accept one name in place of a list, and drop those that a client's template left empty."""
    if isinstance(given, str):
        given = [given]
    return [one for one in given if one != ""] if isinstance(given, list) else given


class ClientWishes(Value):
    """Who matters in the conversation, where in the story it takes place, and how large the context may be.

    `pinned` and `pov` are ids, names or aliases; what the story does not know is ignored. The rest is for
    scanned lorebooks: who `{{user}}` and `{{char}}` are, which kind of answer is wanted, and in which
    conversation.
    """

    pinned: Annotated[tuple[Name, ...], BeforeValidator(_without_blanks), Field(max_length=1000)] = ()
    pov: Annotated[tuple[Name, ...], BeforeValidator(_without_blanks), Field(max_length=1)] = ()
    chapter: ChapterIndex | None = None
    scene: SceneIndex | None = None
    token_budget: TokenBudget | None = None
    user: PersonName = ""
    char: PersonName = ""
    trigger: Trigger = "normal"
    conversation_id: Annotated[Text, Field(max_length=256)] = ""
    scan_depth: ScanDepth | None = None

    def for_talk(self) -> ChatWishes:
        """Return the wishes of a conversation; a point of view is a person whom the context must tell of."""
        return ChatWishes(
            token_budget=self.token_budget,
            called=(*self.pov, *self.pinned),
            user=self.user,
            char=self.char,
            scan_data=ScanData(trigger=self.trigger),
            conversation_id=self.conversation_id or None,
            scan_depth=self.scan_depth,
        )


def wishes_in(request: dict[str, Any]) -> tuple[ClientWishes, dict[str, Any]]:
    """Return the wishes of a request, and the request without them; InvalidInput names the wrong field."""
    if FIELD not in request:
        return ClientWishes(), request
    rest = {name: value for name, value in request.items() if name != FIELD}
    try:
        return parsed(ClientWishes, request[FIELD] or {}), rest
    except InvalidInput as error:
        wrong = (error.details or {}).get("errors", [{}])[0].get("path", "")
        field = f"{FIELD}.{wrong}" if wrong else FIELD
        names = ", ".join(one.alias or name for name, one in ClientWishes.model_fields.items())
        raise InvalidInput(
            f"{FIELD}: {error.message}",
            details={**(error.details or {}), "field": field},
            suggestion=f"The field {FIELD} is an object with any of {names}.",
        ) from error
