"""The settings of a story: one schema for every door, and how each setting is read.

Doors refuse a value that a setting cannot have. Older versions let some in from story folders; such a value
counts as not set when it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator

from fabula.model.calendar import DAYS, Calendar, calendar_of
from fabula.model.check import SEVERITIES, Severity
from fabula.model.names import name_key
from fabula.model.wire import OpenJson

AUTO_APPROVE = "autoApprove"
AUTO_CHECK = "autoCheck"
AUTO_EXTRACT = "autoExtract"
AUTO_SNAPSHOT = "autoSnapshot"
DATED_BY_APPEARANCE = "datedByAppearance"
DROP_OLDEST = "dropOldestMessages"
FOLD_TRADITIONAL = "foldTraditional"
RECALL_ENTRIES = "recallEntries"
STALE_FACTS = "staleFacts"
TOKEN_BUDGET = "tokenBudget"
CALENDAR = "calendar"
COVERS = "covers"
CHECKS = "checks"
PROMPTS = "prompts"
DEFAULT_BUDGET = 4000
LARGEST_BUDGET = 1_000_000
MOST_COVERS = 1_000
USE, WITHHOLD = "use", "withhold"
MOST_RULES = 100
MOST_PROMPTS = 100
LONGEST_PROMPT_NAME = 80
LONGEST_INSTRUCTION = 4_000
# What a prompt works on, what of the story is sent with it, and which of the server's models answers.
PROMPT_CHOICES: dict[str, tuple[str, ...]] = {
    "use": ("selection", "cursor", "conversation"),
    "send": ("context", "scene", "nothing"),
    "model": ("write", "read", "sum_up"),
}


class Cover(NamedTuple):
    """An open name that may be told although it contains a hidden one, both as name keys."""

    name: str
    hidden: str


def auto_approve(settings: dict[str, Any]) -> float | None:
    """The confidence from which proposals are approved at once; None if the author reviews each."""
    threshold: float | None = _read(settings, AUTO_APPROVE)
    return threshold


def budget_for(settings: dict[str, Any], wanted: int | None) -> int:
    """The tokens a context may have: what the request says, else the story's setting, else 4,000."""
    if wanted is not None:
        return wanted
    own: int | None = _read(settings, TOKEN_BUDGET)
    return DEFAULT_BUDGET if own is None else own


def wants(settings: dict[str, Any], name: str) -> bool:
    """Whether Fabula does something by itself, which is so unless the author says no."""
    return _read(settings, name) is not False


def drops_oldest(settings: dict[str, Any]) -> bool:
    """Whether the oldest messages of a conversation give way to the story's memory in a full window."""
    return _read(settings, DROP_OLDEST) is True


def withholds_stale(settings: dict[str, Any]) -> bool:
    """Whether models are told no facts that the manuscript no longer says."""
    return bool(_read(settings, STALE_FACTS) == WITHHOLD)


def folds_traditional(settings: dict[str, Any]) -> bool:
    """Whether simplified and traditional Chinese count as the same when names are matched."""
    return _read(settings, FOLD_TRADITIONAL) is True


def calendar_in(settings: dict[str, Any]) -> Calendar:
    """How the story's days are read and shown; plain numbers unless the author says otherwise."""
    return _read(settings, CALENDAR) or DAYS


def covers_in(settings: dict[str, Any]) -> list[Cover]:
    """The names that the author allows although they contain a hidden one."""
    return _read(settings, COVERS) or []


def severities_in(settings: dict[str, Any]) -> dict[str, Severity]:
    """How severe the findings of some rules are, where the author says so, by the rule's id."""
    return _read(settings, CHECKS) or {}


def checked_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings; ValueError if one that Fabula knows has a value it cannot have."""
    for name, check in _CHECKS.items():
        if settings.get(name) is not None:
            check(name, settings[name])
    return settings


StorySettings = Annotated[OpenJson, AfterValidator(checked_settings)]


def _read(settings: dict[str, Any], name: str) -> Any:
    value = settings.get(name)
    try:
        return None if value is None else _CHECKS[name](name, value)
    except ValueError:
        return None


def _confidence(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, or null")
    return float(value)


def _budget(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_BUDGET:
        raise ValueError(f"{name} must be a whole number from 0 to {LARGEST_BUDGET:,}, or null")
    return value


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true, false or null")
    return value


def _calendar(name: str, value: Any) -> Calendar:
    try:
        return calendar_of(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _stale(name: str, value: Any) -> str:
    if value not in (USE, WITHHOLD):
        raise ValueError(f'{name} must be "{USE}", "{WITHHOLD}" or null')
    return str(value)


def _covers(name: str, value: Any) -> list[Cover]:
    if not isinstance(value, list) or len(value) > MOST_COVERS:
        raise ValueError(f"{name} must be a list of at most {MOST_COVERS:,} pairs, or null")
    pairs = []
    for pair in value:
        words = [pair.get(key) for key in Cover._fields] if isinstance(pair, dict) else []
        names = [name_key(word) for word in words if isinstance(word, str) and word.strip()]
        if len(names) != len(Cover._fields):
            raise ValueError(f"{name} must hold pairs of `name` and `hidden`, both names")
        pairs.append(Cover(*names))
    return pairs


def _severities(name: str, value: Any) -> dict[str, Severity]:
    is_known = isinstance(value, dict) and len(value) <= MOST_RULES
    if not is_known or not all(isinstance(one, str) and one in SEVERITIES for one in value.values()):
        raise ValueError(f"{name} must give rules a severity each: {', '.join(SEVERITIES)}; or null")
    return dict(value)


def _prompts(name: str, value: Any) -> list[dict[str, str]]:
    if not isinstance(value, list) or len(value) > MOST_PROMPTS:
        raise ValueError(f"{name} must be a list of at most {MOST_PROMPTS} prompts, or null")
    limits = {"name": LONGEST_PROMPT_NAME, "instruction": LONGEST_INSTRUCTION}
    for prompt in value:
        if not isinstance(prompt, dict) or prompt.keys() - limits.keys() - PROMPT_CHOICES.keys():
            raise ValueError(f"{name} must have no fields but {', '.join([*limits, *PROMPT_CHOICES])}")
        for field, most in limits.items():
            words = prompt.get(field)
            if not isinstance(words, str) or not words.strip() or len(words) > most:
                raise ValueError(f"{name} must each have {field}, at most {most:,} characters")
        for field, choices in PROMPT_CHOICES.items():
            if prompt.get(field, choices[0]) not in choices:
                raise ValueError(f"{name} must have as {field} one of {', '.join(choices)}")
    if len({prompt["name"] for prompt in value}) < len(value):
        raise ValueError(f"{name} must have different names")
    return value


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    AUTO_APPROVE: _confidence,
    AUTO_CHECK: _switch,
    AUTO_EXTRACT: _switch,
    AUTO_SNAPSHOT: _switch,
    DATED_BY_APPEARANCE: _switch,
    DROP_OLDEST: _switch,
    FOLD_TRADITIONAL: _switch,
    RECALL_ENTRIES: _switch,
    STALE_FACTS: _stale,
    TOKEN_BUDGET: _budget,
    CALENDAR: _calendar,
    COVERS: _covers,
    CHECKS: _severities,
    PROMPTS: _prompts,
}
