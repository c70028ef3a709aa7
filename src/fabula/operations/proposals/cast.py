"""Resolving names and aliases to entities, as of the current point of the step."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.canon.step import Step
from fabula.model.entity import Entity
from fabula.model.names import name_key
from fabula.model.reveal import Reveal
from fabula.store.change import Change
from fabula.store.graph_rows import other_names
from fabula.store.naming import Bearer, bearers_of
from fabula.store.rowkind import Row


class Cast:
    """The entities of a story by name and alias, looked up once per name."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._called: dict[str, list[Bearer]] = {}

    def expect(self, names: Iterable[str]) -> None:
        """Look up many names at once."""
        keys = {name_key(name) for name in names} - self._called.keys()
        self._step.settle()
        found = bearers_of(self._step, self._step.project_id, keys)
        self._called.update((key, found.get(key, [])) for key in keys)

    def follow(self, changes: Iterable[Change]) -> None:
        """Discard the cached names that these changes touch."""
        for change in changes:
            if change.kind.name == "entity":
                for image in (change.before, change.after):
                    for name in _names_of(image):
                        self._called.pop(name_key(name), None)

    def forget(self) -> None:
        """Discard all cached names."""
        self._called.clear()

    def whom(self, name: str | None, kind: str | None = None) -> str | None:
        """Return the entity that a name refers to, preferring this type, then names over aliases.

        None if there is none, or if several have it as an alias.
        """
        ranked = sorted((b.type != kind, not b.is_name, b.id) for b in self._bearers(name))
        if not ranked:
            return None
        first, *others = ranked
        is_alias = first[1]
        if is_alias and any(other[:2] == first[:2] for other in others):
            return None
        return first[2]

    def candidates(self, name: str, kind: str | None, but_not: str) -> list[str]:
        """Return all equally good candidates for a name: names before aliases, then those of this type."""
        bearers = [bearer for bearer in self._bearers(name) if bearer.id != but_not]
        bearers = [bearer for bearer in bearers if bearer.is_name] or bearers
        bearers = [bearer for bearer in bearers if bearer.type == kind] or bearers
        return sorted(bearer.id for bearer in bearers)

    def reveal_of(self, entity_id: str, names: Iterable[str]) -> Reveal | None:
        """Return the reveal that keeps an entity apart from one that is called by one of these names."""
        reveals = self._step.reveals.of_entities(self._step.project_id, [entity_id])
        others = {key: reveal for reveal in reveals for key in reveal.entity_ids if key != entity_id}
        bearers = (bearer.id for name in names for bearer in self._bearers(name)) if others else ()
        return next((others[key] for key in bearers if key in others), None)

    def owner(self, name: str) -> str | None:
        """Return the entity whose own name this is, if there is one."""
        owners = sorted(bearer.id for bearer in self._bearers(name) if bearer.is_name)
        return owners[0] if owners else None

    def _bearers(self, name: str | None) -> list[Bearer]:
        if name is None:
            return []
        if name_key(name) not in self._called:
            self.expect([name])
        return self._called[name_key(name)]


def _names_of(image: Row | None) -> list[str]:
    return (
        []
        if image is None
        else [image["name"], *other_names(image["name"], image["aliases_json"], image.get("names_json"))]
    )


def names_besides(entity: Entity, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the names that the entity does not have, each once."""
    had = {name_key(name) for name in (entity.name, *entity.every_other_name)}
    fresh: dict[str, str] = {}
    for name in names:
        if name_key(name) not in had:
            fresh.setdefault(name_key(name), name)
    return tuple(fresh.values())
