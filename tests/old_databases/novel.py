"""The novels in the old databases: a small one for each title, always the same."""

from __future__ import annotations

PEOPLE = ("林惊羽", "苏瑶")
LINES = "{a}走进望归塔，看见{b}坐在窗前。\n{a}说道：“{b}，走吧。”\n{b}笑道：“好。”{a}没有回答。\n"


def novel(title: str) -> str:
    """Six chapters with two people."""
    return "\n".join(
        f"第{number}章 {title}\n\n" + LINES.format(a=PEOPLE[number % 2], b=PEOPLE[1 - number % 2])
        for number in range(1, 7)
    )
