"""What a type checker knows of `story.noun.verb(…)`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fabula.story_memory import StoryMemory
from fabula.story_operations import PYTHON

RIGHT = """
from fabula.story_memory import StoryMemory


def tell(story: StoryMemory) -> str:
    li = story.entity.create(type="character", name="Jiang Li", since={"chapter": 2}, secrecy="private")
    story.relationtype.list()
    story.knowing.create(fact={"kind": "entity", "id": li.id}, knower_id=li.id)
    return li.name
"""

# Each is wrong in one way, which a type checker must see.
WRONG = {
    'story.entity.create(type="character", nam="Li")': "nam",
    'story.entity.create(type="character")': "name",
    'story.entity.create(type="character", name=3)': '"int"',
    'story.entity.create(type="character", name="Li", secrecy="hidden")': "hidden",
    "story.entity.conjure()": "conjure",
    "story.weather.list()": "weather",
    'story.entity.read(id="li").nickname': "nickname",
}


@pytest.mark.slow
def test_a_type_checker_knows_methods_fields_and_answers(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(RIGHT, "utf-8")
    wrong = "".join(f"    {line}\n" for line in WRONG)
    (tmp_path / "wrong.py").write_text(
        f"from fabula.story_memory import StoryMemory\n\n\ndef tell(story: StoryMemory) -> None:\n{wrong}",
        "utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", "."]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = said.stdout.splitlines()
    assert not [line for line in lines if line.startswith("right.py")], said.stdout
    found = {
        int(line.split(":")[1]): line for line in lines if line.startswith("wrong.py") and "error" in line
    }
    assert len(found) == len(WRONG), said.stdout
    for line, word in enumerate(WRONG.values(), 5):
        assert word in found[line]


def test_every_operation_of_the_stub_is_there_when_it_runs() -> None:
    stub = (
        Path(sys.modules[StoryMemory.__module__].__file__ or "").parent / "story_operations.pyi"
    ).read_text("utf-8")
    for name in PYTHON:
        noun, _, verb = name.rpartition(".")
        if noun.split(".")[0] in vars(StoryMemory) or verb == "import":
            continue
        owner = "_" + "".join(part.title().replace("_", "") for part in noun.split(".")) + "Operations"
        body = stub.split(f"class {owner}:")[1].split("\nclass ")[0]
        assert f"    def {verb}(" in body, name
