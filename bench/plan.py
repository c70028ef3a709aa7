"""What will be asked of a world, settled when it is made, so that every process asks the same."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.world import RELATION_TYPES, SEED, World

STORY = "bench"
HOPS = (1, 2, 3)
ASKED = 200
ASKED_QUICKLY = 60
DATABASES = ("fabula.db", "plain.db")


@dataclass(frozen=True)
class Plan:
    """Ids and texts to ask with, and where the databases lie."""

    folder: Path
    size: int
    quick: bool
    starts: dict[str, list[str]]
    hubs: list[str]
    pairs: list[tuple[str, str]]
    texts: list[dict[str, Any]]
    read: list[str]
    updated: list[str]
    deleted: list[str]
    undone: list[str]
    new_entities: list[dict[str, Any]]
    new_relations: list[dict[str, str]]
    keywords: list[str]

    @property
    def rounds(self) -> int:
        """How often the same may be asked again for steadier figures."""
        return 1 if self.quick else 3

    @property
    def seconds(self) -> float:
        """How long one figure of a baseline, or over HTTP, may take."""
        return 0.4 if self.quick else 1.5

    @property
    def db(self) -> Path:
        """The world as Fabula keeps it."""
        return self.folder / DATABASES[0]

    @property
    def plain_db(self) -> Path:
        """The world in plain SQLite tables."""
        return self.folder / DATABASES[1]

    def save(self) -> None:
        """Keep it beside the databases."""
        values = {key: value for key, value in asdict(self).items() if key != "folder"}
        (self.folder / "plan.json").write_text(json.dumps(values), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Plan:
        """The plan of a folder."""
        return cls(folder=folder, **json.loads((folder / "plan.json").read_text("utf-8")))


def plan_for(world: World, folder: Path, *, quick: bool) -> Plan:
    """Random choices, the same each time."""
    rng = random.Random(f"plan:{SEED}:{world.size}")
    ids = [entity["id"] for entity in world.entities]
    asked = min(ASKED_QUICKLY if quick else ASKED, world.size // 5)
    changed = rng.sample(ids, 3 * asked)
    ends = {(r["sourceEntityId"], r["targetEntityId"]) for r in world.relations}
    free: list[tuple[str, str]] = []
    while len(free) < asked:
        source, target = rng.sample(ids, 2)
        if (source, target) not in ends and target not in changed and source not in changed:
            free.append((source, target))
    return Plan(
        folder=folder,
        size=world.size,
        quick=quick,
        starts={str(hops): rng.sample(ids, asked) for hops in HOPS},
        hubs=[key for key, _ in world.degrees.most_common(5)],
        pairs=[(pair[0], pair[1]) for pair in (rng.sample(ids, 2) for _ in range(asked))],
        texts=[
            {"language": p.language, "text": p.text, "mentioned": p.mentioned} for p in world.passages(20)
        ],
        read=rng.sample(ids, asked),
        updated=changed[:asked],
        deleted=changed[asked : 2 * asked],
        undone=changed[2 * asked :],
        new_entities=[
            {key: value for key, value in entity.items() if key != "id"}
            for entity in world.more_entities(asked)
        ],
        new_relations=[
            {"sourceEntityId": s, "targetEntityId": t, "relationType": rng.choice(RELATION_TYPES)}
            for s, t in free
        ],
        keywords=[entity["name"][:2] for entity in rng.sample(world.entities, 20)],
    )
