"""MEMORY 3.1.3 and 3.3.1 by their own examples: entries of a lorebook, over REST."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from doors import Server, serving
from fabula.operations.accounts import list_users
from tenants import House, requiring_tokens

# The whole entry, and the one that is created, changed and listed.
WHOLE = {
    "entryKey": "青云宗",
    "displayName": "青云宗",
    "category": "location",
    "content": "青云宗是大陆五大宗门之一，坐落于青云山脉主峰。宗门至宝为'青云剑阵'。",
    "keywordsJson": ["青云宗", "青云山", "玄天真人", "青云剑阵", "五大宗门"],
    "priority": 10,
    "enabled": True,
    "insertionPosition": "before_scene",
    "tokenBudget": 500,
}
CREATE = {
    "entryKey": "青云宗",
    "displayName": "青云宗",
    "category": "location",
    "content": "青云宗是大陆五大宗门之一，坐落于青云山脉主峰...",
    "keywordsJson": ["青云宗", "青云山", "玄天真人"],
    "priority": 10,
    "insertionPosition": "before_scene",
    "tokenBudget": 500,
}
UPDATE = {
    "displayName": "青云宗（已更新）",
    "content": "青云宗是大陆五大宗门之首...",
    "keywordsJson": ["青云宗", "青云山", "玄天真人", "青云剑阵"],
    "priority": 15,
    "enabled": True,
    "insertionPosition": "system_prompt",
    "tokenBudget": 800,
}
HERO = {
    "entryKey": "林逸",
    "displayName": "林逸 - 主角",
    "category": "character",
    "content": "林逸，男，二十岁，天赋异禀的年轻剑修...",
    "keywordsJson": ["林逸", "小逸", "逸哥", "林少侠"],
    "priority": 20,
    "enabled": True,
    "insertionPosition": "before_scene",
    "tokenBudget": 600,
}
IMPORT = {
    "entries": [
        {
            "entryKey": "剑道九境",
            "displayName": "剑道九境 - 修炼体系",
            "category": "concept",
            "content": "剑修的九个境界：入门、通灵、凝气、筑基、金丹、元婴、化神、大乘、渡劫。"
            "每个境界分为初期、中期、后期、巅峰四个小阶段。",
            "keywordsJson": ["剑道九境", "境界", "修炼", "突破"],
            "priority": 5,
            "insertionPosition": "before_scene",
            "tokenBudget": 400,
        },
        {
            "entryKey": "灵石货币",
            "displayName": "灵石货币体系",
            "category": "concept",
            "content": "修仙界通用货币为灵石，分为下品、中品、上品、极品四个等级...",
            "keywordsJson": ["灵石", "货币", "交易"],
            "priority": 3,
            "insertionPosition": "before_scene",
            "tokenBudget": 300,
        },
    ],
    "overwriteExisting": False,
}
NAMED = {"id", "storyId", "createdAt", "updatedAt"}


class Book:
    """The lorebook of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story

    def call(self, method: str, path: str = "", status: int = 200, **more: Any) -> Any:
        url = f"/api/v2/stories/{self.story}/lorebook{path}"
        response = self.server.client.request(method, url, **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None


@pytest.fixture
def book(server: Server, told: str) -> Book:
    return Book(server, told)


@pytest.mark.scenario("MEMORY-JSON-ENTRY")
def test_the_entry_that_is_shown(book: Book) -> None:
    made = book.call("POST", "", 201, json=WHOLE)
    assert made.items() >= WHOLE.items()
    assert made.keys() >= NAMED | {"userId"}
    assert book.call("GET", f"/{made['id']}") == made


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-CREATE", "MEMORY-REST-PREFIX")
def test_the_creation_that_is_shown(book: Book) -> None:
    made = book.call("POST", "", 201, json=CREATE)
    assert made.items() >= {**CREATE, "enabled": True, "storyId": book.story}.items()
    assert made.keys() >= NAMED
    assert made["createdAt"] == made["updatedAt"]


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-CREATE-ERRORS")
def test_the_errors_of_a_creation(book: Book, server: Server) -> None:
    for wrong in ({"entryKey": ""}, {"content": ""}):
        refused = book.call("POST", "", 400, json={**CREATE, **wrong})
        assert refused["code"] == "VALIDATION_ERROR"
    book.call("POST", "", 201, json=CREATE)
    assert book.call("POST", "", 409, json=CREATE)["code"] == "LORE_KEY_DUPLICATE"
    assert book.call("GET")["totalElements"] == 1
    assert Book(server, str(uuid4())).call("POST", "", 404, json=CREATE)["code"] == "NOT_FOUND"


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-UPDATE")
def test_the_change_that_is_shown(book: Book) -> None:
    made = book.call("POST", "", 201, json=CREATE)
    changed = book.call("PUT", f"/{made['id']}", json=UPDATE)
    assert changed.keys() == made.keys()
    assert changed.items() >= {**CREATE, **UPDATE, "id": made["id"]}.items()


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-DELETE", "MEMORY-REST-LOREBOOK-UPDATE-ERRORS")
def test_a_deletion_and_what_is_gone(book: Book) -> None:
    made = book.call("POST", "", 201, json=CREATE)
    assert book.call("DELETE", f"/{made['id']}", 204) is None
    assert book.call("DELETE", f"/{made['id']}", 404)["code"] == "NOT_FOUND"
    assert book.call("PUT", f"/{made['id']}", 404, json=UPDATE)["code"] == "NOT_FOUND"


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-LIST", "MEMORY-GOAL-LOREBOOK")
def test_the_list_that_is_shown(book: Book) -> None:
    for entry in (HERO, CREATE, {**HERO, "entryKey": "苏瑶", "enabled": False}):
        book.call("POST", "", 201, json=entry)
    page = book.call("GET", "?category=character&enabled=true&keyword=林逸&page=0&size=20")
    (found,) = page.pop("content")
    assert found.items() >= HERO.items()
    assert found.keys() >= NAMED
    assert page == {"totalElements": 1, "totalPages": 1, "number": 0, "size": 20}


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-IMPORT")
def test_the_import_that_is_shown(book: Book) -> None:
    assert book.call("POST", "/import", json=IMPORT) == {"imported": 2, "skipped": 0, "errors": []}
    kept = {entry["entryKey"]: entry for entry in book.call("GET")["content"]}
    for entry in IMPORT["entries"]:
        assert kept[entry["entryKey"]].items() >= entry.items()


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-IMPORT-ERRORS")
def test_an_import_of_nothing_is_refused(book: Book) -> None:
    assert book.call("POST", "/import", 400, json={"entries": []})["code"] == "VALIDATION_ERROR"


@pytest.mark.scenario("MEMORY-LOREBOOK-CATEGORIES", "MEMORY-LOREBOOK-POSITIONS")
def test_there_are_six_categories_and_three_places(book: Book) -> None:
    for number, category in enumerate(("character", "location", "item", "event", "concept", "custom")):
        made = book.call("POST", "", 201, json={**CREATE, "entryKey": f"甲{number}", "category": category})
        assert made["category"] == category
    for number, place in enumerate(("before_scene", "after_scene", "system_prompt")):
        fields = {"entryKey": f"乙{number}", "insertionPosition": place}
        assert book.call("POST", "", 201, json={**CREATE, **fields})["insertionPosition"] == place
    for wrong in ({"category": "weapon"}, {"insertionPosition": "somewhere"}):
        book.call("POST", "", 400, json={**CREATE, "entryKey": "丙", **wrong})


@pytest.mark.scenario("MEMORY-LOREBOOK-DEFAULTS", "MEMORY-LOREBOOK-CATEGORIES")
def test_what_is_not_said_has_the_defaults_of_the_table(book: Book) -> None:
    made = book.call("POST", "", 201, json={"entryKey": "世界观总纲", "content": "一个修仙世界。"})
    defaults = {
        "displayName": "世界观总纲",
        "category": "custom",
        "keywordsJson": [],
        "priority": 0,
        "enabled": True,
        "insertionPosition": "before_scene",
        "tokenBudget": 500,
    }
    assert {name: made[name] for name in defaults} == defaults


@pytest.mark.slow
@pytest.mark.scenario("MEMORY-REST-LOREBOOK-IMPORT-ERRORS")
def test_a_body_beyond_the_limit_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("small"), FABULA_MAX_BODY_MB="1") as small:
        book = Book(small, small.new_story())
        big = [{"entryKey": f"k{n}", "content": "长" * 10_000} for n in range(60)]
        refused = book.call("POST", "/import", 413, json={"entries": big})
        assert refused["code"] == "PAYLOAD_TOO_LARGE"
        assert book.call("GET")["totalElements"] == 0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("tokens")) as opened:
        yield opened


@pytest.mark.scenario("MEMORY-REST-LOREBOOK-LIST-ERRORS", "MEMORY-REST-LOREBOOK-UPDATE-ERRORS")
def test_a_story_of_somebody_else_is_forbidden(house: House) -> None:
    here = f"/api/v2/stories/{house.story}/lorebook"
    made = house.send("POST", here, "editor", CREATE).json()
    for method, path, body in (("GET", "", None), ("PUT", f"/{made['id']}", UPDATE)):
        refused = house.send(method, here + path, "stranger", body)
        assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
        unknown = house.send(method, f"/api/v2/stories/{uuid4()}/lorebook{path}", "stranger", body)
        assert (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.scenario("MEMORY-LOREBOOK-USER")
def test_an_entry_names_who_made_it_and_stays(house: House) -> None:
    here = f"/api/v2/stories/{house.story}/lorebook"
    own = {**CREATE, "entryKey": "药庐"}
    made = house.send("POST", here, "editor", own).json()
    users = {one.user.name: one.user.id for one in list_users(house.memory.call())}
    assert made["userId"] == users["editor"]
    changed = house.send("PUT", f"{here}/{made['id']}", "owner", UPDATE).json()
    assert changed["userId"] == users["editor"]
