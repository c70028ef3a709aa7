"""The graph in words, as MEMORY 3.3.2 shows it: as far as asked, with what relations say of themselves."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server


class Circle:
    """林逸 with those around him, and one farther away at each hop."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        people = ("林逸", "苏瑶", "赵无极", "玄清真人", "远客", "更远者", "影主")
        self.ids = {name: server.entity(story, name) for name in people}
        kinds = {"青云山": "location", "剑道九境": "concept", "入门试炼": "event"}
        self.ids |= {name: server.entity(story, name, type=kind) for name, kind in kinds.items()}

    def relate(self, source: str, word: str, target: str, **properties: Any) -> None:
        body = {
            "sourceId": self.ids[source],
            "targetId": self.ids[target],
            "type": word,
            "properties": properties,
        }
        made = self.server.client.post(f"/api/v2/stories/{self.story}/graph/relationships", json=body)
        assert made.status_code == 201, made.text

    def told(self, depth: int | None = None, **more: Any) -> str:
        query = {"entity": "林逸", **({} if depth is None else {"depth": depth}), **more}
        found = self.server.client.get(f"/api/v2/stories/{self.story}/graph/query", params=query)
        assert found.status_code == 200, found.text
        return str(found.json()["naturalLanguageDescription"])


@pytest.fixture
def circle(server: Server, told: str) -> Circle:
    return Circle(server, told)


@pytest.mark.scenario("MEMORY-GRAPH-TEXT")
def test_the_text_says_what_the_relations_say_of_themselves(circle: Circle) -> None:
    circle.relate("林逸", "KNOWS", "苏瑶", relationshipType="同门师兄妹", sentiment="positive")
    circle.relate("林逸", "RIVALS", "赵无极", intensity="high")
    circle.relate("林逸", "LOCATED_AT", "青云山", purpose="修炼闭关")
    circle.relate("林逸", "PARTICIPATES_IN", "入门试炼", role="主角", outcome="通过试炼")
    circle.relate("林逸", "BELONGS_TO", "剑道九境", level="通灵境", rank=2)
    text = circle.told(1)
    for part in (
        "与苏瑶是同门师兄妹（亲近）",
        "与赵无极是对手（激烈）",
        "位于青云山（修炼闭关）",
        "参与入门试炼（主角；通过试炼）",
        "属于剑道九境（通灵境）",
    ):
        assert part in text
    body = {"chapter": 0, "scene": 0, "text": "林逸来了。"}
    context = circle.server.client.post(f"/api/v2/stories/{circle.story}/context/assemble", json=body).json()
    assert "与苏瑶是同门师兄妹（亲近）" in context["graphRelationships"], "a context says it, too"


@pytest.mark.scenario("MEMORY-GRAPH-TEXT")
@pytest.mark.parametrize(
    ("properties", "zh", "en"),
    [
        ({"sentiment": "negative"}, "（不睦）", "(on bad terms)"),
        ({"sentiment": "Complex"}, "（复杂）", "(it is complicated)"),
        ({"sentiment": "又爱又恨"}, "（又爱又恨）", "(又爱又恨)"),
        ({"sentiment": "positive", "description": "关系亲近"}, "（关系亲近）", "(关系亲近; close)"),
        ({"sentiment": 7, "purpose": None, "outcome": ["a"], "level": 3}, "（3）", "(3)"),
        ({"sentiment": "  "}, "认识苏瑶。", "knows 苏瑶."),
    ],
)
def test_words_of_the_vocabulary_are_told_in_the_language_of_the_story(
    server: Server, properties: dict[str, Any], zh: str, en: str
) -> None:
    for language, said in (("zh", zh), ("en", en)):
        circle = Circle(server, server.new_story(language=language))
        circle.relate("林逸", "KNOWS", "苏瑶", **properties)
        assert said in circle.told(1)


@pytest.mark.scenario("MEMORY-GRAPH-TEXT")
def test_the_text_reaches_as_far_as_was_asked(circle: Circle) -> None:
    circle.relate("玄清真人", "MENTORS", "林逸")
    circle.relate("玄清真人", "KNOWS", "远客")
    circle.relate("远客", "KNOWS", "更远者")
    for depth, names in ((1, ()), (2, ("远客",)), (3, ("远客", "更远者"))):
        text = circle.told(depth)
        assert text.startswith("玄清真人指导林逸。")
        assert tuple(name for name in ("远客", "更远者") if name in text) == names
        assert text.count("玄清真人") <= 2, "nothing is said twice"
    assert circle.told() == circle.told(2)


@pytest.mark.scenario("MEMORY-GRAPH-TEXT")
def test_the_text_does_not_lead_over_a_secret_or_into_the_future(circle: Circle) -> None:
    server, story = circle.server, circle.story
    patch = {"id": circle.ids["影主"], "expectedVersion": 1, "patch": {"aiContextLevel": "never"}}
    server.data("knowledge:entity:update", {"projectId": story, **patch})
    circle.relate("林逸", "KNOWS", "影主")
    circle.relate("影主", "KNOWS", "远客")
    circle.relate("林逸", "KNOWS", "苏瑶")
    circle.relate("苏瑶", "KNOWS", "赵无极", since=5)
    for chapter, late in ((0, False), (5, True)):
        text = circle.told(3, chapter=chapter)
        assert "影主" not in text
        assert "远客" not in text
        assert ("赵无极" in text) == late
