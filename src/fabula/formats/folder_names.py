"""Names as names of files: readable, the same everywhere, never two for one file.

A name that every file system takes as it is stays as it is, in any script. Any other loses what is in the way
and gets a few characters of its hash, so that two names never become one file. The rule looks at one name
alone: nobody's file is renamed because somebody else came.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from fabula.model.names import name_key

STORY = "story.yaml"
ONTOLOGY = "ontology.yaml"
RELATION_TYPES = "relation-types.yaml"
ATTRIBUTES_OF_GIT = ".gitattributes"
ENTITIES = "entities"
LOREBOOK = "lorebook"
MANUSCRIPT = "manuscript"
PROPOSALS = "proposals"
CHAPTER = "chapter.yaml"
UNPLACED = "unplaced"

_LONGEST = 120  # bytes: with the hash and the ending still short enough for every file system
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|[^\S ]')
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)
_HASHED = re.compile(r"~[0-9a-f]{10}\Z")


def file_name(name: str) -> str:
    """The name as a part of a path; equal names, however they are written, may give two."""
    plain = _tamed(name)
    if plain == name and _is_plain(name):
        return name
    sign = "_" if _RESERVED.fullmatch(plain) else ""
    return f"{sign}{_shortened(plain).strip('. ')}~{_hash(name_key(name))}"


def entity_path(entity_type: str, name: str) -> str:
    """Where an entity is told."""
    return f"{ENTITIES}/{file_name(entity_type)}/{file_name(name)}.yaml"


def entry_path(key: str) -> str:
    """Where a lorebook entry without an entity is told."""
    return f"{LOREBOOK}/{file_name(key)}.yaml"


def chapter_path(chapter: int) -> str:
    """Where a chapter's own fields are told."""
    return f"{MANUSCRIPT}/{chapter:04d}/{CHAPTER}"


def scene_paths(chapter: int, scene: int) -> tuple[str, str]:
    """Where a scene's text is, and where what is said of it is told."""
    stem = f"{MANUSCRIPT}/{chapter:04d}/{scene:04d}"
    return f"{stem}.md", f"{stem}.yaml"


def proposals_path(chapter: int | None) -> str:
    """Where the proposals from a chapter are told."""
    return f"{PROPOSALS}/{UNPLACED if chapter is None else format(chapter, '04d')}.yaml"


def _tamed(name: str) -> str:
    kept = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name))
    # Formatting characters cannot be seen, and some systems drop them.
    return "".join(c for c in kept if unicodedata.category(c) not in ("Cf", "Cc", "Co", "Cs", "Cn"))


def _shortened(name: str) -> str:
    return name.encode()[:_LONGEST].decode(errors="ignore")


def _is_plain(name: str) -> bool:
    """Whether every file system keeps the name, and tells it from other names as we do."""
    return (
        len(name.encode()) <= _LONGEST
        and name == name.strip(". ")
        and not name.startswith(("-", "~"))
        and not _RESERVED.fullmatch(name)
        and not _HASHED.search(name)
        and name.casefold() == name.lower() == name.upper().lower()
    )


def _hash(key: str) -> str:
    return blake2b(key.encode(), digest_size=5).hexdigest()
