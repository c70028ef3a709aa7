"""A whole novel imported by the command itself: how long it takes, and how much memory.

The text is a million Chinese characters: generated, and where the measuring data is there a real one, too.
What is printed and kept are figures only.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from bench.report import RESULTS, markdown
from bench.retrieval_report import show

NAME = "novel"
CHARACTERS = 1_000_000
LONGEST_S = 180
DATA = Path(os.environ.get("FABULA_EVAL_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
COLUMNS = [
    "text",
    "characters",
    "chapters",
    "scenes",
    "seconds",
    "goal",
    "peak MB",
    "entities",
    "relations",
    "waiting",
]

_SURNAMES = "林苏赵陆沈顾萧楚白秦叶江"
_GIVEN = "惊羽瑶无极青崖长风若雪子衿行云知秋明远清歌"
_PLACES = ("望归塔", "青云镇", "断龙崖", "听雨楼", "白石城", "忘川谷")
_LINES = (
    "{a}走进{p}，看见{b}坐在窗前，灯火照着半张脸。",
    "{a}说道：“{b}，你怎么会在这里？我找了你三天三夜。”",
    "{b}笑道：“我也在等你。”{a}没有回答，只是看着远处的山。",
    "雨下了一夜，{p}的灯一直亮着，街上一个人也没有。",
    "{a}想起很多年前的那个冬天，{b}第一次来到{p}，身上只有一把旧剑。",
    "{a}问道：“{p}还有多远？”{b}指了指前面的山，说：“天黑之前能到。”",
    "没有人知道后来发生了什么，只知道那天夜里，{p}的钟响了七下。",
)


def generated(size: int = CHARACTERS) -> str:
    """A novel of so many characters, the same every time: sixty people, six of them in each chapter."""
    chance = random.Random(7)
    people = sorted({chance.choice(_SURNAMES) + "".join(chance.sample(_GIVEN, 2)) for _ in range(60)})
    chapters: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        present = chance.sample(people, 6)
        lines = [_line(chance, present) for _ in range(110)]
        chapters.append(f"第{number}章 无题\n\n" + "\n".join(lines) + "\n")
        length += len(chapters[-1])
    return "\n".join(chapters)


def _line(chance: random.Random, present: list[str]) -> str:
    a, b = chance.sample(present, 2)
    return chance.choice(_LINES).format(a=a, b=b, p=chance.choice(_PLACES))


def _texts(quick: bool) -> Iterator[tuple[str, str]]:
    size = CHARACTERS // 10 if quick else CHARACTERS
    yield "generated", generated(size)
    files = [
        file
        for book in ("红楼梦", "西游记")
        for file in sorted((DATA / "chinese_novels" / book).glob("*.txt"))
    ]
    if files:
        yield "real", "\n\n".join(file.read_text("utf-8") for file in files)[:size]


def measure(*, quick: bool) -> list[dict[str, object]]:
    """Import each text in a process of its own."""
    return [_imported(name, text) for name, text in _texts(quick)]


def _imported(name: str, text: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        file, db = Path(folder) / "novel.txt", Path(folder) / "fabula.db"
        file.write_text(text, "utf-8")
        fabula = str(Path(sys.executable).with_name("fabula"))
        began = time.perf_counter()
        subprocess.run(
            [fabula, "import", str(file), "--title", name, "--db", str(db)], check=True, capture_output=True
        )
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        with closing(connect(db)) as found:
            entities, relations = found.execute("SELECT entity_count, relation_count FROM stories").fetchone()
            counts = {
                table: found.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("chapters", "scenes")
            }
            waiting = found.execute("SELECT count(*) FROM entity_extractions WHERE reviewed = 0").fetchone()[
                0
            ]
    return {
        "text": name,
        "characters": len(text),
        **counts,
        "seconds": round(seconds, 1),
        "goal": LONGEST_S,
        "peak MB": round(peak),
        "entities": entities,
        "relations": relations,
        "waiting": waiting,
    }


def report(found: list[dict[str, object]], name: str | None, note: str) -> None:
    """Print the figures, and keep them under a name."""
    rows = [
        [f"{one[column]:,}" if not isinstance(one[column], str) else str(one[column]) for column in COLUMNS]
        for one in found
    ]
    show([("A whole novel", COLUMNS, rows)])
    if name is None:
        return
    RESULTS.mkdir(exist_ok=True)
    about = {"python": platform.python_version(), "processors": os.cpu_count(), "note": note}
    kept = {"about": about, "found": found}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    page = [
        "# A whole novel, measured",
        f"Python {about['python']}, {about['processors']} processors. {note}".strip(),
        "`fabula import` of a text file into an empty database, from the start of the command to its end:"
        " stored, read by the local extractor, approved where it is sure, every scene with a snapshot.",
        markdown(COLUMNS, rows),
    ]
    (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")
