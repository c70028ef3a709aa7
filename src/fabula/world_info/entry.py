"""One World Info entry, read with the loose truth rules of the program it comes from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fabula.world_info.decorators import ACTIVATE, DONT_ACTIVATE, split_decorators
from fabula.world_info.loose import BLANKS, is_true, number, strict_number, text_of, truthy

SOURCES = (
    "matchPersonaDescription",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCharacterDepthPrompt",
    "matchScenario",
    "matchCreatorNotes",
)
_COMMA = re.compile(f",[{BLANKS}]*")
_DEFAULT_ORDER = 100.0
_DEFAULT_WEIGHT = 100.0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _keys(value: Any) -> tuple[str, ...]:
    return tuple(text_of(key) if truthy(key) else "" for key in _listed(value))


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """For which characters an entry is, by the name of their file and by their tags."""

    excludes: bool
    names: tuple[Any, ...]
    tags: tuple[Any, ...]


class CompiledEntry:
    """An entry that is ready to be scanned; `content` is its text without decorators.

    `ref` is whatever the caller finds the entry by, `uid` is the entry's own. Fields are read when they are
    first asked for, because most entries of a large book are never looked at.
    """

    def __init__(self, world: str, index: int, raw: Mapping[str, Any], ref: object) -> None:
        self.world = world
        self.index = index
        self.raw = raw
        self.ref = ref
        self.uid: object = raw.get("uid")
        # The rules that concern it, when it was judged once.
        self.judged_by: tuple[Any, ...] = ()
        content = raw.get("content")
        self.is_readable = not truthy(content) or isinstance(content, str)
        text = content if isinstance(content, str) else ""
        self.decorators: tuple[str, ...] = ()
        self.content = text
        if text.startswith("@@"):
            self.decorators, self.content = split_decorators(text)
        order = raw.get("order")
        self.order = float(order) if type(order) is int else _or(number(order), _DEFAULT_ORDER)

    def __repr__(self) -> str:
        return f"CompiledEntry({self.slot!r})"

    @cached_property
    def slot(self) -> str:
        """The identity of the entry in a scan."""
        return f"{self.world}.{'undefined' if self.uid is None else text_of(self.uid)}"

    @cached_property
    def hash(self) -> str:
        """A fingerprint of the whole entry: after any edit it is another."""
        text = json.dumps([self.world, self.raw])
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The primary keys as written."""
        return _keys(self.raw.get("key"))

    @cached_property
    def secondary(self) -> tuple[str, ...]:
        """The secondary keys as written, whether or not they filter."""
        return _keys(self.raw.get("keysecondary"))

    @cached_property
    def filters(self) -> bool:
        """Whether the secondary keys have a say."""
        return truthy(self.raw.get("selective")) and bool(self.secondary)

    @cached_property
    def logic(self) -> float | None:
        """How the secondary keys are combined; None is no known way."""
        logic = self.raw.get("selectiveLogic")
        return 0 if logic is None else strict_number(logic)

    @cached_property
    def disabled(self) -> bool:
        """Whether the author switched the entry off."""
        return is_true(self.raw.get("disable"))

    @cached_property
    def constant(self) -> bool:
        """Whether the entry needs no key."""
        return truthy(self.raw.get("constant"))

    @cached_property
    def activates(self) -> bool:
        """Whether a decorator fires the entry."""
        return ACTIVATE in self.decorators

    @cached_property
    def silenced(self) -> bool:
        """Whether a decorator keeps the entry out."""
        return DONT_ACTIVATE in self.decorators

    @cached_property
    def triggers(self) -> tuple[Any, ...]:
        """The kinds of generation the entry is for; none means all."""
        return tuple(_listed(self.raw.get("triggers")))

    @cached_property
    def character_filter(self) -> CharacterFilter | None:
        """For which characters the entry is."""
        value = self.raw.get("characterFilter")
        if not isinstance(value, Mapping):
            return None
        names, tags = value.get("names"), value.get("tags")
        return CharacterFilter(truthy(value.get("isExclude")), tuple(_listed(names)), tuple(_listed(tags)))

    @cached_property
    def delay(self) -> float:
        """How many messages the chat must have."""
        return self._length("delay")

    @cached_property
    def sticky(self) -> float:
        """For how many messages the entry stays active."""
        return self._length("sticky")

    @cached_property
    def cooldown(self) -> float:
        """For how many messages the entry stays silent afterwards."""
        return self._length("cooldown")

    def _length(self, field: str) -> float:
        value = self.raw.get(field)
        return _or(number(value), 0.0) if truthy(value) else 0.0

    @cached_property
    def delay_level(self) -> float:
        """From which level of recursion on the entry may fire; 0 is at once."""
        value = self.raw.get("delayUntilRecursion")
        return number(value) if truthy(value) else 0.0

    @cached_property
    def waits(self) -> bool:
        """Whether the entry fires in recursion only."""
        return truthy(self.raw.get("delayUntilRecursion"))

    @cached_property
    def excludes_recursion(self) -> bool:
        """Whether recursion cannot fire the entry."""
        return truthy(self.raw.get("excludeRecursion"))

    @cached_property
    def prevents_recursion(self) -> bool:
        """Whether the text of the entry fires nothing else."""
        return truthy(self.raw.get("preventRecursion"))

    @cached_property
    def ignores_budget(self) -> bool:
        """Whether the entry is told even if the budget is spent."""
        return truthy(self.raw.get("ignoreBudget"))

    @cached_property
    def scan_depth(self) -> float | None:
        """How many messages the entry reads; None is as many as the settings say."""
        value = self.raw.get("scanDepth")
        return None if value is None else number(value)

    @cached_property
    def sources(self) -> tuple[int, ...]:
        """Which texts beside the chat the entry reads, as places in `SOURCES`."""
        return tuple(place for place, field in enumerate(SOURCES) if truthy(self.raw.get(field)))

    @cached_property
    def case_sensitive(self) -> bool | None:
        """Whether case counts; None is as the settings say."""
        value = self.raw.get("caseSensitive")
        return None if value is None else truthy(value)

    @cached_property
    def whole_words(self) -> bool | None:
        """Whether keys match whole words only; None is as the settings say."""
        value = self.raw.get("matchWholeWords")
        return None if value is None else truthy(value)

    @cached_property
    def scoring(self) -> bool | None:
        """Whether the entry can lose its group by score; None is as the settings say."""
        value = self.raw.get("useGroupScoring")
        return None if value is None else truthy(value)

    @cached_property
    def group(self) -> str:
        """The names of its groups as written."""
        value = self.raw.get("group")
        return text_of(value) if truthy(value) and not isinstance(value, dict) else ""

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of which only one entry fires."""
        return tuple(name for name in _COMMA.split(self.group) if name)

    @cached_property
    def overrides_group(self) -> bool:
        """Whether the entry wins its group without dice."""
        return truthy(self.raw.get("groupOverride"))

    @cached_property
    def group_weight(self) -> float:
        """How likely the dice choose the entry in its group."""
        return _or(number(self.raw.get("groupWeight")), _DEFAULT_WEIGHT)

    @cached_property
    def probability(self) -> float:
        """The chance in percent; NaN never comes true."""
        if not truthy(self.raw.get("useProbability")):
            return 100.0
        return number(self.raw.get("probability"))

    @cached_property
    def position(self) -> float | None:
        """Where the text goes; None is nowhere."""
        return strict_number(self.raw.get("position"))

    @cached_property
    def depth(self) -> Any:
        """How many messages from the end the text goes, if its position is there."""
        return self.raw.get("depth")

    @cached_property
    def role(self) -> Any:
        """Who says the text, if its position is in the chat."""
        role = self.raw.get("role")
        return 0 if role is None else role

    @cached_property
    def outlet(self) -> str:
        """The name under which a prompt asks for the text, if its position is an outlet."""
        name = self.raw.get("outletName")
        return text_of(name) if truthy(name) else ""


def _or(value: float, default: float) -> float:
    return default if value != value else value
