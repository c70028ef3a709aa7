"""KG: relations, their words, and those that cannot be."""

from __future__ import annotations

import json

import pytest

from doors import Server, contents, rows

BUILTIN = ["ally", "enemy", "parent", "sibling", "belongs_to", "owns", "located_at", "participates_in"]
TYPE = "SELECT key, label, builtin FROM kg_relation_types WHERE project_id=? AND key=?"


@pytest.mark.scenario("KG1-R2-S1")
def test_two_entities_become_allies(server: Server, told: str) -> None:
    source, target = server.entity(told, "林远"), server.entity(told, "苏晚")
    relation = server.data(
        "knowledge:relation:create",
        {"projectId": told, "sourceEntityId": source, "targetEntityId": target, "relationType": "ally"},
    )
    columns = "id, source_entity_id, target_entity_id, relation_type, description"
    kept = rows(server.db, f"SELECT {columns} FROM kg_relations WHERE project_id=?", told)
    assert kept == [(relation["id"], source, target, "ally", "")]
    types = server.data("knowledge:relationtype:list", {"projectId": told})["items"]
    ally = next(item for item in types if item["key"] == "ally")
    assert (ally["label"], ally["labels"], ally["builtin"]) == ("盟友", {"zh": "盟友", "en": "Ally"}, True)
    assert rows(server.db, TYPE, told, "ally") == [("ally", "盟友", 1)]


@pytest.mark.scenario("KG1-R2-S1", "KG-BUILTIN-TYPES")
@pytest.mark.parametrize("word", BUILTIN)
def test_each_built_in_word_relates(server: Server, told: str, word: str) -> None:
    source, target = server.entity(told, "林远"), server.entity(told, "苏晚")
    server.relation(told, source, target, word)
    assert rows(server.db, "SELECT relation_type FROM kg_relations WHERE project_id=?", told) == [word]
    builtin = rows(
        server.db, "SELECT key FROM kg_relation_types WHERE project_id=? AND builtin=1 ORDER BY id", told
    )
    assert builtin == BUILTIN


@pytest.mark.scenario("KG1-R2-S2")
def test_a_word_of_ones_own_is_registered_and_used_again(server: Server, told: str) -> None:
    teacher, first, second = (server.entity(told, name) for name in ("林远", "苏晚", "陈默"))
    assert rows(server.db, TYPE, told, "师徒") == []
    server.relation(told, teacher, first, "师徒")
    assert rows(server.db, TYPE, told, "师徒") == [("师徒", "师徒", 0)]
    server.relation(told, teacher, second, " 师徒 ")
    assert rows(server.db, TYPE, told, "师徒") == [("师徒", "师徒", 0)]
    of_this_word = {"projectId": told, "filter": {"relationType": "师徒"}}
    assert server.data("knowledge:relation:list", of_this_word)["totalCount"] == 2
    types = server.data("knowledge:relationtype:list", {"projectId": told})["items"]
    assert [item["builtin"] for item in types if item["key"] == "师徒"] == [False]
    other = server.new_story()
    keys = [item["key"] for item in server.data("knowledge:relationtype:list", {"projectId": other})["items"]]
    assert "师徒" not in keys


@pytest.mark.scenario("KG1-R2-S3")
def test_a_deleted_relation_goes_alone(server: Server, told: str) -> None:
    source, target = server.entity(told, "林远"), server.entity(told, "苏晚")
    gone = server.relation(told, source, target)
    stays = server.relation(told, target, source, "enemy")
    assert server.data("knowledge:relation:delete", {"projectId": told, "id": gone}) == {"deleted": True}
    assert rows(server.db, "SELECT id FROM kg_relations WHERE project_id=?", told) == [stays]
    kept = rows(server.db, "SELECT id, version FROM kg_entities WHERE project_id=?", told)
    assert sorted(kept) == sorted([(source, 1), (target, 1)])


def _logged(server: Server, story: str, code: str) -> dict[str, object]:
    line = server.wait_for_line(
        lambda text: text.startswith("{") and f'"{story}"' in text and f'"{code}"' in text
    )
    return json.loads(line)


@pytest.mark.scenario("KG1-X-S2")
def test_a_relation_to_nobody_is_refused_and_logged(server: Server, told: str) -> None:
    someone = server.entity(told, "林远")
    before = contents(server.db)
    refused = server.error(
        "knowledge:relation:create",
        {
            "projectId": told,
            "sourceEntityId": someone,
            "targetEntityId": "nobody",
            "relationType": "暗恋",
            "description": "秘密的心事",
        },
    )
    assert refused["code"] == "KG_RELATION_INVALID"
    assert refused["details"]["missingEntityIds"] == ["nobody"]
    assert refused["suggestion"]
    assert contents(server.db) == before
    record = _logged(server, told, "KG_RELATION_INVALID")
    assert record["logger"] == "fabula.calls"
    assert record["level"] == "warning"
    assert record["channel"] == "knowledge:relation:create"
    assert (record["projectId"], record["reason"]) == (told, "missing_entity")
    assert not any(text in "\n".join(server.lines) for text in ("暗恋", "秘密的心事"))


@pytest.mark.scenario("KG1-X-S2")
@pytest.mark.parametrize("foreign_end", ["sourceEntityId", "targetEntityId"])
def test_a_relation_into_another_story_is_refused(server: Server, told: str, foreign_end: str) -> None:
    here, there = server.entity(told, "林远"), server.entity(server.new_story(), "苏晚")
    before = contents(server.db)
    ends = {"sourceEntityId": here, "targetEntityId": here, foreign_end: there}
    refused = server.error("knowledge:relation:create", {"projectId": told, "relationType": "ally", **ends})
    assert refused["code"] == "KG_RELATION_INVALID"
    assert refused["details"]["foreignEntityIds"] == [there]
    assert contents(server.db) == before
    assert _logged(server, told, "KG_RELATION_INVALID")["reason"] == "foreign_entity"
