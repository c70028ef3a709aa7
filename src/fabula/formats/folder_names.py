"""Converts names to file names: readable, portable and unique.

A name that every file system accepts stays as it is, in any script. Any other loses its unsafe characters and
gets a few characters of its hash, so that two names never share a file. A file name depends on its name
alone: no file is renamed because another name was added.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from fabula.model.book import OWN_BOOK
from fabula.model.names import name_key

STORY = "story.yaml"
ONTOLOGY = "ontology.yaml"
RELATION_TYPES = "relation-types.yaml"
WAIVERS = "waivers.yaml"
ATTRIBUTES_OF_GIT = ".gitattributes"
ENTITIES = "entities"
LOREBOOK = "lorebook"
LOREBOOKS = "lorebooks"
MANUSCRIPT = "manuscript"
PROPOSALS = "proposals"
THREADS = "threads"
CHAPTER = "chapter.yaml"
UNPLACED = "unplaced"

_LONGEST = 120  # bytes: with the hash and the ending still short enough for every file system
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|[^\S ]')
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE
)
_HASHED = re.compile(r"~[0-9a-f]{10}\Z")


def file_name(name: str) -> str:
    """The file name for a name; different spellings of a name may give different file names."""
    plain = _tamed(name)
    if plain == name and _is_plain(name):
        return name
    sign = "_" if _RESERVED.fullmatch(plain) else ""
    return f"{sign}{_shortened(plain).strip('. ')}~{_hash(name_key(name))}"


def entity_path(entity_type: str, name: str) -> str:
    """The path of an entity's file."""
    return f"{ENTITIES}/{file_name(entity_type)}/{file_name(name)}.yaml"


def book_path(book_id: str) -> str:
    """The path of the file of a lorebook beside the story's own."""
    return f"{LOREBOOKS}/{file_name(book_id)}.yaml"


def entry_path(key: str, book_id: str = OWN_BOOK) -> str:
    """The path of the file of a lorebook entry without an entity."""
    folder = LOREBOOK if book_id == OWN_BOOK else f"{LOREBOOKS}/{file_name(book_id)}"
    return f"{folder}/{file_name(key)}.yaml"


def thread_path(thread_id: str) -> str:
    """The path of a thread's file."""
    return f"{THREADS}/{file_name(thread_id)}.yaml"


def chapter_path(chapter: int) -> str:
    """The path of a chapter's file."""
    return f"{MANUSCRIPT}/{chapter:04d}/{CHAPTER}"


def scene_paths(chapter: int, scene: int) -> tuple[str, str]:
    """The paths of a scene's text and of its metadata."""
    stem = f"{MANUSCRIPT}/{chapter:04d}/{scene:04d}"
    return f"{stem}.md", f"{stem}.yaml"


def proposals_path(chapter: int | None) -> str:
    """The path of the file with the proposals from a chapter."""
    return f"{PROPOSALS}/{UNPLACED if chapter is None else format(chapter, '04d')}.yaml"


def _tamed(name: str) -> str:
    kept = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name))
    # Formatting characters are invisible, and some systems drop them.
    return "".join(c for c in kept if unicodedata.category(c) not in ("Cf", "Cc", "Co", "Cs", "Cn"))


def _shortened(name: str) -> str:
    return name.encode()[:_LONGEST].decode(errors="ignore")


def _is_plain(name: str) -> bool:
    """Whether every file system keeps the name and distinguishes it from others as we do."""
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
