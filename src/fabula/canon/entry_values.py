"""Lorebook entries as they are shown and sent."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AliasChoices, Field, StringConstraints, model_validator

from fabula.call import Call
from fabula.canon.profile_relations import shown_attributes
from fabula.model.activation import ActivationRules
from fabula.model.activation.keywords import Keywords
from fabula.model.book import OWN_BOOK
from fabula.model.entity import Aliases, Entity
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, Category, InsertionPosition, LoreEntry, category_of
from fabula.model.moment import Moment
from fabula.model.validity import WHEN, ValidityGiven
from fabula.model.wire import Description, Id, Name, OpenJson, Value
from fabula.model.world_time import WorldTime, WorldTimeGiven
from fabula.store.reader import Reader

EntryKey = Annotated[Name, StringConstraints(max_length=200)]
Priority = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]
Place = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
EntryBudget = Annotated[int, Field(ge=1, le=100_000, strict=True)]
KeywordsField = Field(
    default=(),
    validation_alias=AliasChoices("keywordsJson", "keywords", "keywords_json"),
    serialization_alias="keywordsJson",
)


class LorebookEntry(Value):
    """A lorebook entry as shown: its activation rules and its text, or the text of its entity."""

    id: str
    story_id: str
    user_id: str
    entity_id: str | None
    book_id: str
    place: int
    entry_key: str
    display_name: str
    category: Category
    content: str
    keywords: tuple[str, ...] = Field(serialization_alias="keywordsJson")
    priority: int
    enabled: bool
    insertion_position: InsertionPosition
    token_budget: int
    estimated_tokens: int
    ai_context_level: AiContextLevel
    secrecy: Secrecy
    aliases: tuple[str, ...]
    attributes: dict[str, Any]
    rules: ActivationRules
    since: Moment | None
    until: Moment | None
    valid_from: WorldTime | None
    valid_to: WorldTime | None
    told: Moment | None
    extensions: dict[str, Any]
    version: int
    created_at: str
    updated_at: str


class LorebookEntryCreate(ValidityGiven):
    """A new entry; unless its category is custom, it creates or updates the entity of that name.

    Entries of other books than the story's own are custom, and may have no content. Without a place, an entry
    is the last of its book.
    """

    book_id: Id = OWN_BOOK
    place: Place | None = None
    entry_key: EntryKey
    display_name: EntryKey | None = None
    category: Category = Category.CUSTOM
    content: Description
    keywords: Keywords = KeywordsField
    priority: Priority = 0
    enabled: bool = True
    insertion_position: InsertionPosition = InsertionPosition.BEFORE_SCENE
    token_budget: EntryBudget = DEFAULT_TOKEN_BUDGET
    ai_context_level: AiContextLevel | None = None
    secrecy: Secrecy | None = None
    aliases: Aliases | None = None
    attributes: OpenJson | None = None
    rules: ActivationRules = ActivationRules()
    extensions: OpenJson = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_its_category(self) -> Self:
        if self.book_id != OWN_BOOK and self.category is not Category.CUSTOM:
            raise ValueError("an entry of another book than the story's own is custom")
        if self.book_id == OWN_BOOK and not self.content.strip():
            raise ValueError("content must not be blank")
        if self.category is Category.CUSTOM and (self.aliases or self.attributes):
            raise ValueError("a custom entry has no aliases and no attributes; give it keywords")
        return self


class LorebookEntryPatch(Value):
    """The fields of an entry to change; the others stay as they are.

    With `bookId`, a custom entry moves to the end of another book. With a category, an entry of another book
    becomes an entity and moves to the story's own.
    """

    book_id: Id | None = None
    place: Place | None = None
    entry_key: EntryKey | None = None
    display_name: EntryKey | None = None
    category: Category | None = None
    content: Description | None = None
    keywords: Keywords | None = Field(
        default=None, validation_alias=AliasChoices("keywordsJson", "keywords", "keywords_json")
    )
    priority: Priority | None = None
    enabled: bool | None = None
    insertion_position: InsertionPosition | None = None
    token_budget: EntryBudget | None = None
    ai_context_level: AiContextLevel | None = None
    secrecy: Secrecy | None = None
    aliases: Aliases | None = None
    attributes: OpenJson | None = None
    rules: ActivationRules | None = None
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None
    extensions: OpenJson | None = None
    expected_version: int | None = None

    def given(self) -> dict[str, Any]:
        """Return the fields to change; null counts as absent except for what dates it."""
        fields = {name: getattr(self, name) for name in self.model_fields_set - {"expected_version"}}
        return {k: v for k, v in fields.items() if v is not None or k in WHEN}


def shown_version(entry: LoreEntry, entity: Entity | None) -> int:
    """Return the combined version of an entry and its entity, which grows whenever either changes."""
    return entry.version if entity is None else entry.version + entity.version - 1


def shown(call: Call, reader: Reader, entry: LoreEntry) -> LorebookEntry:
    """Return an entry as it is shown."""
    return shown_all(call, reader, (entry,))[0]


def shown_all(call: Call, reader: Reader, entries: tuple[LoreEntry, ...]) -> tuple[LorebookEntry, ...]:
    """Return entries as they are shown."""
    if not entries:
        return ()
    ids = [entry.entity_id for entry in entries if entry.entity_id is not None]
    entities = reader.entities(entries[0].project_id, ids) if ids else {}
    attributes = shown_attributes(reader, list(entities.values()))
    return tuple(
        _shown(call, entry, entities.get(entry.entity_id or ""), attributes.get(entry.entity_id or "", {}))
        for entry in entries
    )


def _shown(call: Call, entry: LoreEntry, entity: Entity | None, attributes: dict[str, Any]) -> LorebookEntry:
    told = entry.content if entity is None else entity.prompt_text
    source = entry if entity is None else entity
    return LorebookEntry.trusted(
        id=entry.id,
        story_id=entry.project_id,
        user_id=entry.user_id,
        entity_id=entry.entity_id,
        book_id=entry.book_id,
        place=entry.place,
        entry_key=entry.entry_key,
        display_name=entry.display_name,
        category=category_of(entity),
        content=entry.content if entity is None else entity.description,
        keywords=entry.keywords,
        priority=entry.priority,
        enabled=entry.enabled,
        insertion_position=entry.insertion_position,
        token_budget=entry.token_budget,
        estimated_tokens=call.tokens.count(told),
        ai_context_level=source.ai_context_level,
        secrecy=source.secrecy,
        aliases=() if entity is None else entity.aliases,
        attributes=attributes,
        rules=entry.rules,
        since=source.since,
        until=source.until,
        valid_from=source.valid_from,
        valid_to=source.valid_to,
        told=source.told,
        extensions=entry.extensions,
        version=shown_version(entry, entity),
        created_at=entry.created_at,
        updated_at=entry.updated_at if entity is None else max(entry.updated_at, entity.updated_at),
    )
