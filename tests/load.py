"""People who write to servers and remember what was acknowledged, to hold it against the database."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

import httpx

from doors import rows
from fabula.memory import Memory
from fabula.store.place import DatabasePlace

BATCH = 12
GONE = 0
STORY = "story"
PATIENCE_S = 120.0


class RefusedError(Exception):
    """The server said no, so that nothing may have been written."""


class InDoubtError(Exception):
    """The server does not know whether it was written."""


@dataclass
class Ledger:
    """What one writer knows: what must be there in which version, what must be gone, what nobody knows."""

    versions: dict[str, int] = field(default_factory=dict)
    batches: dict[tuple[str, ...], bool] = field(default_factory=dict)
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    # What was under way when a server fell silent; it is left alone from then on.
    open_ids: set[str] = field(default_factory=set)
    open_scenes: dict[tuple[int, int], set[str]] = field(default_factory=dict)
    acknowledged: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    silences: int = 0


_everybody: WeakSet[Writers] = WeakSet()


def hush() -> None:
    """Let nobody write any more, however the test ended."""
    for writers in list(_everybody):
        writers._over.set()


class Writers:
    """Some threads that write to the story until they are told to stop; servers may die meanwhile."""

    def __init__(self, urls: Callable[[], list[str]], count: int = 3, seed: int = 0) -> None:
        self._urls, self._seed = urls, seed
        self._over = threading.Event()
        self.ledgers = [Ledger() for _ in range(count)]
        self._numbers = [itertools.count(1) for _ in range(count)]
        self._threads: list[threading.Thread] = []
        self.failures: list[BaseException] = []
        _everybody.add(self)

    def start(self) -> None:
        """Begin to write."""
        self._over.clear()
        self._threads = [
            threading.Thread(target=self._write, args=(number,), daemon=True)
            for number in range(len(self.ledgers))
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let everybody finish the word they are at."""
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self.failures:
            raise self.failures[0]

    def rest(self, seconds: float) -> None:
        """Let them write for a while."""
        self._over.wait(seconds)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Let them write until something is so; it must become so."""
        patience = time.monotonic() + PATIENCE_S
        while not is_so():
            if self.failures:
                raise self.failures[0]
            assert time.monotonic() < patience, f"it never came to that; refused: {dict(self.refusals)}"
            self.rest(0.02)

    def grow(self, by: int) -> None:
        """Let them write until so many more writes were acknowledged."""
        wanted = self.acknowledged + by
        self.until(lambda: self.acknowledged >= wanted)

    @property
    def acknowledged(self) -> int:
        """How many writes were acknowledged so far."""
        return sum(ledger.acknowledged for ledger in self.ledgers)

    @property
    def refusals(self) -> Counter[str]:
        """How many were refused, by code."""
        total: Counter[str] = Counter()
        for ledger in self.ledgers:
            total.update(ledger.refusals)
        return total

    def _write(self, who: int) -> None:
        chance = random.Random(f"{self._seed}-{who}")
        try:
            while not self._over.is_set():
                urls = self._urls()
                if not urls:
                    self._over.wait(0.02)
                    continue
                limits = httpx.Limits(max_keepalive_connections=1)
                url = urls[who % len(urls)]
                with httpx.Client(base_url=url, timeout=60, trust_env=False, limits=limits) as client:
                    self._write_to(client, who, chance)
        except BaseException as error:
            self.failures.append(error)

    def _write_to(self, client: httpx.Client, who: int, chance: random.Random) -> None:
        """Write to one server until it is silent."""
        deeds = Deeds(client, self.ledgers[who], f"{who}-{next(self._numbers[who])}", chance)
        while not self._over.is_set():
            try:
                deeds.one()
            except RefusedError as refused:
                self.ledgers[who].refusals[str(refused)] += 1
                self._over.wait(0.02)
            except InDoubtError:
                self.ledgers[who].silences += 1
            except httpx.TransportError:
                self.ledgers[who].silences += 1
                self._over.wait(0.02)
                return


class Deeds:
    """What a writer does, one after the other; what is begun is open until it is acknowledged."""

    def __init__(self, client: httpx.Client, ledger: Ledger, name: str, chance: random.Random) -> None:
        self._client, self._ledger, self._name, self._chance = client, ledger, name, chance
        self._count = itertools.count(1)

    def one(self) -> None:
        """Do one thing."""
        ledger = self._ledger
        known = [key for key in list(ledger.versions)[-40:] if ledger.versions[key] > GONE]
        known = [key for key in known if key not in ledger.open_ids]
        deed = self._chance.choice((self._create, self._change, self._remove, self._batch, self._scene))
        deed(self._chance.choice(known) if known else None)

    def _create(self, _: str | None) -> None:
        made = self._ask("entity:create", type="character", name=f"人{self._name}-{next(self._count)}")
        self._acknowledge(made["id"], made["version"])

    def _change(self, key: str | None) -> None:
        if key is None:
            return
        with_patch = {"id": key, "expectedVersion": self._ledger.versions[key]}
        with self._open(key):
            new = {"description": f"潮{self._name}-{next(self._count)}" * 99}
            made = self._ask("entity:update", **with_patch, patch=new)
            self._acknowledge(key, made["version"])

    def _remove(self, key: str | None) -> None:
        if key is None or self._chance.random() < 0.7:
            return
        with self._open(key):
            self._ask("entity:delete", id=key)
            self._acknowledge(key, GONE)

    def _batch(self, _: str | None) -> None:
        number = next(self._count)
        names = tuple(f"组{self._name}-{number}-{n}" for n in range(BATCH))
        bonds = [
            {"sourceName": names[n], "targetName": names[n - 1], "relationType": "ally"} for n in range(BATCH)
        ]
        people = [{"type": "item", "name": name} for name in names]
        self._ledger.batches[names] = False
        self._ask("batch:upsert", entities=people, relations=bonds)
        self._ledger.batches[names] = True
        self._ledger.acknowledged += 1

    def _scene(self, _: str | None) -> None:
        place = (int(self._name.split("-")[0]), self._chance.randrange(3))
        text = f"{self._name} {next(self._count)} " + "风" * 200
        self._ledger.open_scenes.setdefault(place, set()).add(text)
        self._send("PUT", f"/api/v2/stories/{STORY}/chapters/{place[0]}/scenes/{place[1]}", {"text": text})
        self._ledger.texts[place] = text
        self._ledger.open_scenes[place] = {text}
        self._ledger.acknowledged += 1

    def _open(self, key: str) -> _Opened:
        return _Opened(self._ledger, key)

    def _acknowledge(self, key: str, version: int) -> None:
        self._ledger.versions[key] = version
        self._ledger.acknowledged += 1

    def _ask(self, channel: str, **payload: Any) -> Any:
        answer = self._client.post(f"/api/v2/ipc/knowledge:{channel}", json={"projectId": STORY, **payload})
        said = answer.json()
        if not said["ok"]:
            raise _refusal(said["error"])
        return said["data"]

    def _send(self, method: str, path: str, body: Any) -> Any:
        answer = self._client.request(method, path, json=body)
        if answer.status_code >= 300:
            raise _refusal(answer.json())
        return answer.json()


def _refusal(error: dict[str, Any]) -> RefusedError | InDoubtError:
    if (error.get("details") or {}).get("outcome") == "unknown":
        return InDoubtError()
    return RefusedError(error["code"])


class _Opened:
    """While something is under way, nobody knows; a refusal says that it is as it was."""

    def __init__(self, ledger: Ledger, key: str) -> None:
        self._ledger, self._key = ledger, key

    def __enter__(self) -> None:
        self._ledger.open_ids.add(self._key)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or issubclass(kind, RefusedError):
            self._ledger.open_ids.discard(self._key)


def begin(place: DatabasePlace) -> None:
    """The story that everybody writes to."""
    with Memory(place) as memory:
        memory.story("故障", id=STORY)


def held(place: DatabasePlace, writers: Writers) -> str:
    """See that nothing acknowledged is lost and nothing half done; how much that was."""
    found = dict(rows(place, "SELECT id, version FROM kg_entities WHERE project_id = ?", STORY))
    names = set(rows(place, "SELECT name FROM kg_entities WHERE project_id = ?", STORY))
    texts = {
        (chapter, scene): text
        for chapter, scene, text in rows(
            place, "SELECT chapter_index, scene_index, text FROM scenes WHERE project_id = ?", STORY
        )
    }
    for ledger in writers.ledgers:
        for key, version in ledger.versions.items():
            if key in ledger.open_ids:
                assert key not in found or found[key] in (version, version + 1), "neither old nor new"
            elif version == GONE:
                assert key not in found, "what was removed is there again"
            else:
                assert found.get(key) == version, "an acknowledged write is lost"
        for batch, is_acknowledged in ledger.batches.items():
            there = sum(name in names for name in batch)
            assert there == BATCH or (there == 0 and not is_acknowledged), "a batch is lost, or half there"
        for scene, text in ledger.texts.items():
            assert texts[scene] == text or texts[scene] in ledger.open_scenes[scene], "a scene is lost"
    with Memory(place) as memory:
        (report,) = memory.audit()
        assert report.differing == (), "rows and log differ"
        assert memory.complaints() == ()
        revision = memory.stories()[0].revision
    steps = rows(place, "SELECT revision FROM story_steps WHERE project_id = ? ORDER BY 1", STORY)
    assert steps == list(range(1, revision + 1)), "a step of the log is missing"
    assert len(steps) > writers.acknowledged, "an acknowledged write has no step of its own"
    return f"{writers.acknowledged:,} acknowledged writes, {len(steps):,} steps, {report.rows:,} rows"
